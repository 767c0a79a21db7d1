import type { corev1, KubeObject, ObjectKey, ResourceType } from '@hypershift-ts/kube-apimachinery';
import { appsv1, batchv1, corev1 as core, jsonEqual } from '@hypershift-ts/kube-apimachinery';
import type { InformerCache } from '@hypershift-ts/kube-client';
import { controller } from '@hypershift-ts/kube-controller';
import { isPodFinished } from '../workload/pod-state.ts';
import { writeStatus } from '../workload/status.ts';
import { quotaUsage } from './usage.ts';

/** Types whose number can be limited. */
const counted: readonly ResourceType<KubeObject>[] = [
  core.pods,
  core.services,
  core.persistentvolumeclaims,
  core.configmaps,
  core.secrets,
  core.replicationcontrollers,
  core.resourcequotas,
  appsv1.deployments,
  appsv1.replicasets,
  appsv1.statefulsets,
  batchv1.jobs,
  batchv1.cronjobs,
] as unknown as readonly ResourceType<KubeObject>[];

function countIn(cache: InformerCache, namespace: string): (resource: string) => number | undefined {
  return (resource) => {
    const type = counted.find((one) => resource === (one.group ? `${one.resource}.${one.group}` : one.resource));
    return type && cache.informer(type).list(namespace).length;
  };
}

function quotasOf({ metadata }: KubeObject, { cache }: { readonly cache: InformerCache }): readonly ObjectKey[] {
  const { namespace = '' } = metadata;
  return cache
    .informer(core.resourcequotas)
    .list(namespace)
    .map((quota) => ({ namespace, name: quota.metadata.name ?? '' }));
}

/** Numbers change with creation and deletion; amounts also when a pod ends. */
const comesAndGoes = {
  updated: (before: KubeObject, next: KubeObject) =>
    next.kind === 'Pod' ? isPodFinished(next as corev1.Pod) && !isPodFinished(before as corev1.Pod) : next.kind === 'Service',
};

/** Writes down how much of each quota is used. */
export const resourceQuotaController = controller<corev1.ResourceQuota, KubeObject[]>({
  name: 'resourcequota-controller',
  for: core.resourcequotas,
  watches: counted
    .filter(({ resource }) => resource !== 'resourcequotas')
    .map((type) => ({ type, predicate: comesAndGoes, map: quotasOf })),
  async reconcile(key, { cache, client }) {
    const quota = cache.get(core.resourcequotas, key);
    if (!quota || quota.metadata.deletionTimestamp) return;
    const namespace = key.namespace ?? '';
    const used = quotaUsage(quota.spec ?? {}, {
      pods: cache.list(core.pods, namespace),
      services: cache.list(core.services, namespace),
      claims: cache.list(core.persistentvolumeclaims, namespace),
      count: countIn(cache, namespace),
    });
    const hard = quota.spec?.hard ?? {};
    if (jsonEqual(quota.status?.hard ?? {}, hard) && jsonEqual(quota.status?.used ?? {}, used)) return;
    await writeStatus(client, core.resourcequotas, quota, { hard, used });
  },
});
