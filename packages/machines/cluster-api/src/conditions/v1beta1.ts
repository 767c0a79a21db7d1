import { formatTime } from '@hypershift-ts/kube-apimachinery';
import type { ClusterStatusCondition as Condition } from '../generated/capiv1beta1.ts';

/** The conditions of the v1beta1 contract: a severity when False, and a transition time that moves with every change. */

export type Severity = 'Error' | 'Warning' | 'Info';
export type State = Omit<Condition, 'lastTransitionTime'>;

export const trueState = (type: string): State => ({ type, status: 'True' });

export function falseState(type: string, reason: string, severity: Severity, message = ''): State {
  return { type, status: 'False', reason, severity, ...(message === '' ? {} : { message }) };
}

export function unknownState(type: string, reason: string, message = ''): State {
  return { type, status: 'Unknown', reason, ...(message === '' ? {} : { message }) };
}

const sameState = (a: State, b: State) =>
  a.status === b.status &&
  (a.reason ?? '') === (b.reason ?? '') &&
  (a.severity ?? '') === (b.severity ?? '') &&
  (a.message ?? '') === (b.message ?? '');

const longestMessage = 10_240;
const longestReason = 256;

/** As the schema stores it: nothing empty, nothing endless. */
function storable({ type, status, reason, severity, message }: State): State {
  return {
    type,
    status,
    ...(reason ? { reason: reason.slice(0, longestReason) } : {}),
    ...(severity ? { severity } : {}),
    ...(message ? { message: clipped(message, longestMessage) } : {}),
  };
}

/** A text that says when it has been cut. */
export function clipped(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 3)}...`;
}

/** Ready first, the others by name. */
const inOrder = (a: Condition, b: Condition) =>
  a.type === b.type ? 0 : a.type === 'Ready' ? -1 : b.type === 'Ready' ? 1 : a.type < b.type ? -1 : 1;

/** The list with these states put in; the same list when all of them are as they were. `undefined` removes nothing. */
export function withStates(
  conditions: readonly Condition[] | undefined,
  states: readonly (State | undefined)[],
  nowMs: number,
): readonly Condition[] {
  const byType = new Map((conditions ?? []).map((condition) => [condition.type, condition]));
  let changed = false;
  for (const wanted of states) {
    if (!wanted) continue;
    const state = storable(wanted);
    const before = byType.get(state.type);
    if (before && sameState(before, state)) continue;
    changed = true;
    byType.set(state.type, { ...state, lastTransitionTime: formatTime(nowMs) });
  }
  return changed ? [...byType.values()].sort(inOrder) : (conditions ?? []);
}

export function without(conditions: readonly Condition[] | undefined, type: string): readonly Condition[] {
  const list = conditions ?? [];
  return list.some((condition) => condition.type === type) ? list.filter((condition) => condition.type !== type) : list;
}

/** False beats True beats Unknown, and among the False ones the severest. */
function rank({ status, severity }: State): number {
  if (status === 'False') return severity === 'Error' ? 0 : severity === 'Warning' ? 1 : 2;
  return status === 'True' ? 3 : 4;
}

export interface SummaryOptions {
  /** Which conditions count, the most telling first. */
  readonly of: readonly string[];
  /** Say `x of y completed` as long as no other condition than these is present. */
  readonly stepCounter?: readonly string[] | undefined;
}

/** One condition that stands for several of the same object; undefined when none of them is there. */
export function summary(type: string, conditions: readonly State[], options: SummaryOptions): State | undefined {
  const present = options.of.flatMap((name) => conditions.find((condition) => condition.type === name) ?? []);
  const [worst] = present.toSorted((a, b) => rank(a) - rank(b));
  if (!worst) return undefined;
  if (worst.status === 'True') return trueState(type);
  const { stepCounter } = options;
  const counts = stepCounter && present.every((condition) => stepCounter.includes(condition.type));
  const completed = present.filter((condition) => condition.status === 'True').length;
  return {
    ...worst,
    type,
    message: counts ? `${completed} of ${stepCounter.length} completed` : (worst.message ?? ''),
  };
}

/** One condition that stands for the same one of many objects, whose kind and name its reason tells. */
export function aggregate(
  type: string,
  objects: readonly { readonly kind: string; readonly name: string; readonly state: State | undefined }[],
): State | undefined {
  let worst: (typeof objects)[number] | undefined;
  let completed = 0;
  for (const object of objects) {
    if (!object.state) continue;
    if (object.state.status === 'True') completed++;
    if (!worst?.state || rank(object.state) < rank(worst.state)) worst = object;
  }
  if (!worst?.state) return undefined;
  if (worst.state.status === 'True') return trueState(type);
  const { reason = '', status, severity } = worst.state;
  return {
    type,
    status,
    ...(severity ? { severity } : {}),
    reason: reason === '' || reason.includes(' @ ') ? reason : `${reason} @ ${worst.kind}/${worst.name}`,
    message: `${completed} of ${objects.length} completed`,
  };
}

/** A condition copied from another object, or what is said while that object says nothing. */
export function mirror(type: string, source: State | undefined, fallback: State): State {
  if (!source) return fallback;
  const { status, reason, severity, message } = source;
  return {
    type,
    status,
    ...(reason ? { reason } : {}),
    ...(severity ? { severity } : status === 'False' ? { severity: 'Info' } : {}),
    ...(message ? { message } : {}),
  };
}
