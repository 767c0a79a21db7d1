/** Names on the wire that token and user-data Secrets share with upstream. */

const prefix = 'hypershift.openshift.io';

export const tokenAnnotation = {
  ignitionConfig: `${prefix}/ignition-config`,
  upgradeType: `${prefix}/node-pool-upgrade-type`,
  nodePool: `${prefix}/nodePool`,
  generationTime: `${prefix}/last-token-generation-time`,
  expiration: `${prefix}/ignition-token-expiration-timestamp`,
  ignitionReached: `${prefix}/ignition-reached`,
  hostedCluster: `${prefix}/cluster`,
  /** Ours: which stored payload the rollout boots with, and what the Secret held when it was made. */
  payloadKey: 'hypershift-ts.io/ignition-payload',
  payloadBasis: 'hypershift-ts.io/ignition-payload-basis',
} as const;

export const managedByKarpenterLabel = `${prefix}/managed-by-karpenter`;

export const tokenKey = {
  token: 'token',
  oldToken: 'old_token',
  release: 'release',
  releaseVersion: 'release-version',
  config: 'config',
  payload: 'payload',
  reason: 'reason',
  message: 'message',
  pullSecretHash: 'pull-secret-hash',
  additionalTrustBundleHash: 'additional-trust-bundle-hash',
  configurationHash: 'hc-configuration-hash',
  osStream: 'os-stream',
  cloudConfigHash: 'cloud-config-hash',
} as const;

export const tokenSecretName = (pool: string, hash: string): string => `token-${pool}-${hash}`;
export const userDataSecretName = (pool: string, hash: string): string => `user-data-${pool}-${hash}`;

/** The text of a Secret's data entry; undefined when it is absent. */
export function secretText(
  secret: { readonly data?: Readonly<Record<string, string>> },
  key: string,
): string | undefined {
  const encoded = secret.data?.[key];
  return encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString('utf8');
}

/** Text or bytes as a Secret's data entry. */
export const secretData = (value: string | Uint8Array): string => Buffer.from(value as string).toString('base64');
