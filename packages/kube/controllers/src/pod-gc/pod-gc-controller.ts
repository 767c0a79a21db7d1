import type { corev1, KubeObject } from '@hypershift-ts/kube-apimachinery';
import { corev1 as core, formatTime, isNotFound } from '@hypershift-ts/kube-apimachinery';
import type { InformerCache } from '@hypershift-ts/kube-client';
import type { Controller, ReconcileContext, ReconcileResult } from '@hypershift-ts/kube-controller';
import { controller, getIfPresent } from '@hypershift-ts/kube-controller';
import { perCluster } from '../workload/per-cluster.ts';
import { isPodFinished, olderFirst } from '../workload/pod-state.ts';
import { podsOnNode } from '../workload/pods-on-node.ts';

type Pod = corev1.Pod;

/** How long a node must be gone before its pods are given up. */
const quarantineMs = 40_000;
/** Not a node: the key under which finished pods are counted. */
const finishedPods = ' finished';

const missingSince = perCluster(() => new Map<string, number>());

/** Removes pods nobody else will: of vanished nodes, and finished ones beyond a number. */
export function podGcController(options: { readonly terminatedPodThreshold?: number } = {}): Controller {
  const threshold = options.terminatedPodThreshold ?? 12_500;

  async function reconcile({ name }: { readonly name: string }, context: ReconcileContext): Promise<ReconcileResult> {
    if (name === finishedPods) return collectFinished(context);
    const { cache, client, clock } = context;
    const since = missingSince(cache);
    if (cache.get(core.nodes, { name })) {
      since.delete(name);
      return undefined;
    }
    const pods = podsOnNode(cache, name);
    if (pods.length === 0) {
      since.delete(name);
      return undefined;
    }
    const now = clock.now();
    const first = since.get(name) ?? now;
    since.set(name, first);
    if (now - first < quarantineMs) return { requeueAfterMs: first + quarantineMs - now };
    if (await getIfPresent(client, core.nodes, { name })) return { requeueAfterMs: quarantineMs };
    since.delete(name);
    for (const pod of pods) await giveUp(pod, context);
    return undefined;
  }

  async function collectFinished(context: ReconcileContext): Promise<undefined> {
    const informer = context.cache.informer(core.pods);
    if (threshold <= 0 || informer.size <= threshold) return undefined;
    const finished = informer.list().filter(isPodFinished).sort(olderFirst);
    for (const pod of finished.slice(0, Math.max(0, finished.length - threshold))) await giveUp(pod, context);
    return undefined;
  }

  function keysOf(pod: KubeObject, { cache }: { readonly cache: InformerCache }) {
    const { spec } = pod as Pod;
    const keys = [];
    if (spec.nodeName && !cache.informer(core.nodes).get({ name: spec.nodeName })) keys.push({ name: spec.nodeName });
    if (cache.informer(core.pods).size > threshold && isPodFinished(pod as Pod)) keys.push({ name: finishedPods });
    return keys;
  }

  return controller<corev1.Node, [Pod]>({
    name: 'pod-garbage-collector-controller',
    for: { type: core.nodes, predicate: { created: () => false, updated: () => false } },
    watches: [
      {
        type: core.pods,
        predicate: { updated: (before, next) => before.spec.nodeName !== next.spec.nodeName || isPodFinished(next) },
        map: keysOf,
      },
    ],
    reconcile,
  });
}

/** Nobody is there to stop the containers, so the pod goes at once; until then its condition says why. */
async function giveUp(pod: Pod, { client, clock }: ReconcileContext): Promise<void> {
  const { namespace = '', name = '', uid } = pod.metadata;
  const key = { namespace, name };
  try {
    if (!isPodFinished(pod)) {
      const condition = {
        type: 'DisruptionTarget',
        status: 'True',
        reason: 'DeletionByPodGC',
        message: 'PodGC: node no longer exists',
        lastTransitionTime: formatTime(clock.now()),
      };
      const body = { metadata: { uid }, status: { phase: 'Failed', conditions: [condition] } };
      await client.patch(core.pods, key, { type: 'strategic', body }, { subresource: 'status' });
    }
    await client.delete(core.pods, key, { gracePeriodSeconds: 0, ...(uid ? { preconditions: { uid } } : {}) });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
