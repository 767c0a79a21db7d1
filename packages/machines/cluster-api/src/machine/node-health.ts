import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import { findCondition } from '@hypershift-ts/kube-apimachinery';
import { falseState, type State, trueState, unknownState } from '../conditions/v1beta1.ts';
import { type NewState, newState } from '../conditions/v1beta2.ts';

/** What a healthy node reports. */
const healthy = [
  ['Ready', 'True'],
  ['MemoryPressure', 'False'],
  ['DiskPressure', 'False'],
  ['PIDPressure', 'False'],
] as const;

/** `NodeHealthy` of v1beta1: a condition that the kubelet does not report counts against it only if it is Ready. */
export function oldNodeHealth({ status }: corev1.Node): State {
  const type = 'NodeHealthy';
  const wrong: string[] = [];
  let certain = false;
  for (const [name, good] of healthy) {
    const condition = findCondition(status?.conditions, name);
    if (!condition && name !== 'Ready') continue;
    const value = condition?.status ?? 'Unknown';
    if (value === good) continue;
    certain ||= value !== 'Unknown';
    wrong.push(`Node condition ${name} is ${value}`);
  }
  if (wrong.length === 0) return trueState(type);
  const message = wrong.join('. ');
  return certain
    ? falseState(type, 'NodeConditionsFailed', 'Warning', message)
    : unknownState(type, 'NodeConditionsFailed', message);
}

/** `NodeHealthy` of v1beta2: the kubelet must have reported everything. */
export function nodeHealth({ status }: corev1.Node): NewState {
  const said = new Set<string>();
  const lines: string[] = [];
  let [certain, reported] = [false, 0];
  for (const [name, good] of healthy) {
    const condition = findCondition(status?.conditions, name);
    if (condition?.status === good) continue;
    certain ||= condition !== undefined && condition.status !== 'Unknown';
    const message = condition ? condition.message || `Condition is ${condition.status}` : 'Condition not yet reported';
    if (condition) {
      reported++;
      said.add(message);
    }
    lines.push(`* Node.${name}: ${message}`);
  }
  if (lines.length === 0) return newState('NodeHealthy', 'True', 'NodeHealthy');
  // A kubelet that has gone silent makes all of them say the same.
  const message = reported > 1 && said.size === 1 ? `* Node.AllConditions: ${[...said].join()}` : lines.join('\n');
  return certain
    ? newState('NodeHealthy', 'False', 'NodeNotHealthy', message)
    : newState('NodeHealthy', 'Unknown', 'NodeHealthyUnknown', message);
}
