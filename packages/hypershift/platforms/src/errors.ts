/** When trying again makes sense. */
type Retry = 'now' | 'backoff' | 'after-user-change' | 'never';

/** Every error of this room: its code, when to try again, and what it means. */
export const platformErrorCodes = {
  PLATFORM_UNSUPPORTED: { retry: 'after-user-change', meaning: 'no such platform' },
  PLATFORM_SETTINGS_MISSING: { retry: 'after-user-change', meaning: 'the settings of the platform type are not set' },
  PLATFORM_SETTING_INVALID: { retry: 'after-user-change', meaning: 'a setting of the platform cannot be used' },
  PLATFORM_CREDENTIALS_INVALID: { retry: 'after-user-change', meaning: 'credentials are missing or incomplete' },
  PLATFORM_IMAGE_MISSING: { retry: 'after-user-change', meaning: 'nobody names the image of a provider' },
  PLATFORM_ANNOTATION_INVALID: { retry: 'after-user-change', meaning: 'an annotation has a value that cannot be used' },
} as const satisfies Record<string, { retry: Retry; meaning: string }>;

export type PlatformErrorCode = keyof typeof platformErrorCodes;

interface PlatformErrorInit {
  readonly message: string;
  /** What to do next. */
  readonly fix: string;
  /** The field or annotation a user would edit. */
  readonly field: string;
}

/** Something a user has to change before the platform can be served. Never carries a credential. */
export class PlatformError extends Error {
  override readonly name = 'PlatformError';
  readonly code: PlatformErrorCode;
  readonly retry: Retry;
  readonly fix: string;
  readonly field: string;

  constructor(code: PlatformErrorCode, { message, fix, field }: PlatformErrorInit) {
    super(message);
    this.code = code;
    this.retry = platformErrorCodes[code].retry;
    this.fix = fix;
    this.field = field;
  }
}
