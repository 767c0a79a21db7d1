import type { appsv1, corev1 } from '@hypershift-ts/kube-apimachinery';
import { podRevisionLabel } from '../history/revisions.ts';
import { scaledValue } from '../workload/int-or-percent.ts';
import { isPodAvailable, isPodReady, olderFirst } from '../workload/pod-state.ts';
import { fitsNode, nodeOfPod } from './placement.ts';

type DaemonSet = appsv1.DaemonSet;
type Node = corev1.Node;
type Pod = corev1.Pod;

export interface DaemonFacts {
  readonly set: DaemonSet;
  readonly nodes: readonly Node[];
  readonly pods: readonly Pod[];
  /** Label value of pods of the present template. */
  readonly hash: string;
  readonly now: number;
}

export interface DaemonPlan {
  readonly create: readonly string[];
  readonly delete: readonly Pod[];
  /** Of those to delete: pods that failed by themselves. */
  readonly failed: readonly Pod[];
}

const isCurrent = (pod: Pod, hash: string): boolean => pod.metadata.labels?.[podRevisionLabel] === hash;

function podsByNode(pods: readonly Pod[]): ReadonlyMap<string, readonly Pod[]> {
  const result = new Map<string, Pod[]>();
  for (const pod of pods) {
    const node = nodeOfPod(pod);
    if (node === undefined) continue;
    const list = result.get(node);
    if (list) list.push(pod);
    else result.set(node, [pod]);
  }
  return result;
}

/** One daemon on every node that should have one, and none elsewhere. */
export function planPlacement({ set, nodes, pods, hash, now }: DaemonFacts): DaemonPlan {
  const byNode = podsByNode(pods);
  const create: string[] = [];
  const remove: Pod[] = [];
  const failed: Pod[] = [];
  const surge = rollingLimits(set, nodes.length).surge > 0;
  for (const node of nodes) {
    const name = node.metadata.name ?? '';
    const here = byNode.get(name) ?? [];
    const { run, stay } = fitsNode(set, node);
    if (run && here.length === 0) create.push(name);
    else if (!stay) remove.push(...here.filter(({ metadata }) => !metadata.deletionTimestamp));
    else {
      const broken = here.filter(({ status, metadata }) => status?.phase === 'Failed' && !metadata.deletionTimestamp);
      failed.push(...broken);
      const good = here.filter((pod) => !pod.metadata.deletionTimestamp && !broken.includes(pod)).sort(olderFirst);
      remove.push(...surplus(good, surge, hash, set.spec.minReadySeconds ?? 0, now));
    }
  }
  const known = new Set(nodes.map(({ metadata }) => metadata.name));
  for (const [node, here] of byNode) {
    // Scheduled pods of vanished nodes are the pod garbage collector's; these will never be scheduled.
    if (!known.has(node))
      remove.push(...here.filter(({ spec, metadata }) => !spec.nodeName && !metadata.deletionTimestamp));
  }
  return { create, delete: [...remove, ...failed], failed };
}

/** Which of several daemons on one node must go; while surging, an old one may stay beside a new one that is not up. */
function surplus(
  good: readonly Pod[],
  surge: boolean,
  hash: string,
  minReadySeconds: number,
  now: number,
): readonly Pod[] {
  if (good.length <= 1) return [];
  if (!surge) return good.slice(1);
  const fresh = good.filter((pod) => isCurrent(pod, hash));
  const old = good.filter((pod) => !isCurrent(pod, hash));
  const up = fresh.some((pod) => isPodAvailable(pod, minReadySeconds, now));
  const oldUp = old.some((pod) => isPodAvailable(pod, minReadySeconds, now));
  if (fresh.length === 0) return old.slice(1);
  return [...fresh.slice(1), ...(up || !oldUp ? old : old.slice(1))];
}

function rollingLimits({ spec }: DaemonSet, wanted: number) {
  const { maxSurge, maxUnavailable } = spec.updateStrategy?.rollingUpdate ?? {};
  const surge = scaledValue(maxSurge ?? 0, wanted, 'up');
  const unavailable = scaledValue(maxUnavailable ?? (surge > 0 ? 0 : 1), wanted, 'up');
  return surge === 0 && unavailable === 0 ? { surge, unavailable: 1 } : { surge, unavailable };
}

