import type { corev1, KubeObject, ObjectKey } from '@hypershift-ts/kube-apimachinery';
import { corev1 as core, errorMessage, jsonEqual, parseKey } from '@hypershift-ts/kube-apimachinery';
import type { InformerCache } from '@hypershift-ts/kube-client';
import type { Controller, ReconcileContext } from '@hypershift-ts/kube-controller';
import { controller, controllerOf, ownersOfType } from '@hypershift-ts/kube-controller';
import { claim } from '../workload/claim.ts';
import { podsToDelete } from '../workload/deletion-order.ts';
import { Expectations } from '../workload/expectations.ts';
import { perCluster } from '../workload/per-cluster.ts';
import { createPod, deletePod, isNamespaceTerminating } from '../workload/pod-control.ts';
import { isPodActive, isPodTerminating, nextAvailableIn, readySince } from '../workload/pod-state.ts';
import { podFromTemplate } from '../workload/pod-template.ts';
import { selectorFor } from '../workload/selectors.ts';
import { slowStart } from '../workload/slow-start.ts';
import type { WithStatus } from '../workload/status.ts';
import { isOwnStatus, writeStatus } from '../workload/status.ts';
import type { ReplicaKind, ReplicaStatus } from './replica-owner.ts';
import { replicaSetKind, replicationControllerKind } from './replica-owner.ts';
import type { ReplicaFacts } from './replica-status.ts';
import { replicaStatus } from './replica-status.ts';

type Pod = corev1.Pod;

/** Pods created or deleted in one go; the rest follows in the next reconcile. */
const burst = 500;
const fallbackMs = 5_000;

/** Keeps as many pods as its kind asks for. */
function replicaController<T extends WithStatus>(kind: ReplicaKind<T>): Controller {
  const expectationsOf = perCluster(() => new Expectations());

  async function reconcile(key: ObjectKey, context: ReconcileContext) {
    const { cache, clock } = context;
    const expectations = expectationsOf(cache);
    const id = `${key.namespace}/${key.name}`;
    const owner = cache.get(kind.type, key);
    if (!owner) return expectations.forget(id);
    const informer = cache.informer(core.pods);
    if (!expectations.satisfied(id, informer)) return { requeueAfterMs: fallbackMs };
    const selector = selectorFor(kind.selector(owner));
    const pods = await claim(
      context.client,
      { type: kind.type, object: owner },
      { type: core.pods, informer },
      selector,
    );
    const found = pods.filter(isPodActive);
    const { created = [], failure } = owner.metadata.deletionTimestamp
      ? {}
      : await scale(owner, found, expectations, context);
    // New pods count from the start: the write that says so need not be followed by one when the cache shows them.
    const active = [...found, ...created];
    const minReadySeconds = kind.minReadySeconds(owner);
    const status = replicaStatus(kind.status(owner), {
      active,
      terminating: pods.filter(isPodTerminating).length,
      templateLabels: kind.template(owner)?.metadata?.labels ?? {},
      minReadySeconds,
      generation: owner.metadata.generation,
      failure,
      now: clock.now(),
    });
    await writeStatus(context.client, kind.type, owner, status as ReplicaStatus & NonNullable<T['status']>);
    if (failure) throw new Error(failure.message);
    const wait = nextAvailableIn(active, minReadySeconds, clock.now());
    return wait === undefined ? undefined : { requeueAfterMs: wait };
  }

  /** Creates or deletes what is missing or too much, and answers what came of it. */
  async function scale(
    owner: T,
    active: readonly Pod[],
    expectations: Expectations,
    context: ReconcileContext,
  ): Promise<{ readonly created?: readonly Pod[]; readonly failure?: ReplicaFacts['failure'] }> {
    const template = kind.template(owner);
    const missing = kind.replicas(owner) - active.length;
    if (missing === 0 || !template) return {};
    const key = `${owner.metadata.namespace}/${owner.metadata.name}`;
    const writes = { key, owner, expectations, context };
    if (missing > 0) {
      const pod = podFromTemplate(kind.type, owner, template);
      const created: Pod[] = [];
      const create = async () => void created.push(await createPod(writes, pod));
      const { error } = await slowStart(Math.min(missing, burst), create);
      if (error === undefined || isNamespaceTerminating(error)) return { created };
      return { created, failure: { reason: 'FailedCreate', message: errorMessage(error) } };
    }
    const surplus = podsToDelete(active, relatedPods(owner, active, context.cache), Math.min(-missing, burst));
    const results = await Promise.allSettled(surplus.map((pod) => deletePod(writes, pod)));
    const failed = results.find((result) => result.status === 'rejected');
    return failed ? { failure: { reason: 'FailedDelete', message: errorMessage(failed.reason) } } : {};
  }

  /** Pods of every owner that shares the controller (an old and a new ReplicaSet of one Deployment). */
  function relatedPods(owner: T, active: readonly Pod[], cache: InformerCache): readonly Pod[] {
    const parent = controllerOf(owner);
    if (!parent) return active;
    const pods = cache.informer(core.pods);
    const related: Pod[] = [];
    for (const sibling of cache.informer(kind.type).ownedBy(parent.uid)) {
      if (sibling.metadata.uid) related.push(...pods.ownedBy(sibling.metadata.uid).filter(isPodActive));
    }
    return related;
  }

  /** Whom a changed pod concerns: its controller, or whoever might adopt it. */
  function keysOf(pod: KubeObject, { cache }: { readonly cache: InformerCache }): readonly ObjectKey[] {
    if (controllerOf(pod)) return ownersOfType(pod, kind.type);
    if (pod.metadata.deletionTimestamp) return [];
    return cache
      .informer(kind.type)
      .list(pod.metadata.namespace ?? '')
      .filter((owner) => selectorFor(kind.selector(owner)).matches(pod.metadata.labels))
      .map((owner) => parseKey(`${owner.metadata.namespace}/${owner.metadata.name}`));
  }

  return controller<T, [Pod]>({
    name: kind.controllerName,
    for: { type: kind.type, predicate: { updated: (before, next) => !isOwnStatus(before, next) } },
    watches: [{ type: core.pods, predicate: { updated: isCountedAnew }, map: keysOf }],
    concurrency: 5,
    reconcile,
  });
}

/** Whether a pod's change can be seen in the counts of its owner, or make it somebody else's. */
function isCountedAnew(before: Pod, next: Pod): boolean {
  return (
    !Object.is(readySince(before), readySince(next)) ||
    isPodActive(before) !== isPodActive(next) ||
    isPodTerminating(before) !== isPodTerminating(next) ||
    !jsonEqual(before.metadata.labels ?? {}, next.metadata.labels ?? {}) ||
    !jsonEqual(before.metadata.ownerReferences ?? [], next.metadata.ownerReferences ?? [])
  );
}

export const replicaSetController = replicaController(replicaSetKind);
export const replicationControllerController = replicaController(replicationControllerKind);
