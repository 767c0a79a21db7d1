/** Takes down a pool: first what makes machines, then, when the last machine is gone, what machines need. */
import { finalizers, labels, type NodePool, nodePools } from '@hypershift-ts/hypershift-api';
import { platformFor } from '@hypershift-ts/hypershift-platforms';
import {
  corev1,
  isNotFound,
  type KubeObject,
  type ObjectKey,
  type ResourceType,
} from '@hypershift-ts/kube-apimachinery';
import {
  deleteIfPresent,
  getIfPresent,
  type ReconcileContext,
  type ReconcileResult,
  removeFinalizer,
} from '@hypershift-ts/kube-controller';
import { capiv1beta1 } from '@hypershift-ts/machines-cluster-api';
import { controlPlaneNamespaceOf } from '../names/index.ts';
import { madeForPool } from './indexes.ts';
import { machinesOf } from './load.ts';
import { machineVerdicts } from './machine-health.ts';
import { spotHealthCheckName } from './machines/health-check.ts';
import { pausedAnnotation } from './machines/names.ts';
import { templatesOf } from './machines/template.ts';
import { PoolReport } from './report.ts';
import { poolKeyOf } from './scope.ts';

async function deleteOwner<T extends KubeObject>(
  type: ResourceType<T>,
  key: ObjectKey,
  { client, signal }: ReconcileContext,
): Promise<void> {
  const live = await getIfPresent(client, type, key, { signal });
  // Cluster API does not even delete what is paused.
  if (live?.metadata.annotations?.[pausedAnnotation] !== undefined) {
    const body = { metadata: { annotations: { [pausedAnnotation]: null } } };
    await client.patch(type, key, { type: 'merge', body }, { signal });
  }
  await deleteIfPresent(client, type, key, { live: live ?? null, signal });
}

async function deleteMachineMakers(pool: NodePool, namespace: string, context: ReconcileContext): Promise<void> {
  const { name } = poolKeyOf(pool);
  const { templates } = platformFor(pool.spec.platform.type).machines ?? {};
  const key = `${pool.metadata.namespace}/${name}`;
  if (templates)
    for (const live of await templatesOf(key, namespace, templates, context))
      await deleteIfPresent(context.client, templates, { namespace, name: live.metadata.name ?? '' }, { live });
  await deleteOwner(capiv1beta1.machinedeployments, { namespace, name }, context);
  await deleteOwner(capiv1beta1.machinehealthchecks, { namespace, name }, context);
  await deleteOwner(capiv1beta1.machinehealthchecks, { namespace, name: spotHealthCheckName(pool) }, context);
  await deleteOwner(capiv1beta1.machinesets, { namespace, name }, context);
}

async function deleteConfigMaps({ name }: { name: string }, namespace: string, context: ReconcileContext) {
  const { cache, client, signal } = context;
  for (const { metadata } of cache.list(corev1.configmaps, namespace))
    if (metadata.labels?.[labels.nodePool.key] === name)
      await deleteIfPresent(client, corev1.configmaps, { namespace, name: metadata.name ?? '' }, { signal });
}

/** Goes as far as it can now; the going of machines brings it back. */
export async function deleteNodePool(pool: NodePool, context: ReconcileContext): Promise<ReconcileResult> {
  if (!pool.metadata.finalizers?.includes(finalizers.hypershift.key)) return undefined;
  const own = poolKeyOf(pool);
  const key = `${own.namespace}/${own.name}`;
  const namespace = controlPlaneNamespaceOf({
    metadata: { namespace: own.namespace, name: pool.spec?.clusterName ?? '' },
  });
  const { cache, client, signal } = context;
  await deleteMachineMakers(pool, namespace, context);
  await deleteConfigMaps(own, namespace, context);
  const machines = machinesOf(key, namespace, context);
  if (machines.length > 0) {
    // Nobody but the drain of these machines holds up the pool, so its conditions say what holds up the drain.
    const report = new PoolReport();
    report.say(...machineVerdicts(pool, machines));
    await report.write(pool, context);
    return undefined;
  }
  for (const { metadata } of madeForPool(corev1.secrets, key, namespace, cache))
    await deleteIfPresent(client, corev1.secrets, { namespace, name: metadata.name ?? '' }, { signal });
  await removeFinalizer(client, nodePools, pool, finalizers.hypershift.key).catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
  });
  return undefined;
}
