import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import { formatTime } from '@hypershift-ts/kube-apimachinery';
import { secretData, secretText, tokenAnnotation, tokenKey } from './names.ts';

const hour = 60 * 60 * 1000;
/** How long a token is accepted, counting its time as the old one. */
export const tokenTtlMs = 11 * hour;
/** A token is replaced at half of its life, so that every token is accepted for two such periods. */
export const rotationAfterMs = tokenTtlMs / 2;
/** Machines that are booting when their rollout is replaced may still finish. */
export const outdatedGraceMs = 2 * hour;

export type TokenDecision =
  | { readonly action: 'delete' }
  | { readonly action: 'rotate' }
  | { readonly action: 'keep'; readonly lookAgainMs: number };

/** When the Secret ends; undefined while its rollout is wanted. Text that is no time has ended already. */
export function expiryOf(secret: corev1.Secret): number | undefined {
  const text = secret.metadata.annotations?.[tokenAnnotation.expiration];
  if (text === undefined) return undefined;
  const time = Date.parse(text);
  return Number.isNaN(time) ? Number.NEGATIVE_INFINITY : time;
}

/** What is due for a token Secret now. */
export function decideToken(secret: corev1.Secret, now: number): TokenDecision {
  const expiry = expiryOf(secret);
  if (expiry !== undefined) {
    // Nobody will tell the machines of an outdated rollout a new token, so it is not rotated any more.
    return expiry <= now ? { action: 'delete' } : { action: 'keep', lookAgainMs: expiry - now };
  }
  const generated = Date.parse(secret.metadata.annotations?.[tokenAnnotation.generationTime] ?? '');
  const age = now - generated;
  if (Number.isNaN(age) || age >= rotationAfterMs) return { action: 'rotate' };
  return { action: 'keep', lookAgainMs: rotationAfterMs - age };
}

/**
 * The merge patch that gives the Secret a new token and keeps the current one as the old. It names the version it was
 * made for: of two replicas that rotate at once one loses, or the token that machines hold would be dropped.
 */
export function rotationPatch(secret: corev1.Secret, now: number, newToken: string): object {
  return {
    metadata: {
      resourceVersion: secret.metadata.resourceVersion,
      annotations: { [tokenAnnotation.generationTime]: new Date(now).toISOString() },
    },
    data: { [tokenKey.oldToken]: secret.data?.[tokenKey.token] ?? null, [tokenKey.token]: secretData(newToken) },
  };
}

/** The merge patch that lets an outdated Secret expire; undefined when it is set already. */
export function expirationPatch(secret: corev1.Secret, now: number): object | undefined {
  if (secret.metadata.annotations?.[tokenAnnotation.expiration] !== undefined) return undefined;
  return { metadata: { annotations: { [tokenAnnotation.expiration]: formatTime(now + outdatedGraceMs) } } };
}

/** The tokens a Secret stands for, newest first. */
export function tokensOf(secret: corev1.Secret): string[] {
  return [tokenKey.token, tokenKey.oldToken].flatMap((key) => secretText(secret, key) || []);
}
