import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import { formatTime } from '@hypershift-ts/kube-apimachinery';

type Node = corev1.Node;
type Taint = corev1.Taint;
type Condition = corev1.NodeCondition;

const watched = ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure'];
const neverMessage = 'Kubelet never posted node status.';

/** The conditions of a node that has not been heard of for too long. */
export function unheardConditions(node: Node, now: number): readonly Condition[] {
  const time = formatTime(now);
  const live = node.status?.conditions ?? [];
  const updated = live.map((condition): Condition => {
    if (!watched.includes(condition.type) || condition.status === 'Unknown') return condition;
    return {
      ...condition,
      status: 'Unknown',
      reason: 'NodeStatusUnknown',
      message: 'Kubelet stopped posting node status.',
      lastTransitionTime: time,
    };
  });
  const missing = watched
    .filter((type) => !live.some((condition) => condition.type === type))
    .map(
      (type): Condition => ({
        type,
        status: 'Unknown',
        reason: 'NodeStatusNeverUpdated',
        message: neverMessage,
        lastHeartbeatTime: node.metadata.creationTimestamp ?? time,
        lastTransitionTime: time,
      }),
    );
  return [...updated, ...missing];
}

const prefix = 'node.kubernetes.io/';
const managed = new Set(
  [
    'not-ready',
    'unreachable',
    'memory-pressure',
    'disk-pressure',
    'pid-pressure',
    'network-unavailable',
    'unschedulable',
  ].map((name) => prefix + name),
);

/** The taints that a node's conditions and its `spec.unschedulable` call for. */
function conditionTaints({ spec, status }: Node): readonly Omit<Taint, 'timeAdded'>[] {
  const is = (type: string, value: string) =>
    status?.conditions?.some((condition) => condition.type === type && condition.status === value) ?? false;
  const taints: Omit<Taint, 'timeAdded'>[] = [];
  const add = (name: string, ...effects: string[]) => {
    for (const effect of effects) taints.push({ key: prefix + name, effect });
  };
  if (is('Ready', 'False')) add('not-ready', 'NoSchedule', 'NoExecute');
  if (is('Ready', 'Unknown')) add('unreachable', 'NoSchedule', 'NoExecute');
  if (is('MemoryPressure', 'True')) add('memory-pressure', 'NoSchedule');
  if (is('DiskPressure', 'True')) add('disk-pressure', 'NoSchedule');
  if (is('PIDPressure', 'True')) add('pid-pressure', 'NoSchedule');
  if (is('NetworkUnavailable', 'True')) add('network-unavailable', 'NoSchedule');
  if (spec?.unschedulable) add('unschedulable', 'NoSchedule');
  return taints;
}

/** All taints of the node with the managed ones as they should be; the same list when nothing changes. */
export function desiredTaints(node: Node, now: number): readonly Taint[] {
  const live = node.spec?.taints ?? [];
  const wanted = conditionTaints(node);
  const matches = (taint: Omit<Taint, 'timeAdded'>) => (other: Omit<Taint, 'timeAdded'>) =>
    other.key === taint.key && other.effect === taint.effect;
  const kept = live.filter((taint) => !managed.has(taint.key) || wanted.some(matches(taint)));
  const missing = wanted.filter((taint) => !live.some(matches(taint)));
  if (kept.length === live.length && missing.length === 0) return live;
  return [...kept, ...missing.map((taint) => ({ ...taint, timeAdded: formatTime(now) }))];
}
