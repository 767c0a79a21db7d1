import type { Clock } from '@hypershift-ts/kube-apimachinery';
import { isJsonObject } from '@hypershift-ts/kube-apimachinery';
import { BoundedCache } from '../authentication/bounded-cache.ts';
import { wireUser } from '../authentication/reviews.ts';
import type { Attributes, Authorizer, Decision } from './attributes.ts';

export interface WebhookAuthorizerOptions {
  /** Sends a SubjectAccessReview and returns the answered one; brings its own deadline. */
  readonly post: (review: object) => Promise<unknown>;
  readonly clock: Clock;
  /** Milliseconds; five minutes and half a minute when absent, as kube-apiserver has it. */
  readonly cacheAllowedFor?: number;
  readonly cacheDeniedFor?: number;
}

function reviewOf(attributes: Attributes): object {
  const { username: user, ...rest } = wireUser(attributes.user) as { username?: string };
  const { verb, namespace, group, version, resource, subresource, name, path } = attributes;
  const filled = (fields: Record<string, string>) =>
    Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));
  return {
    kind: 'SubjectAccessReview',
    apiVersion: 'authorization.k8s.io/v1',
    metadata: {},
    spec: {
      ...(attributes.isResource
        ? { resourceAttributes: filled({ namespace, verb, group, version, resource, subresource, name }) }
        : { nonResourceAttributes: filled({ path, verb }) }),
      ...(user ? { user } : {}),
      ...rest,
    },
  };
}

function decisionOf(answer: unknown): Decision {
  const status = isJsonObject(answer) && isJsonObject(answer.status) ? answer.status : {};
  const reason = typeof status.reason === 'string' ? status.reason : '';
  if (status.allowed === true && status.denied !== true) return { decision: 'allow', reason };
  return { decision: status.denied === true ? 'deny' : 'no-opinion', reason };
}

/** `--authorization-mode=Webhook`: asks another service. When it does not answer there is no opinion, which denies. */
export function webhookAuthorizer(options: WebhookAuthorizerOptions): Authorizer {
  const known = new BoundedCache<Decision>(4096);
  return {
    async authorize(attributes) {
      const review = reviewOf(attributes);
      const key = JSON.stringify(review);
      const now = options.clock.now();
      const before = known.get(key, now);
      if (before) return before;
      let decision: Decision;
      try {
        decision = decisionOf(await options.post(review));
      } catch {
        return { decision: 'no-opinion', reason: 'the authorization webhook did not answer' };
      }
      const keep =
        decision.decision === 'allow' ? (options.cacheAllowedFor ?? 300_000) : (options.cacheDeniedFor ?? 30_000);
      // A very long question is asked again rather than kept.
      if (key.length <= 10_000) known.set(key, decision, now + keep, now);
      return decision;
    },
  };
}
