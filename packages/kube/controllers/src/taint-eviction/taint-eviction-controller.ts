import type { corev1, ObjectKey } from '@hypershift-ts/kube-apimachinery';
import { corev1 as core, formatTime, isNotFound, jsonEqual } from '@hypershift-ts/kube-apimachinery';
import type { InformerCache } from '@hypershift-ts/kube-client';
import { controller } from '@hypershift-ts/kube-controller';
import { tolerates } from '../placement/taints.ts';
import { timeOf } from '../workload/pod-state.ts';
import { podsOnNode } from '../workload/pods-on-node.ts';

type Node = corev1.Node;
type Pod = corev1.Pod;
type Taint = corev1.Taint;

const evicting = ({ spec }: Node): readonly Taint[] =>
  (spec?.taints ?? []).filter(({ effect }) => effect === 'NoExecute');

/** When the pod must leave a node with these taints: a time, or never (undefined). */
export function evictionTime({ spec, metadata }: Pod, taints: readonly Taint[], now: number): number | undefined {
  let earliest: number | undefined;
  for (const taint of taints) {
    const tolerating = (spec.tolerations ?? []).filter((toleration) => tolerates(toleration, taint));
    if (tolerating.length === 0) return now;
    const limits = tolerating
      .map(({ tolerationSeconds }) => tolerationSeconds)
      .filter((seconds) => seconds !== undefined);
    // A toleration without a limit covers the taint for good, whatever the others say.
    if (limits.length < tolerating.length || limits.length === 0) continue;
    const since = Math.max(timeOf(taint.timeAdded) || now, timeOf(metadata.creationTimestamp));
    const due = since + Math.max(0, Math.min(...limits)) * 1000;
    if (earliest === undefined || due < earliest) earliest = due;
  }
  return earliest;
}

function podsOf(node: Node, { cache }: { readonly cache: InformerCache }): readonly ObjectKey[] {
  return podsOnNode(cache, node.metadata.name ?? '').map(keyOfPod);
}

const keyOfPod = ({ metadata }: Pod): ObjectKey => ({ namespace: metadata.namespace ?? '', name: metadata.name ?? '' });

/** Deletes pods from nodes whose NoExecute taints they do not tolerate, or no longer. */
export const taintEvictionController = controller<Pod, [Node]>({
  name: 'taint-eviction-controller',
  for: {
    type: core.pods,
    predicate: {
      created: ({ spec }: Pod) => spec.nodeName !== undefined,
      updated: (before: Pod, next: Pod) =>
        before.spec.nodeName !== next.spec.nodeName || !jsonEqual(before.spec.tolerations, next.spec.tolerations),
      deleted: () => false,
    },
  },
  watches: [
    {
      type: core.nodes,
      predicate: {
        created: (node: Node) => evicting(node).length > 0,
        updated: (before: Node, next: Node) => !jsonEqual(evicting(before), evicting(next)),
        deleted: () => false,
      },
      map: podsOf,
    },
  ],
  concurrency: 8,
  async reconcile(key, { cache, client, clock, events }) {
    const pod = cache.get(core.pods, key);
    const node = pod?.spec.nodeName ? cache.get(core.nodes, { name: pod.spec.nodeName }) : undefined;
    if (!pod || !node || pod.metadata.deletionTimestamp) return undefined;
    const taints = evicting(node);
    const now = clock.now();
    const due = taints.length > 0 ? evictionTime(pod, taints, now) : undefined;
    if (due === undefined) return undefined;
    if (due > now) return { requeueAfterMs: due - now };
    const { uid } = pod.metadata;
    const condition = {
      type: 'DisruptionTarget',
      status: 'True',
      reason: 'DeletionByTaintManager',
      message: 'Taint manager: deleting due to NoExecute taint',
      lastTransitionTime: formatTime(now),
    };
    try {
      events.normal(pod, 'TaintManagerEviction', `Marking for deletion Pod ${key.namespace}/${key.name}`);
      const body = { metadata: { uid }, status: { conditions: [condition] } };
      await client.patch(core.pods, key, { type: 'strategic', body }, { subresource: 'status' });
      await client.delete(core.pods, key, uid ? { preconditions: { uid } } : {});
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
    return undefined;
  },
});
