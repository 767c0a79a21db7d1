/** When trying again makes sense: at once, later by itself, after somebody changed something, or not at all. */
export type Retry = 'now' | 'backoff' | 'after-user-change' | 'never';

/** Every error of this room: its code, when to try again, and what it means. docs/errors.md is made from this. */
export const releaseErrorCodes = {
  RELEASE_REFERENCE_INVALID: { retry: 'after-user-change', meaning: 'an image reference cannot be parsed' },
  RELEASE_PULL_SECRET_INVALID: {
    retry: 'after-user-change',
    meaning: 'a pull secret is not a dockerconfigjson document',
  },
  RELEASE_OVERRIDE_INVALID: {
    retry: 'after-user-change',
    meaning: 'a registry, image or label override is not key=value',
  },
  RELEASE_NOT_EMBEDDED: { retry: 'after-user-change', meaning: 'the embedded catalogue has no such release' },
  REGISTRY_UNAUTHORIZED: { retry: 'after-user-change', meaning: 'the registry refused the credentials, or wants some' },
  REGISTRY_NOT_FOUND: { retry: 'after-user-change', meaning: 'the registry has no such repository, tag or digest' },
  REGISTRY_UNREACHABLE: { retry: 'backoff', meaning: 'no connection, no valid certificate, or no answer in time' },
  REGISTRY_REFUSED: { retry: 'backoff', meaning: 'the registry answered with an error that may pass' },
  REGISTRY_PROTOCOL: { retry: 'backoff', meaning: 'the registry answered with something that is not the protocol' },
  REGISTRY_DIGEST_MISMATCH: { retry: 'backoff', meaning: 'content is not what its digest or size promised' },
  REGISTRY_LIMIT_EXCEEDED: { retry: 'after-user-change', meaning: 'an image is larger than this reader accepts' },
  RELEASE_MALFORMED: { retry: 'after-user-change', meaning: 'the image exists but is not a release payload' },
  RELEASE_COMPONENT_MISSING: { retry: 'after-user-change', meaning: 'the payload lacks an image that is needed' },
  RELEASE_ARCH_UNKNOWN: { retry: 'after-user-change', meaning: 'an image does not tell its CPU architecture' },
  RELEASE_VERSION_INVALID: { retry: 'after-user-change', meaning: 'a version is not major.minor.patch' },
  RELEASE_VERSION_UNSUPPORTED: { retry: 'after-user-change', meaning: 'a version is outside the supported window' },
  RELEASE_DOWNGRADE: { retry: 'after-user-change', meaning: 'a y-stream downgrade was asked for' },
  RELEASE_MINOR_SKIPPED: { retry: 'after-user-change', meaning: 'an upgrade would skip a minor version' },
  RELEASE_NETWORK_TYPE: { retry: 'after-user-change', meaning: 'the network type does not go with the version' },
  RELEASE_NOT_UPGRADEABLE: { retry: 'after-user-change', meaning: 'the cluster reports that it cannot be upgraded' },
  RELEASE_FORCE_MISMATCH: { retry: 'after-user-change', meaning: 'force-upgrade-to names another image' },
  NODEPOOL_VERSION_SKEW: {
    retry: 'after-user-change',
    meaning: 'a NodePool is newer than, or too far behind, its cluster',
  },
  BOOT_IMAGE_NOT_FOUND: { retry: 'after-user-change', meaning: 'the payload names no boot image for that place' },
  OS_STREAM_INVALID: { retry: 'after-user-change', meaning: 'an OS image stream is unknown or does not fit' },
} as const satisfies Record<string, { retry: Retry; meaning: string }>;

export type ReleaseErrorCode = keyof typeof releaseErrorCodes;

interface ReleaseErrorInit {
  readonly message: string;
  /** What to do next, as a sentence for a human. */
  readonly fix?: string;
  /** The field a user would edit, for example `spec.release.image`. */
  readonly field?: string;
  readonly retry?: Retry;
  readonly cause?: unknown;
}

/** A failure about releases, with a stable code and the next step. Never carries a credential. */
export class ReleaseError extends Error {
  override readonly name = 'ReleaseError';
  readonly code: ReleaseErrorCode;
  readonly retry: Retry;
  readonly fix: string | undefined;
  readonly field: string | undefined;

  constructor(code: ReleaseErrorCode, init: ReleaseErrorInit) {
    super(init.message, init.cause === undefined ? undefined : { cause: init.cause });
    this.code = code;
    this.retry = init.retry ?? releaseErrorCodes[code].retry;
    this.fix = init.fix;
    this.field = init.field;
  }
}

/** The reason of condition `ValidReleaseImage` that an error stands for. */
export function validReleaseImageReason(error: unknown): 'InvalidImage' | 'PayloadArchNotFound' {
  return error instanceof ReleaseError && error.code === 'RELEASE_ARCH_UNKNOWN'
    ? 'PayloadArchNotFound'
    : 'InvalidImage';
}

/** What went wrong, for the end of a message: `message`, or what a system error says. */
export function causeText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = (error as { code?: unknown }).code;
  if (error.message) return error.message;
  return typeof code === 'string' ? code : error.name;
}
