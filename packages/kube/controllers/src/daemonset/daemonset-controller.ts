import type { appsv1, corev1, KubeObject, LabelSelector, ObjectKey } from '@hypershift-ts/kube-apimachinery';
import { appsv1 as apps, corev1 as core, jsonEqual } from '@hypershift-ts/kube-apimachinery';
import type { InformerCache, NewObject } from '@hypershift-ts/kube-client';
import type { ReconcileContext, ReconcileResult } from '@hypershift-ts/kube-controller';
import { controller, controllerOf, ownersOfType } from '@hypershift-ts/kube-controller';
import {
  ensureRevision,
  hashLabel,
  podRevisionLabel,
  RevisionCollision,
  revisionsOf,
  trimRevisions,
} from '../history/revisions.ts';
import { claim } from '../workload/claim.ts';
import { Expectations } from '../workload/expectations.ts';
import { perCluster } from '../workload/per-cluster.ts';
import type { PodWrites } from '../workload/pod-control.ts';
import { createPod, deletePod, isNamespaceTerminating } from '../workload/pod-control.ts';
import { nextAvailableIn } from '../workload/pod-state.ts';
import { podFromTemplate } from '../workload/pod-template.ts';
import { selectorFor } from '../workload/selectors.ts';
import { slowStart } from '../workload/slow-start.ts';
import { writeStatus } from '../workload/status.ts';
import { FailureBackOff } from './failure-back-off.ts';
import { fitsNode, specForNode } from './placement.ts';
import type { DaemonFacts } from './plan.ts';
import { daemonStatus, planPlacement, planRollingUpdate } from './plan.ts';

type DaemonSet = appsv1.DaemonSet;
type Pod = corev1.Pod;

const expectationsOf = perCluster(() => new Expectations());
const backOffsOf = perCluster(() => new FailureBackOff());
const fallbackMs = 5_000;
const burst = 250;

async function reconcile(key: ObjectKey, context: ReconcileContext): Promise<ReconcileResult> {
  const { cache, client, clock } = context;
  const expectations = expectationsOf(cache);
  const id = `${key.namespace}/${key.name}`;
  const set = cache.get(apps.daemonsets, key);
  if (!set) {
    expectations.forget(id);
    return undefined;
  }
  const informer = cache.informer(core.pods);
  if (!expectations.satisfied(id, informer)) return { requeueAfterMs: fallbackMs };
  const selector = selectorFor(set.spec.selector as LabelSelector);
  const owner = { type: apps.daemonsets, object: set };
  const pods = await claim(client, owner, { type: core.pods, informer }, selector);
  if (set.metadata.deletionTimestamp) return undefined;
  const revisions = revisionsOf(cache, set);
  const latest = await currentRevision(set, revisions, context);
  const hash = latest.metadata.labels?.[hashLabel] ?? '';
  const facts: DaemonFacts = { set, nodes: cache.list(core.nodes), pods, hash, now: clock.now() };
  const backOff = await manage(facts, { key: id, owner: set, expectations, context }, backOffsOf(cache));
  await writeStatus(client, apps.daemonsets, set, daemonStatus(facts));
  const used = new Set(pods.map((pod) => `${set.metadata.name}-${pod.metadata.labels?.[podRevisionLabel]}`));
  used.add(latest.metadata.name ?? '');
  await trimRevisions(client, revisions, used, set.spec.revisionHistoryLimit ?? 10);
  const waits = [backOff, nextAvailableIn(pods, set.spec.minReadySeconds ?? 0, clock.now())];
  const known = waits.filter((wait) => wait !== undefined);
  return known.length > 0 ? { requeueAfterMs: Math.min(...known) } : undefined;
}

/** Makes the pods what they should be; answers when pods that failed again and again are replaced. */
async function manage(facts: DaemonFacts, writes: PodWrites, backOff: FailureBackOff): Promise<number | undefined> {
  const { set, now } = facts;
  const full = planPlacement(facts);
  const held = full.failed.map((pod) => ({
    pod,
    wait: backOff.waitFor(`${writes.key}/${pod.spec.nodeName}`, pod, now),
  }));
  const early = new Set(held.filter(({ wait }) => wait > 0).map(({ pod }) => pod));
  const plan = { ...full, delete: full.delete.filter((pod) => !early.has(pod)) };
  for (const pod of full.failed) {
    if (early.has(pod)) continue;
    const text = `Found failed daemon pod ${pod.metadata.namespace}/${pod.metadata.name} on node ${pod.spec.nodeName}, will try to kill it`;
    writes.context.events.warning(set, 'FailedDaemonPod', text);
  }
  await carryOut(facts, plan, writes);
  const rolling = (set.spec.updateStrategy?.type ?? 'RollingUpdate') === 'RollingUpdate';
  if (rolling && plan.create.length + plan.delete.length === 0) await carryOut(facts, planRollingUpdate(facts), writes);
  return early.size > 0 ? Math.min(...held.map(({ wait }) => wait).filter((wait) => wait > 0)) : undefined;
}

