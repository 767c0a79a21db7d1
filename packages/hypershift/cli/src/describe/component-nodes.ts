import { type ControlPlaneComponent, labels } from '@hypershift-ts/hypershift-api';
import { type corev1, findCondition, isConditionTrue } from '@hypershift-ts/kube-apimachinery';
import { conditionDetail } from './condition-nodes.ts';
import { podNode } from './pod-nodes.ts';
import { type TreeNode, worstOf } from './tree.ts';

const waitsForOthers = 'WaitingForDependencies';
const failing = new Set(['ReconciliationError', 'JobFailed']);

/** Pods carry the name of their component, older ones as `app` only. */
function podsOf(component: ControlPlaneComponent, pods: readonly corev1.Pod[]): readonly corev1.Pod[] {
  const name = component.metadata.name ?? '';
  return pods.filter(({ metadata }) => {
    const named = metadata.labels?.[labels.controlPlaneComponent.key] ?? metadata.labels?.['app'];
    return named === name;
  });
}

/** A component with the pods that keep it back. */
export function componentNode(component: ControlPlaneComponent, pods: readonly corev1.Pod[]): TreeNode {
  const conditions = component.status?.conditions ?? [];
  const name = component.metadata.name ?? '';
  const kind = 'Component';
  const available = findCondition(conditions, 'Available');
  const rollout = findCondition(conditions, 'RolloutComplete');
  const version = component.status?.version;
  if (isConditionTrue(conditions, 'Available') && isConditionTrue(conditions, 'RolloutComplete'))
    return { kind, name, state: 'good', ...(version ? { detail: version } : {}) };
  const told = [available, rollout].find((one) => one?.status !== 'True' && one?.message) ?? rollout ?? available;
  if (rollout?.reason === waitsForOthers) return { kind, name, state: 'waiting', detail: rollout.message };
  const children = podsOf(component, pods)
    .map(podNode)
    .filter(({ state }) => state !== 'good');
  const isFailing =
    failing.has(rollout?.reason ?? '') || failing.has(available?.reason ?? '') || worstOf(children) === 'bad';
  return {
    kind,
    name,
    state: isFailing ? 'bad' : 'waiting',
    detail: told ? conditionDetail(told) : 'it reports nothing yet',
    ...(children.length > 0 ? { children } : {}),
  };
}

/** Whether a component only waits for others: then it is not the one to look at. */
export function isWaitingForOthers({ status }: ControlPlaneComponent): boolean {
  return findCondition(status?.conditions, 'RolloutComplete')?.reason === waitsForOthers;
}
