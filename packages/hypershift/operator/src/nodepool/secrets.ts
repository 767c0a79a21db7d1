/** Token and user-data Secrets of a pool's rollouts. */
import { annotations } from '@hypershift-ts/hypershift-api';
import {
  configurationHash,
  desiredTokenSecret,
  desiredUserDataSecret,
  expirationPatch,
  hashConfigMapData,
  secretFate,
  secretText,
  tokenKey,
  tokenSecretName,
  userDataSecretName,
} from '@hypershift-ts/hypershift-ignition';
import { controlPlaneVersionOf, tryParseVersion } from '@hypershift-ts/hypershift-release';
import { corev1, isNotFound } from '@hypershift-ts/kube-apimachinery';
import { deleteIfPresent, type ReconcileContext } from '@hypershift-ts/kube-controller';
import { madeForPool } from './indexes.ts';
import { nodeProxy } from './rollout.ts';
import { upsertSeen } from './upsert-seen.ts';
import { known, poolKeyOf, type PoolScope } from './scope.ts';

/** The token Secret of the wanted rollout, as it is now. */
export function readToken(
  { pool, namespace, found }: PoolScope,
  { cache }: ReconcileContext,
): corev1.Secret | undefined {
  const name = tokenSecretName(pool.metadata.name ?? '', known(found, 'rollout').hash);
  return cache.get(corev1.secrets, { namespace, name });
}

/** Hash of the settings for the cloud that nodes carry; empty where they carry none. */
function cloudConfigHash({ platform, namespace }: PoolScope, { cache }: ReconcileContext): string {
  const name = platform.machines?.cloudConfig;
  return name ? hashConfigMapData(cache.get(corev1.configmaps, { namespace, name })?.data) : '';
}

const credentials = new WeakMap<corev1.Secret, Buffer>();

/** The same bytes for the same Secret: a cache hands it out until it changes. */
function credentialsOf(secret: corev1.Secret): Buffer {
  const bytes = credentials.get(secret) ?? Buffer.from(secret.data?.['.dockerconfigjson'] ?? '', 'base64');
  credentials.set(secret, bytes);
  return bytes;
}

/** Writes both Secrets of the wanted rollout; a token that is there stays. */
export async function ensureSecrets(scope: PoolScope, context: ReconcileContext): Promise<void> {
  const { pool, cluster, namespace, found, options } = scope;
  const { clock } = context;
  const { hash, inputs } = known(found, 'rollout');
  const release = known(found, 'release');
  const nodePool = poolKeyOf(pool);
  const tokenInputs = {
    namespace,
    nodePool,
    upgradeType: pool.spec.management.upgradeType,
    hash,
    releaseImage: pool.spec.release.image,
    releaseVersion: release.version,
    rawConfig: inputs.rawConfig,
    pullSecret: credentialsOf(known(found, 'pullSecret')),
    additionalTrustBundle: found.additionalTrustBundle ?? '',
    configurationHash: configurationHash(cluster.spec.configuration),
    osStream: known(found, 'stream'),
    cloudConfigHash: cloudConfigHash(scope, context),
    restoredFromBackup: cluster.metadata.annotations?.[annotations.restoredFromBackup.key] !== undefined,
  };
  const fresh = { now: clock.now(), token: options.uuid() };
  const token = await upsertSeen(
    corev1.secrets,
    { namespace, name: tokenSecretName(nodePool.name, hash) },
    (live) => ({ ...live, ...desiredTokenSecret(tokenInputs, live, fresh) }),
    context,
  );
  const userDataInputs = {
    namespace,
    nodePool,
    hash,
    token: secretText(token, tokenKey.token) ?? '',
    ignitionEndpoint: cluster.status?.ignitionEndpoint ?? '',
    caCertificate: known(found, 'ignitionCA'),
    proxy: nodeProxy(cluster),
  };
  await upsertSeen(
    corev1.secrets,
    { namespace, name: userDataSecretName(nodePool.name, hash) },
    (live) => ({ ...live, ...desiredUserDataSecret(userDataInputs, live) }),
    context,
  );
}

/** Lets the Secrets of earlier rollouts go; a token lives on for a while, for machines that are booting with it. */
export async function retireSecrets(
  scope: PoolScope,
  { cache, client, clock, signal }: ReconcileContext,
): Promise<void> {
  const { pool, platform, key, namespace, machines, found } = scope;
  const { hash } = known(found, 'rollout');
  const { name } = poolKeyOf(pool);
  const waiting = new Set(
    machines.flatMap(({ spec, status }) => (status?.nodeRef ? [] : (spec.bootstrap.dataSecretName ?? []))),
  );
  const facts = {
    poolExists: true,
    clusterGone: false,
    platform: platform.type,
    keepsUserData: keepsUserData(scope),
    expectedNames: [tokenSecretName(name, hash), userDataSecretName(name, hash), ...waiting],
  };
  for (const secret of madeForPool(corev1.secrets, key, namespace, cache)) {
    const fate = secretFate(secret, facts);
    const at = { namespace, name: secret.metadata.name ?? '' };
    if (fate === 'delete') await deleteIfPresent(client, corev1.secrets, at, { signal });
    const body = fate === 'expire' ? expirationPatch(secret, clock.now()) : undefined;
    if (body)
      await client.patch(corev1.secrets, at, { type: 'merge', body }, { signal }).catch((error: unknown) => {
        if (!isNotFound(error)) throw error;
      });
  }
}

/** AWS machines of control planes before 4.16 need their user data even to be deleted. */
function keepsUserData({ cluster, platform }: PoolScope): boolean {
  if (!platform.machines?.keepsUserData) return false;
  const version = tryParseVersion(controlPlaneVersionOf(cluster.status?.version ?? {}));
  return version !== undefined && version.major === 4 && version.minor < 16;
}
