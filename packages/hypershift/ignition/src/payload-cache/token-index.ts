import { createHash } from 'node:crypto';

/** A payload ready to be sent, and the rollout it belongs to. */
export interface ServedRollout {
  /** The token Secret's name. */
  readonly secret: string;
  readonly namespace: string;
  readonly uid: string;
  /** `namespace/name`, from the Secret and not from the caller. */
  readonly nodePool: string;
  /** What the payload was made from, as the Secret names it; see basisOf(). */
  readonly basis: string;
  /** Undefined while it is being made. */
  readonly payload: Buffer | undefined;
  /** A machine got through already; no need to write that again. */
  readonly reached: boolean;
  /** Milliseconds since the epoch; not served from then on. */
  readonly expiresAt: number | undefined;
}

/**
 * Who may have which payload: what one replica knows. Entries live exactly as long as their token Secrets, so the index
 * is bounded by them. Tokens are kept as digests: finding one takes the same time whatever was guessed.
 */
export class TokenIndex {
  private readonly byToken = new Map<string, ServedRollout>();
  private readonly tokensBySecret = new Map<string, readonly string[]>();

  /** Replaces all that is known about a Secret; equal payloads share their bytes. */
  put(tokens: readonly string[], rollout: ServedRollout): void {
    const digests = tokens.map(digestOf);
    for (const digest of this.tokensBySecret.get(rollout.secret) ?? [])
      if (!digests.includes(digest)) this.byToken.delete(digest);
    for (const digest of digests) this.byToken.set(digest, rollout);
    this.tokensBySecret.set(rollout.secret, digests);
  }

  remove(secret: string): void {
    for (const digest of this.tokensBySecret.get(secret) ?? [])
      if (this.byToken.get(digest)?.secret === secret) this.byToken.delete(digest);
    this.tokensBySecret.delete(secret);
  }

  find(token: string, now: number): ServedRollout | undefined {
    const rollout = this.byToken.get(digestOf(token));
    return rollout?.expiresAt !== undefined && rollout.expiresAt <= now ? undefined : rollout;
  }

  /** What is known about a Secret. */
  of(secret: string): ServedRollout | undefined {
    const [digest] = this.tokensBySecret.get(secret) ?? [];
    return digest === undefined ? undefined : this.byToken.get(digest);
  }

  /** Tokens with a payload, for the gauge of cached payloads. */
  get size(): number {
    let ready = 0;
    for (const { payload } of this.byToken.values()) if (payload) ready++;
    return ready;
  }
}

const digestOf = (token: string): string => createHash('sha256').update(token).digest('base64');
