import { ReleaseError } from './errors.ts';
import type { BootImages } from './payload/boot-image-stream.ts';
import type { ReleaseMetadata } from './payload/release-metadata.ts';
import { kubernetesVersionFor } from './version/supported.ts';
import { formatVersion, parseVersion } from './version/version.ts';

export type PayloadArch = 'AMD64' | 'ARM64' | 'PPC64LE' | 'S390X' | 'Multi';

/** A release: its version, the image of every component, and what machines boot from. Frozen and shared. */
export interface ReleaseImage {
  /** The reference that was asked for. */
  readonly image: string;
  /** Where it was really read: the same, a registry override or a mirror. */
  readonly readFrom: string;
  readonly digest: string;
  /** `image` by digest: what version history records, so that a moved tag shows. */
  readonly pinnedImage: string;
  readonly version: string;
  readonly source: 'registry' | 'embedded';
  /** Component name to image, registry overrides applied. */
  readonly components: ReadonlyMap<string, string>;
  /** The same before overrides; what the data plane must be given, as overrides are for the management cluster only. */
  readonly canonicalComponents: ReadonlyMap<string, string>;
  /** `release`, `kubernetes`, `machine-os` and others to their versions. */
  readonly componentVersions: ReadonlyMap<string, string>;
  /** `amd64`, ... as registries name them. */
  readonly architectures: readonly string[];
  /** Undefined when neither index nor image tells. */
  readonly payloadArch: PayloadArch | undefined;
  readonly bootImages: BootImages;
  readonly metadata: ReleaseMetadata | undefined;
}

const payloadArchs: Readonly<Record<string, PayloadArch>> = {
  amd64: 'AMD64',
  arm64: 'ARM64',
  ppc64le: 'PPC64LE',
  s390x: 'S390X',
};

/** `status.payloadArch` for the architectures of an image: `Multi` from two known ones on. */
export function payloadArchOf(architectures: readonly string[]): PayloadArch | undefined {
  const known = architectures.map((arch) => payloadArchs[arch]).filter((arch) => arch !== undefined);
  return known.length > 1 ? 'Multi' : known[0];
}

/** The payload architecture, or the error behind reason PayloadArchNotFound. */
export function requirePayloadArch({ image, payloadArch, architectures }: ReleaseImage): PayloadArch {
  if (payloadArch) return payloadArch;
  throw new ReleaseError('RELEASE_ARCH_UNKNOWN', {
    message: `failed to find image CPU architecture for ${image}${architectures.length > 0 ? ` (it says ${architectures.join(', ')})` : ''}`,
    fix: 'use a release image for amd64, arm64, ppc64le or s390x',
    field: 'spec.release.image',
  });
}

/** The image of a component, or an error that names release and component. */
export function componentImage(release: ReleaseImage, component: string): string {
  const found = release.components.get(component);
  if (found) return found;
  throw new ReleaseError('RELEASE_COMPONENT_MISSING', {
    message: `release ${release.version} (${release.image}) has no image for component ${JSON.stringify(component)}`,
    fix: `use a release that has it, or name one in annotation hypershift.openshift.io/image-overrides as ${component}=<image>`,
    field: 'spec.release.image',
  });
}

/** The Kubernetes version of a release: what its images report, else the minor that belongs to the version. */
export function kubernetesVersionOf({ version, componentVersions }: ReleaseImage): string {
  return componentVersions.get('kubernetes') ?? formatVersion(kubernetesVersionFor(parseVersion(version)));
}

/** The release with some components replaced or added: CPO family images and `--image-overrides`. */
export function withComponents(release: ReleaseImage, images: Readonly<Record<string, string>>): ReleaseImage {
  const added = Object.entries(images).filter(([, image]) => image !== '');
  if (added.length === 0) return release;
  return Object.freeze({
    ...release,
    components: new Map([...release.components, ...added]),
    canonicalComponents: new Map([...release.canonicalComponents, ...added]),
  });
}

/** Components that all come from one image, the control-plane-operator's, and are not in the payload under these names. */
export const operatorFamily = [
  'controlplane-operator',
  'hosted-cluster-config-operator',
  'availability-prober',
  'token-minter',
  'controlplane-pki-operator',
  'socks5-proxy',
] as const;

/** The operator family for `withComponents`. */
export function operatorFamilyImages(cpoImage: string): Readonly<Record<string, string>> {
  return Object.fromEntries(operatorFamily.map((name) => [name, cpoImage]));
}

/** Hands out component images and remembers which ones were asked for in vain. One per reconcile. */
export class ComponentImages {
  readonly release: ReleaseImage;
  private readonly absent = new Set<string>();

  constructor(release: ReleaseImage) {
    this.release = release;
  }

  /** The image, or an empty text, which no cluster accepts, so that the other components can go on. */
  get(component: string): string {
    const found = this.release.components.get(component);
    if (!found) this.absent.add(component);
    return found ?? '';
  }

  /** Whether the release has a component; asking does not make it missing. */
  has(component: string): boolean {
    return Boolean(this.release.components.get(component));
  }

  get missing(): readonly string[] {
    return [...this.absent].sort();
  }
}

export interface ValidReleaseInfoCondition {
  readonly type: 'ValidReleaseInfo';
  readonly status: 'True' | 'False';
  readonly reason: 'AsExpected' | 'MissingReleaseImages';
  readonly message: string;
}

/** Condition ValidReleaseInfo of a HostedControlPlane, over the control plane's release and the user's. */
export function validReleaseInfoCondition(...images: readonly ComponentImages[]): ValidReleaseInfoCondition {
  const missing = [...new Set(images.flatMap((one) => one.missing))].sort();
  return missing.length > 0
    ? { type: 'ValidReleaseInfo', status: 'False', reason: 'MissingReleaseImages', message: missing.join(', ') }
    : { type: 'ValidReleaseInfo', status: 'True', reason: 'AsExpected', message: 'All is well' };
}
