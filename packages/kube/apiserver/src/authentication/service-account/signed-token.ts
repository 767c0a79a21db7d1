import { createHash } from 'node:crypto';
import type { Clock } from '@hypershift-ts/kube-apimachinery';
import { compactVerify } from 'jose';
import { BadCredential } from '../authenticator.ts';
import { BoundedCache } from '../bounded-cache.ts';
import type { VerificationKey } from './keys.ts';

/** Tokens of what was deleted are not asked for again and only go by their age; checking a signature anew is cheap. */
const believedMs = 60_000;

export type Payload = Readonly<Record<string, unknown>>;

/** The header and payload of a JWT before anything about it is trusted; undefined when it is none. */
export function peekToken(token: string): { readonly kid: string; readonly issuer: string } | undefined {
  const parts = token.split('.');
  if (parts.length !== 3) return undefined;
  try {
    const part = (index: number) =>
      JSON.parse(Buffer.from(parts[index] as string, 'base64url').toString('utf8')) as Payload;
    const { kid } = part(0);
    const { iss } = part(1);
    return typeof iss === 'string' ? { kid: typeof kid === 'string' ? kid : '', issuer: iss } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Verifies signatures. Only the signature's result is remembered (a token's bytes never change their meaning);
 * expiry and what a token is bound to are looked at on every use, so revocation is immediate.
 */
export class SignatureVerifier {
  private keys: readonly VerificationKey[];
  private readonly clock: Clock;
  private readonly verified = new BoundedCache<Payload>(1024);

  constructor(keys: readonly VerificationKey[], clock: Clock) {
    this.keys = keys;
    this.clock = clock;
  }

  setKeys(keys: readonly VerificationKey[]): void {
    this.keys = keys;
    this.verified.clear();
  }

  /** The payload; throws BadCredential when no key made this signature. */
  async verify(token: string, kid: string): Promise<Payload> {
    // A digest, so that a heap dump shows no usable tokens.
    const digest = createHash('sha256').update(token).digest('base64');
    const now = this.clock.now();
    const known = this.verified.get(digest, now);
    if (known) return known;
    // A token that names its key is checked against that one alone; old tokens name none.
    const named = kid === '' ? [] : this.keys.filter((key) => key.id === kid);
    for (const key of named.length > 0 ? named : this.keys) {
      const payload = await verifyWith(token, key);
      if (!payload) continue;
      this.verified.set(digest, payload, now + believedMs, now);
      return payload;
    }
    throw new BadCredential('the token is not signed by a known key');
  }
}

async function verifyWith(token: string, key: VerificationKey): Promise<Payload | undefined> {
  try {
    const { payload } = await compactVerify(token, key.publicKey, { algorithms: [key.algorithm] });
    const value: unknown = JSON.parse(new TextDecoder().decode(payload));
    return typeof value === 'object' && value !== null ? (value as Payload) : undefined;
  } catch {
    return undefined;
  }
}
