import type { Clock, JsonValue } from '@hypershift-ts/kube-apimachinery';
import { formatTime, isJsonObject } from '@hypershift-ts/kube-apimachinery';
import type { CelValue, FunctionDeclaration } from '@hypershift-ts/kube-cel';
import { BOOL, declareFunction, DYN, globalOverload, INT, listType, STRING, toJson } from '@hypershift-ts/kube-cel';

const CONDITIONS = listType(DYN);

/** The helper functions of adapter expressions. */
export function adapterFunctions(clock: Clock): readonly FunctionDeclaration[] {
  const age = (list: readonly CelValue[], type: string): number => ageOf(clock, conditionOf(list, type));
  return [
    declareFunction(
      'toJson',
      globalOverload('toJson_dyn', [DYN], STRING, (value) => sortedJson(toJson(value))),
    ),
    declareFunction('dig', globalOverload('dig_dyn_string', [DYN, STRING], DYN, dig)),
    declareFunction(
      'now',
      globalOverload('now_string', [], STRING, () => formatTime(clock.now())),
    ),
    declareFunction(
      'conditionStatus',
      globalOverload('conditionStatus_list_string', [CONDITIONS, STRING], STRING, statusOf),
    ),
    declareFunction('conditionAge', globalOverload('conditionAge_list_string', [CONDITIONS, STRING], INT, age)),
    declareFunction(
      'stableFor',
      globalOverload(
        'stableFor_list_string_int',
        [CONDITIONS, STRING, INT],
        BOOL,
        (list: readonly CelValue[], type: string, seconds: number | bigint) =>
          statusOf(list, type) === 'True' && hasTime(list, type) && age(list, type) >= Number(seconds),
      ),
    ),
    declareFunction(
      'statusFeedbackValue',
      globalOverload('statusFeedbackValue_dyn_string', [DYN, STRING], DYN, feedbackValue),
    ),
    declareFunction(
      'triState',
      globalOverload('triState_bool_bool', [BOOL, BOOL], STRING, (isTrue: boolean, isFalse: boolean) =>
        isTrue ? 'True' : isFalse ? 'False' : 'Unknown',
      ),
    ),
  ];
}

/** JSON with sorted keys, so that the same value always gives the same text. */
function sortedJson(value: JsonValue): string {
  return JSON.stringify(value, (_key, item: unknown) =>
    isJsonObject(item) ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1))) : item,
  );
}

/** Follows `a.b.0.c`; null when a step leads nowhere. */
function dig(target: CelValue, path: string): CelValue {
  let value: unknown = target;
  for (const step of path.split('.')) {
    if (step === '') continue;
    if (Array.isArray(value)) value = /^\d+$/.test(step) ? (value[Number(step)] as unknown) : undefined;
    else value = isJsonObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
    if (value === undefined || value === null) return null;
  }
  return value;
}

type ConditionLike = { readonly [field: string]: CelValue };

function conditionOf(list: readonly CelValue[], type: string): ConditionLike | undefined {
  return list.filter(isJsonObject).find((condition) => condition['type'] === type);
}

function statusOf(list: readonly CelValue[], type: string): string {
  const status = conditionOf(list, type)?.['status'];
  return typeof status === 'string' ? status : 'Unknown';
}

/** The API writes `last_transition_time`, objects of a cluster `lastTransitionTime`. */
function transitionOf(condition: ConditionLike | undefined): number {
  const written = condition?.['last_transition_time'] ?? condition?.['lastTransitionTime'];
  return typeof written === 'string' ? Date.parse(written) : Number.NaN;
}

function hasTime(list: readonly CelValue[], type: string): boolean {
  return !Number.isNaN(transitionOf(conditionOf(list, type)));
}

/** Whole seconds since the last transition, -1 when there is none. */
function ageOf(clock: Clock, condition: ConditionLike | undefined): number {
  const since = transitionOf(condition);
  return Number.isNaN(since) ? -1 : Math.trunc((clock.now() - since) / 1000);
}

/** A named feedback value in its own type; raw JSON is parsed. The empty text when there is none. */
export function feedbackValue(feedback: CelValue, name: string): CelValue {
  const values = isJsonObject(feedback) && Array.isArray(feedback['values']) ? feedback['values'] : [];
  const entry = (values as readonly unknown[]).find((value) => isJsonObject(value) && value['name'] === name);
  const field = isJsonObject(entry) ? entry['fieldValue'] : undefined;
  if (!isJsonObject(field)) return '';
  if (typeof field['jsonRaw'] === 'string') return parsed(field['jsonRaw']);
  return field['string'] ?? field['integer'] ?? field['boolean'] ?? '';
}

function parsed(text: string): CelValue {
  try {
    return JSON.parse(text) as CelValue;
  } catch {
    return text;
  }
}
