import { formatTime } from '@hypershift-ts/kube-apimachinery';
import { clipped } from './v1beta1.ts';
import type { ClusterStatusV1beta2Condition as Condition } from '../generated/capiv1beta1.ts';

/** The conditions that v1beta2 introduced, which v1beta1 objects carry under `status.v1beta2`. */

const longestMessage = 32_768;

export type NewState = Omit<Condition, 'lastTransitionTime' | 'observedGeneration'>;

export const newState = (type: string, status: Condition['status'], reason: string, message = ''): NewState => ({
  type,
  status,
  reason,
  message: clipped(message, longestMessage),
});

/** A condition that is normally False: `ScalingUp` or `NotScalingUp`, with a message while it holds. */
export function flagState(type: string, holds: boolean, message: string): NewState {
  return newState(type, holds ? 'True' : 'False', holds ? type : `Not${type}`, holds ? message : '');
}

export function withoutNew(conditions: readonly Condition[], type: string): readonly Condition[] {
  return conditions.some((condition) => condition.type === type)
    ? conditions.filter((condition) => condition.type !== type)
    : conditions;
}

/** The list with these conditions put in, in order of their type; the same list when nothing changed. */
export function withNewStates(
  conditions: readonly Condition[] | undefined,
  states: readonly NewState[],
  generation: number | undefined,
  nowMs: number,
): readonly Condition[] {
  const byType = new Map((conditions ?? []).map((condition) => [condition.type, condition]));
  let changed = false;
  for (const state of states) {
    const before = byType.get(state.type);
    const same = before?.status === state.status;
    if (
      same &&
      before.reason === state.reason &&
      before.message === state.message &&
      before.observedGeneration === generation
    ) {
      continue;
    }
    changed = true;
    byType.set(state.type, {
      ...state,
      ...(generation === undefined ? {} : { observedGeneration: generation }),
      lastTransitionTime: same ? before.lastTransitionTime : formatTime(nowMs),
    });
  }
  return changed ? [...byType.values()].sort((a, b) => (a.type < b.type ? -1 : 1)) : (conditions ?? []);
}