async function carryOut(
  { set, hash }: DaemonFacts,
  plan: { readonly create: readonly string[]; readonly delete: readonly Pod[] },
  writes: PodWrites,
): Promise<void> {
  const create = plan.create.slice(0, burst);
  const { error } = await slowStart(create.length, async (index) => {
    await createPod(writes, podForNode(set, create[index] ?? '', hash));
  });
  await Promise.all(plan.delete.map((pod) => deletePod(writes, pod)));
  if (error !== undefined && !isNamespaceTerminating(error)) throw error;
}

function podForNode(set: DaemonSet, node: string, hash: string): NewObject<Pod> {
  const pod = podFromTemplate(apps.daemonsets, set, set.spec.template);
  const generation = set.metadata.annotations?.['deprecated.daemonset.template.generation'];
  const labels = {
    ...pod.metadata.labels,
    [podRevisionLabel]: hash,
    ...(generation ? { 'pod-template-generation': generation } : {}),
  };
  return { ...pod, metadata: { ...pod.metadata, labels }, spec: specForNode(set, node) };
}

async function currentRevision(
  set: DaemonSet,
  revisions: readonly appsv1.ControllerRevision[],
  { client }: ReconcileContext,
): Promise<appsv1.ControllerRevision> {
  const { collisionCount } = set.status ?? {};
  try {
    const owner = { type: apps.daemonsets, object: set, template: set.spec.template, collisionCount };
    return await ensureRevision(client, owner, revisions);
  } catch (error) {
    if (error instanceof RevisionCollision && set.status) {
      await writeStatus(client, apps.daemonsets, set, { ...set.status, collisionCount: (collisionCount ?? 0) + 1 });
    }
    throw error;
  }
}

function keysOf(pod: KubeObject, { cache }: { readonly cache: InformerCache }): readonly ObjectKey[] {
  if (controllerOf(pod)) return ownersOfType(pod, apps.daemonsets);
  const { namespace = '', labels } = pod.metadata;
  return cache
    .informer(apps.daemonsets)
    .list(namespace)
    .filter(({ spec }) => selectorFor(spec.selector as LabelSelector).matches(labels))
    .map(({ metadata }) => ({ namespace, name: metadata.name ?? '' }));
}

/** Heartbeats of nodes concern no daemon; labels, taints and names do. */
function nodeMatters(before: corev1.Node, next: corev1.Node): boolean {
  return (
    !jsonEqual(before.metadata.labels ?? {}, next.metadata.labels ?? {}) ||
    !jsonEqual(before.spec?.taints ?? [], next.spec?.taints ?? []) ||
    before.spec?.unschedulable !== next.spec?.unschedulable
  );
}

/** Runs one pod on every node that should have it. */
export const daemonSetController = controller<DaemonSet, [Pod, corev1.Node, KubeObject]>({
  name: 'daemonset-controller',
  for: apps.daemonsets,
  watches: [
    { type: core.pods, map: keysOf },
    {
      type: core.nodes,
      predicate: { updated: nodeMatters },
      map: (node, { cache }) =>
        cache
          .informer(apps.daemonsets)
          .list()
          .filter((set) => fitsNode(set, node).stay || fitsNode(set, node).run || hasPodOn(set, node, cache))
          .map(({ metadata }) => ({ namespace: metadata.namespace ?? '', name: metadata.name ?? '' })),
    },
    { type: apps.controllerrevisions, map: (object) => ownersOfType(object, apps.daemonsets) },
  ],
  concurrency: 2,
  reconcile,
});

function hasPodOn(set: DaemonSet, node: corev1.Node, cache: InformerCache): boolean {
  const pods = cache.informer(core.pods).ownedBy(set.metadata.uid ?? '');
  return pods.some(({ spec }) => spec.nodeName === node.metadata.name);
}
