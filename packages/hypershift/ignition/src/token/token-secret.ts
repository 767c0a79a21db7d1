import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import { hashRaw, hashSimple } from '../hash/hash-simple.ts';
import { compressAndEncode } from '../rollout/raw-config.ts';
import { managedByKarpenterLabel, secretData, tokenAnnotation, tokenKey, tokenSecretName } from './names.ts';

export interface TokenSecretInputs {
  /** The control plane namespace. */
  readonly namespace: string;
  readonly nodePool: { readonly namespace: string; readonly name: string };
  readonly upgradeType: 'Replace' | 'InPlace';
  /** The rollout hash. */
  readonly hash: string;
  readonly releaseImage: string;
  readonly releaseVersion: string;
  readonly rawConfig: string;
  readonly pullSecret: Uint8Array;
  readonly additionalTrustBundle: string;
  /** As configurationHash() gives it. */
  readonly configurationHash: string;
  /** The stream of the boot image. */
  readonly osStream: string;
  /** Empty on platforms whose nodes read no cloud config. */
  readonly cloudConfigHash: string;
  readonly restoredFromBackup?: boolean;
  /** `namespace/name` of the HostedCluster, when Karpenter makes the machines. */
  readonly karpenterCluster?: string;
}

/**
 * The token Secret of a rollout. What is decided once stays as it is in `existing`: the token, its age, release and
 * config, so that nodes of one rollout are alike. Hashes of what the cluster may change without a rollout follow it: a
 * pull secret that was renewed must not keep new machines from booting, nor reach them late.
 */
export function desiredTokenSecret(
  inputs: TokenSecretInputs,
  existing: corev1.Secret | undefined,
  fresh: { readonly now: number; readonly token: string },
): corev1.Secret {
  const created = existing?.data ? undefined : firstData(inputs, fresh.token);
  const { [tokenAnnotation.expiration]: _, ...annotations } = existing?.metadata.annotations ?? {};
  const { karpenterCluster, nodePool } = inputs;
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      ...existing?.metadata,
      namespace: inputs.namespace,
      name: tokenSecretName(nodePool.name, inputs.hash),
      annotations: {
        ...annotations,
        [tokenAnnotation.ignitionConfig]: 'true',
        [tokenAnnotation.upgradeType]: inputs.upgradeType,
        [tokenAnnotation.nodePool]: `${nodePool.namespace}/${nodePool.name}`,
        ...(inputs.restoredFromBackup ? { [tokenAnnotation.ignitionReached]: 'True' } : {}),
        ...(karpenterCluster ? { [tokenAnnotation.hostedCluster]: karpenterCluster } : {}),
        ...(created ? { [tokenAnnotation.generationTime]: new Date(fresh.now).toISOString() } : {}),
      },
      ...(karpenterCluster ? { labels: { ...existing?.metadata.labels, [managedByKarpenterLabel]: 'true' } } : {}),
    },
    immutable: false,
    data: {
      ...(created ?? existing?.data),
      [tokenKey.pullSecretHash]: secretData(pullSecretHash(inputs.pullSecret)),
      [tokenKey.additionalTrustBundleHash]: secretData(trustBundleHash(inputs.additionalTrustBundle)),
      [tokenKey.configurationHash]: secretData(inputs.configurationHash),
      [tokenKey.cloudConfigHash]: secretData(inputs.cloudConfigHash),
    },
  };
}

function firstData(inputs: TokenSecretInputs, token: string): Record<string, string> {
  return {
    [tokenKey.token]: secretData(token),
    [tokenKey.release]: secretData(inputs.releaseImage),
    [tokenKey.releaseVersion]: secretData(inputs.releaseVersion),
    [tokenKey.config]: secretData(compressAndEncode(inputs.rawConfig)),
    [tokenKey.osStream]: secretData(inputs.osStream),
  };
}

const pullSecretHashes = new WeakMap<Uint8Array, string>();

/** Bytes hash as a decimal list, see hashSimple(), which takes a while; the same bytes are hashed once. */
export function pullSecretHash(pullSecret: Uint8Array): string {
  const known = pullSecretHashes.get(pullSecret) ?? hashSimple(pullSecret);
  pullSecretHashes.set(pullSecret, known);
  return known;
}

export const trustBundleHash = (bundle: string): string => hashSimple(bundle);

/**
 * Ties a token to a version of `HostedCluster.spec.configuration`; the control plane writes the same value into the
 * `machine-config-server` ConfigMap. Independent of key order; an empty `imageStreamImportMode` counts as absent.
 */
export function configurationHash(configuration: unknown): string {
  return hashRaw(JSON.stringify(canonical(configuration ?? null)));
}

function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(
    ([name, member]) => member !== undefined && !(name === 'imageStreamImportMode' && member === ''),
  );
  return Object.fromEntries(
    entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, member]) => [name, canonical(member)]),
  );
}
