import { createHash } from 'node:crypto';
import type { Clock } from '@hypershift-ts/kube-apimachinery';
import { isJsonObject } from '@hypershift-ts/kube-apimachinery';
import type { Authenticated, TokenAuthenticator } from './authenticator.ts';
import { BadCredential } from './authenticator.ts';
import { BoundedCache } from './bounded-cache.ts';

export interface WebhookTokenOptions {
  /** Sends a TokenReview and returns the answered one; brings its own deadline. */
  readonly post: (review: object) => Promise<unknown>;
  /** `--api-audiences` */
  readonly audiences: readonly string[];
  readonly clock: Clock;
  /** `--authentication-token-webhook-cache-ttl`, in milliseconds; two minutes when absent. */
  readonly cacheFor?: number;
}

const texts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];

/** Reads the status of an answered TokenReview. */
function readStatus(review: unknown, wanted: readonly string[]): Authenticated | undefined {
  const status = isJsonObject(review) && isJsonObject(review.status) ? review.status : {};
  if (status.authenticated !== true) {
    if (typeof status.error === 'string' && status.error !== '') throw new BadCredential(status.error);
    return undefined;
  }
  const user = isJsonObject(status.user) ? status.user : {};
  if (typeof user.username !== 'string' || user.username === '') throw new BadCredential('the webhook named no user');
  const extra = isJsonObject(user.extra)
    ? Object.fromEntries(Object.entries(user.extra).map(([key, value]) => [key, texts(value)]))
    : undefined;
  // A webhook that knows nothing of audiences speaks for the API server itself.
  const audiences =
    status.audiences === undefined ? wanted : texts(status.audiences).filter((one) => wanted.includes(one));
  if (wanted.length > 0 && audiences.length === 0)
    throw new BadCredential('the token is invalid for the target audiences');
  return {
    user: {
      name: user.username,
      groups: texts(user.groups),
      ...(typeof user.uid === 'string' && user.uid !== '' ? { uid: user.uid } : {}),
      ...(extra ? { extra } : {}),
    },
    audiences,
  };
}

/** `--authentication-token-webhook-config-file`: asks another service whose token it is. Good answers are remembered. */
export function webhookTokens(options: WebhookTokenOptions): TokenAuthenticator {
  const known = new BoundedCache<Authenticated>(1024);
  return {
    async authenticateToken(token, audiences = options.audiences) {
      const key = createHash('sha256')
        .update(JSON.stringify([token, audiences]))
        .digest('base64');
      const now = options.clock.now();
      const before = known.get(key, now);
      if (before) return before;
      let answer: unknown;
      try {
        answer = await options.post({
          kind: 'TokenReview',
          apiVersion: 'authentication.k8s.io/v1',
          metadata: {},
          spec: { token, ...(audiences.length > 0 ? { audiences } : {}) },
        });
      } catch (cause) {
        throw new BadCredential('the token webhook did not answer', { cause });
      }
      const result = readStatus(answer, audiences);
      if (result) known.set(key, result, now + (options.cacheFor ?? 2 * 60 * 1000), now);
      return result;
    },
  };
}