/** The next old daemons to replace without taking more nodes down than allowed. */
export function planRollingUpdate(facts: DaemonFacts): {
  readonly create: readonly string[];
  readonly delete: readonly Pod[];
} {
  const { set, nodes, pods, hash, now } = facts;
  const byNode = podsByNode(pods);
  const wanted = nodes.filter((node) => fitsNode(set, node).run);
  const { surge, unavailable: maxUnavailable } = rollingLimits(set, wanted.length);
  const available = (pod: Pod) =>
    !pod.metadata.deletionTimestamp && isPodAvailable(pod, set.spec.minReadySeconds ?? 0, now);
  if (surge > 0) return surgeUpdate(wanted, byNode, hash, surge, available);
  let unavailable = 0;
  const free: Pod[] = [];
  const costly: Pod[] = [];
  for (const node of wanted) {
    const here = byNode.get(node.metadata.name ?? '') ?? [];
    const fresh = here.find((pod) => isCurrent(pod, hash) && !pod.metadata.deletionTimestamp);
    const old = here.find((pod) => !isCurrent(pod, hash) && !pod.metadata.deletionTimestamp);
    if (!here.some(available)) unavailable++;
    if (!old || fresh) continue;
    if (available(old)) costly.push(old);
    else free.push(old);
  }
  return { create: [], delete: [...free, ...costly.slice(0, Math.max(0, maxUnavailable - unavailable))] };
}

function surgeUpdate(
  wanted: readonly Node[],
  byNode: ReadonlyMap<string, readonly Pod[]>,
  hash: string,
  surge: number,
  available: (pod: Pod) => boolean,
): { readonly create: readonly string[]; readonly delete: readonly Pod[] } {
  let surging = 0;
  const remove: Pod[] = [];
  const candidates: string[] = [];
  for (const node of wanted) {
    const name = node.metadata.name ?? '';
    const here = byNode.get(name) ?? [];
    const fresh = here.find((pod) => isCurrent(pod, hash) && !pod.metadata.deletionTimestamp);
    const old = here.find((pod) => !isCurrent(pod, hash));
    if (!old) continue;
    if (fresh) {
      surging++;
      if (available(fresh) && !old.metadata.deletionTimestamp) remove.push(old);
    } else if (!old.metadata.deletionTimestamp) candidates.push(name);
  }
  return { create: candidates.slice(0, Math.max(0, surge - surging)), delete: remove };
}

export function daemonStatus(facts: DaemonFacts): appsv1.DaemonSetStatus {
  const { set, nodes, pods, hash, now } = facts;
  const byNode = podsByNode(pods);
  const counts = { desired: 0, current: 0, misscheduled: 0, ready: 0, updated: 0, available: 0 };
  for (const node of nodes) {
    const here = byNode.get(node.metadata.name ?? '') ?? [];
    if (!fitsNode(set, node).run) {
      if (here.length > 0) counts.misscheduled++;
      continue;
    }
    counts.desired++;
    if (here.length === 0) continue;
    counts.current++;
    const [oldest] = [...here].sort(olderFirst);
    const pod = here.find((one) => isCurrent(one, hash)) ?? oldest;
    if (here.some((one) => isPodReady(one))) counts.ready++;
    if (here.some((one) => isPodAvailable(one, set.spec.minReadySeconds ?? 0, now))) counts.available++;
    if (pod && isCurrent(pod, hash)) counts.updated++;
  }
  const { collisionCount, conditions } = set.status ?? {};
  const status: Record<string, unknown> = {
    currentNumberScheduled: counts.current,
    numberMisscheduled: counts.misscheduled,
    desiredNumberScheduled: counts.desired,
    numberReady: counts.ready,
    observedGeneration: set.metadata.generation ?? 0,
  };
  if (counts.updated) status['updatedNumberScheduled'] = counts.updated;
  if (counts.available) status['numberAvailable'] = counts.available;
  if (counts.desired - counts.available) status['numberUnavailable'] = counts.desired - counts.available;
  if (collisionCount) status['collisionCount'] = collisionCount;
  if (conditions) status['conditions'] = conditions;
  return status as unknown as appsv1.DaemonSetStatus;
}
