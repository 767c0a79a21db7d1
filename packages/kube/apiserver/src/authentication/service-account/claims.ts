import { randomUUID } from 'node:crypto';
import type { KubeObject } from '@hypershift-ts/kube-apimachinery';
import { serviceAccountUser } from './names.ts';

export interface ObjectReference {
  readonly name: string;
  readonly uid?: string;
}

/** The `kubernetes.io` claim. */
export interface KubernetesClaims {
  readonly namespace: string;
  readonly serviceaccount: ObjectReference;
  readonly pod?: ObjectReference;
  readonly secret?: ObjectReference;
  readonly node?: ObjectReference;
  /** Seconds since the epoch from which use of the token counts as stale. */
  readonly warnafter?: number;
}

/** What a service account token says. Times are in seconds since the epoch. */
export interface ServiceAccountClaims {
  readonly iss: string;
  readonly sub: string;
  readonly aud: readonly string[];
  readonly iat: number;
  readonly nbf: number;
  readonly exp: number;
  readonly jti: string;
  readonly 'kubernetes.io': KubernetesClaims;
}

export interface ClaimsOptions {
  readonly issuer: string;
  readonly serviceAccount: KubeObject;
  readonly audiences: readonly string[];
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly expirationSeconds: number;
  readonly pod?: ObjectReference;
  readonly secret?: ObjectReference;
  readonly node?: ObjectReference;
  readonly warnAfterSeconds?: number;
  readonly jti?: string;
}

export function serviceAccountClaims(options: ClaimsOptions): ServiceAccountClaims {
  const { namespace = '', name = '', uid = '' } = options.serviceAccount.metadata;
  const now = Math.floor(options.now / 1000);
  const { pod, secret, node, warnAfterSeconds } = options;
  return {
    aud: options.audiences,
    exp: now + options.expirationSeconds,
    iat: now,
    iss: options.issuer,
    jti: options.jti ?? randomUUID(),
    'kubernetes.io': {
      namespace,
      ...(node ? { node } : {}),
      ...(pod ? { pod } : {}),
      ...(secret ? { secret } : {}),
      serviceaccount: { name, uid },
      ...(warnAfterSeconds ? { warnafter: now + warnAfterSeconds } : {}),
    },
    nbf: now,
    sub: serviceAccountUser(namespace, name),
  };
}

export const legacyIssuer = 'kubernetes/serviceaccount';
const legacy = 'kubernetes.io/serviceaccount';

/** Claims of the tokens kept in Secrets of type kubernetes.io/service-account-token; they never expire. */
export function legacyClaims(serviceAccount: KubeObject, secretName: string): Readonly<Record<string, string>> {
  const { namespace = '', name = '', uid = '' } = serviceAccount.metadata;
  return {
    iss: legacyIssuer,
    [`${legacy}/namespace`]: namespace,
    [`${legacy}/secret.name`]: secretName,
    [`${legacy}/service-account.name`]: name,
    [`${legacy}/service-account.uid`]: uid,
    sub: serviceAccountUser(namespace, name),
  };
}

export interface LegacyClaims {
  readonly namespace: string;
  readonly secretName: string;
  readonly name: string;
  readonly uid: string;
}

export function parseLegacyClaims(payload: Readonly<Record<string, unknown>>): LegacyClaims | undefined {
  const text = (key: string) => {
    const value = payload[`${legacy}/${key}`];
    return typeof value === 'string' ? value : '';
  };
  const claims = {
    namespace: text('namespace'),
    secretName: text('secret.name'),
    name: text('service-account.name'),
    uid: text('service-account.uid'),
  };
  return Object.values(claims).includes('') ? undefined : claims;
}

function parseReference(value: unknown): ObjectReference | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { name, uid } = value as Record<string, unknown>;
  if (typeof name !== 'string') return undefined;
  return { name, ...(typeof uid === 'string' ? { uid } : {}) };
}

/** Reads a verified payload; undefined when it is not a service account token's. */
export function parseServiceAccountClaims(
  payload: Readonly<Record<string, unknown>>,
): ServiceAccountClaims | undefined {
  const { iss, sub, aud, iat, nbf, exp, jti } = payload;
  const kubernetes = payload['kubernetes.io'];
  if (typeof kubernetes !== 'object' || kubernetes === null) return undefined;
  const { namespace, warnafter, ...references } = kubernetes as Record<string, unknown>;
  const account = parseReference(references.serviceaccount);
  if (typeof iss !== 'string' || typeof sub !== 'string' || typeof exp !== 'number') return undefined;
  if (typeof namespace !== 'string' || !account) return undefined;
  const audiences = typeof aud === 'string' ? [aud] : aud;
  if (!Array.isArray(audiences) || !audiences.every((one) => typeof one === 'string')) return undefined;
  const pod = parseReference(references.pod);
  const secret = parseReference(references.secret);
  const node = parseReference(references.node);
  return {
    iss,
    sub,
    aud: audiences,
    iat: typeof iat === 'number' ? iat : 0,
    nbf: typeof nbf === 'number' ? nbf : 0,
    exp,
    jti: typeof jti === 'string' ? jti : '',
    'kubernetes.io': {
      namespace,
      serviceaccount: account,
      ...(pod ? { pod } : {}),
      ...(secret ? { secret } : {}),
      ...(node ? { node } : {}),
      ...(typeof warnafter === 'number' ? { warnafter } : {}),
    },
  };
}
