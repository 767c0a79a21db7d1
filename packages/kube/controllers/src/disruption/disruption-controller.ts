import type {
  appsv1,
  corev1,
  KubeObject,
  LabelSelector,
  ObjectKey,
  OwnerReference,
  policyv1,
} from '@hypershift-ts/kube-apimachinery';
import {
  appsv1 as apps,
  corev1 as core,
  formatTime,
  jsonEqual,
  parseApiVersion,
  policyv1 as policy,
} from '@hypershift-ts/kube-apimachinery';
import type { InformerCache } from '@hypershift-ts/kube-client';
import type { ReconcileContext, ReconcileResult } from '@hypershift-ts/kube-controller';
import { controller, controllerOf } from '@hypershift-ts/kube-controller';
import { scaledValue } from '../workload/int-or-percent.ts';
import { isPodActive, isPodFinished, isPodReady, timeOf } from '../workload/pod-state.ts';
import { selectorFor } from '../workload/selectors.ts';
import { writeStatus } from '../workload/status.ts';

type Budget = policyv1.PodDisruptionBudget;
type Pod = corev1.Pod;

/** An eviction that was allowed but has not deleted its pod by then is forgotten. */
const evictionTimeoutMs = 120_000;

export interface BudgetFacts {
  readonly pods: readonly Pod[];
  /** Sum of the sizes of the pods' owners, or why it is unknown; only percentages and maxUnavailable need it. */
  readonly scale: number | { readonly error: string };
  readonly now: number;
}

/** The status of a budget: how many of its pods may be evicted now. */
export function budgetStatus(budget: Budget, { pods, scale, now }: BudgetFacts): policyv1.PodDisruptionBudgetStatus {
  const { minAvailable, maxUnavailable } = budget.spec ?? {};
  const counted = pods.filter((pod) => !isPodFinished(pod));
  const disruptedPods = stillDisrupted(budget, counted, now);
  const currentHealthy = counted.filter(
    (pod) => isPodActive(pod) && isPodReady(pod) && disruptedPods[pod.metadata.name ?? ''] === undefined,
  ).length;
  let expectedPods = counted.length;
  let desiredHealthy: number | undefined;
  if (maxUnavailable !== undefined || typeof minAvailable === 'string') {
    if (typeof scale !== 'number') return failed(budget, scale.error, now);
    expectedPods = scale;
    desiredHealthy =
      maxUnavailable === undefined
        ? scaledValue(minAvailable, scale, 'up')
        : Math.max(0, scale - scaledValue(maxUnavailable, scale, 'up'));
  } else desiredHealthy = minAvailable ?? 0;
  const disruptionsAllowed = expectedPods <= 0 ? 0 : Math.max(0, currentHealthy - desiredHealthy);
  return {
    ...(Object.keys(disruptedPods).length > 0 ? { disruptedPods } : {}),
    observedGeneration: budget.metadata.generation ?? 0,
    disruptionsAllowed,
    currentHealthy,
    desiredHealthy,
    expectedPods,
    conditions: condition(budget, disruptionsAllowed > 0 ? 'SufficientPods' : 'InsufficientPods', '', now),
  };
}

function failed(budget: Budget, message: string, now: number): policyv1.PodDisruptionBudgetStatus {
  const counts = { currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 };
  return {
    ...counts,
    ...budget.status,
    disruptionsAllowed: 0,
    observedGeneration: budget.metadata.generation ?? 0,
    conditions: condition(budget, 'SyncFailed', message, now),
  };
}

function condition(budget: Budget, reason: string, message: string, now: number) {
  const status = reason === 'SufficientPods' ? 'True' : 'False';
  const before = budget.status?.conditions?.find(({ type }) => type === 'DisruptionAllowed');
  const lastTransitionTime = before?.status === status ? (before.lastTransitionTime ?? '') : formatTime(now);
  const observedGeneration = budget.metadata.generation ?? 0;
  return [{ type: 'DisruptionAllowed', status, reason, message, observedGeneration, lastTransitionTime } as const];
}

function stillDisrupted(budget: Budget, pods: readonly Pod[], now: number): Record<string, string> {
  const result: Record<string, string> = {};
  for (const [name, time] of Object.entries(budget.status?.disruptedPods ?? {})) {
    const pod = pods.find(({ metadata }) => metadata.name === name);
    if (pod && !pod.metadata.deletionTimestamp && timeOf(time) + evictionTimeoutMs > now) result[name] = time;
  }
  return result;
}

/** How many pods the owners of these pods want together. */
function scaleOf(pods: readonly Pod[], cache: InformerCache): BudgetFacts['scale'] {
  const sizes = new Map<string, number>();
  for (const pod of pods) {
    const owner = controllerOf(pod);
    if (!owner) return { error: `found no controller ref for pod "${pod.metadata.name}"` };
    if (sizes.has(owner.uid)) continue;
    const size = sizeOf(owner, pod.metadata.namespace ?? '', cache);
    if (!size) return { error: `found no controllers for pod "${pod.metadata.name}"` };
    sizes.set(size.uid, size.replicas);
  }
  return [...sizes.values()].reduce((sum, size) => sum + size, 0);
}

