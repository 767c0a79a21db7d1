/** Who is asking, as authentication established it. */
export interface UserInfo {
  readonly name: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** What travels with one request through every layer. */
export interface RequestContext {
  readonly user: UserInfo;
  /** Milliseconds since the epoch when the request arrived. */
  readonly now: number;
  readonly signal?: AbortSignal;
  readonly userAgent: string;
  /** Adds a Warning header (once per text). */
  readonly warn: (text: string) => void;
  /** Adds an annotation to the request's audit event. */
  readonly auditAnnotation: (key: string, value: string) => void;
}
