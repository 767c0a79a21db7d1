/** What the node tuning operator is told about a pool, and what it answers. Goes on while the pool is paused. */
import { labels } from '@hypershift-ts/hypershift-api';
import type { ConfigSource } from '@hypershift-ts/hypershift-ignition';
import { corev1 } from '@hypershift-ts/kube-apimachinery';
import { deleteIfPresent, done, type ReconcileContext } from '@hypershift-ts/kube-controller';
import { madeForPool } from '../indexes.ts';
import { readConfigSources } from '../load.ts';
import { fails, holds } from '../report.ts';
import { hasNodeTuning, poolKeyOf, type PoolScope } from '../scope.ts';
import { ownLabels, tuningConfigMaps } from '../tuning/config-maps.ts';
import { TuningError, tuningDocuments } from '../tuning/documents.ts';
import { profileConditions, profileVerdicts } from '../tuning/profile-status.ts';
import { stated, upsertSeen } from '../upsert-seen.ts';
import { step } from './step.ts';

function readTuning({ pool }: PoolScope, { cache }: ReconcileContext): readonly ConfigSource[] {
  const { namespace } = poolKeyOf(pool);
  return (pool.spec.tuningConfig ?? []).map(({ name }) => {
    const found = cache.get(corev1.configmaps, { namespace, name });
    if (!found)
      throw new TuningError(
        `ConfigMap ${namespace}/${name} of spec.tuningConfig not found; create it, or remove it from spec.tuningConfig`,
      );
    return { name, ...(found.data ? { data: found.data } : {}) };
  });
}

async function deleteOthers(
  { key, namespace }: PoolScope,
  wanted: readonly corev1.ConfigMap[],
  { cache, client, signal }: ReconcileContext,
): Promise<void> {
  const names = new Set(wanted.map(({ metadata }) => metadata.name));
  for (const live of madeForPool(corev1.configmaps, key, namespace, cache)) {
    const isOurs = ownLabels.some((label) => live.metadata.labels?.[label] === 'true');
    if (isOurs && !names.has(live.metadata.name))
      await deleteIfPresent(client, corev1.configmaps, { namespace, name: live.metadata.name ?? '' }, { live, signal });
  }
}

function tellProfile({ pool, namespace, report }: PoolScope, { cache }: ReconcileContext): void {
  const status = cache
    .list(corev1.configmaps, namespace)
    .find(
      ({ metadata }) =>
        metadata.labels?.[labels.ntoGeneratedPerformanceProfileStatus.key] === 'true' &&
        metadata.labels[labels.nodePool.key] === pool.metadata.name,
    );
  if (status) report.say(...profileVerdicts(status));
  else for (const type of profileConditions) report.drop(type);
}

export const tuning = step('tuning', async (scope, context) => {
  const { pool, cluster, namespace, report } = scope;
  if (!hasNodeTuning(cluster)) return done();
  const type = 'ValidTuningConfig';
  try {
    const documents = tuningDocuments(readTuning(scope, context));
    const wanted = tuningConfigMaps(pool, namespace, documents, readConfigSources(scope, context).user);
    for (const desired of wanted) {
      const key = { namespace, name: desired.metadata.name ?? '' };
      await upsertSeen(corev1.configmaps, key, (live) => stated(live, desired), context);
    }
    await deleteOthers(scope, wanted, context);
  } catch (error) {
    if (error instanceof TuningError) report.say(fails(type, 'ValidationFailed', error.message));
    throw error;
  }
  report.say(holds(type, ''));
  tellProfile(scope, context);
  return done();
});