function sizeOf(
  owner: OwnerReference,
  namespace: string,
  cache: InformerCache,
): { uid: string; replicas: number } | undefined {
  const { group } = parseApiVersion(owner.apiVersion);
  const key = { namespace, name: owner.name };
  if (group === 'apps' && owner.kind === 'ReplicaSet') {
    const set = cache.get(apps.replicasets, key);
    const parent = set && controllerOf(set);
    const deployment =
      parent?.kind === 'Deployment' ? cache.get(apps.deployments, { namespace, name: parent.name }) : undefined;
    if (deployment && parent) return { uid: parent.uid, replicas: deployment.spec.replicas ?? 1 };
    return set && { uid: owner.uid, replicas: set.spec.replicas ?? 1 };
  }
  if (group === 'apps' && owner.kind === 'StatefulSet') {
    const set = cache.get(apps.statefulsets, key);
    return set && { uid: owner.uid, replicas: set.spec.replicas ?? 1 };
  }
  if (group === '' && owner.kind === 'ReplicationController') {
    const set = cache.get(core.replicationcontrollers, key);
    return set && { uid: owner.uid, replicas: set.spec?.replicas ?? 1 };
  }
  return undefined;
}

async function reconcile(key: ObjectKey, { cache, client, clock, events }: ReconcileContext): Promise<ReconcileResult> {
  const budget = cache.get(policy.poddisruptionbudgets, key);
  if (!budget || budget.metadata.deletionTimestamp) return undefined;
  const selector = selectorFor(budget.spec?.selector as LabelSelector | undefined);
  const pods = cache.list(core.pods, key.namespace).filter(({ metadata }) => selector.matches(metadata.labels));
  if (pods.length === 0) events.normal(budget, 'NoPods', 'No matching pods found');
  const now = clock.now();
  const status = budgetStatus(budget, { pods, scale: scaleOf(pods, cache), now });
  const failure = status.conditions?.find(({ reason }) => reason === 'SyncFailed');
  if (failure)
    events.warning(
      budget,
      'CalculateExpectedPodCountFailed',
      `Failed to calculate the number of expected pods: ${failure.message}`,
    );
  await writeStatus(client, policy.poddisruptionbudgets, budget, status);
  const times = Object.values(status.disruptedPods ?? {}).map(timeOf);
  return times.length > 0 ? { requeueAfterMs: Math.max(1, Math.min(...times) + evictionTimeoutMs - now) } : undefined;
}

/** What only allows more disruptions may be met together: new budgets, and pods that come or become ready. */
const moreGatherMs = 1_000;

const isHealthy = (pod: Pod): boolean => isPodReady(pod) && isPodActive(pod);

function podMatters(before: Pod, next: Pod): boolean {
  return (
    isPodReady(before) !== isPodReady(next) ||
    isPodActive(before) !== isPodActive(next) ||
    !jsonEqual(before.metadata.labels ?? {}, next.metadata.labels ?? {}) ||
    !jsonEqual(before.metadata.ownerReferences ?? [], next.metadata.ownerReferences ?? [])
  );
}

function budgetsOf(pod: KubeObject, { cache }: { readonly cache: InformerCache }): readonly ObjectKey[] {
  const { namespace = '', labels } = pod.metadata;
  return cache
    .informer(policy.poddisruptionbudgets)
    .list(namespace)
    .filter(({ spec }) => selectorFor(spec?.selector as LabelSelector | undefined).matches(labels))
    .map(({ metadata }) => ({ namespace, name: metadata.name ?? '' }));
}

/** A scaled owner changes what its pods' budgets expect. */
function budgetsOfOwner(
  owner: KubeObject & { spec?: unknown },
  context: { readonly cache: InformerCache },
): readonly ObjectKey[] {
  const template = (owner.spec as { template?: corev1.PodTemplateSpec } | undefined)?.template;
  const { namespace = '' } = owner.metadata;
  const labels = template?.metadata?.labels;
  return labels ? budgetsOf({ apiVersion: 'v1', kind: 'Pod', metadata: { namespace, labels } }, context) : [];
}

const replicasChanged = {
  created: () => false,
  updated: (before: KubeObject, next: KubeObject) => before.metadata.generation !== next.metadata.generation,
};

/** Keeps the numbers by which the eviction API decides. */
export const disruptionController = controller<
  Budget,
  [Pod, appsv1.Deployment, appsv1.ReplicaSet, appsv1.StatefulSet, corev1.ReplicationController]
>({
  name: 'disruption-controller',
  for: { type: policy.poddisruptionbudgets, gatherMsOf: (_budget, before) => (before ? 0 : moreGatherMs) },
  watches: [
    {
      type: core.pods,
      predicate: { updated: podMatters },
      gatherMsOf: (pod, before) => (before && isHealthy(before) && !isHealthy(pod) ? 0 : moreGatherMs),
      map: budgetsOf,
    },
    { type: apps.deployments, predicate: replicasChanged, map: budgetsOfOwner },
    { type: apps.replicasets, predicate: replicasChanged, map: budgetsOfOwner },
    { type: apps.statefulsets, predicate: replicasChanged, map: budgetsOfOwner },
    { type: core.replicationcontrollers, predicate: replicasChanged, map: budgetsOfOwner },
  ],
  reconcile,
});
