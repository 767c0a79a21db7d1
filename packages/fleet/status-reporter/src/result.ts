import type { Condition, JsonObject } from '@hypershift-ts/kube-apimachinery';
import { isJsonObject } from '@hypershift-ts/kube-apimachinery';

/** What an adapter wrote. */
export interface AdapterResult {
  readonly conditions: readonly Condition[];
  readonly data?: JsonObject;
}

export type ReadResult =
  | { readonly kind: 'result'; readonly result: AdapterResult }
  /** Not JSON, or not all of it yet. */
  | { readonly kind: 'incomplete'; readonly message: string }
  /** JSON, but no result. */
  | { readonly kind: 'invalid'; readonly message: string };

export const largestResult = 1024 * 1024;

/** Reads a result of either form: a list of conditions with data, or one outcome with a reason. */
export function readResult(text: string, conditionType: string, now: string): ReadResult {
  if (text.length > largestResult)
    return { kind: 'invalid', message: `the result is larger than ${largestResult} bytes` };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { kind: 'incomplete', message: (error as Error).message };
  }
  if (!isJsonObject(value)) return { kind: 'invalid', message: 'the result is no JSON object' };
  return Array.isArray(value['conditions'])
    ? fromConditions(value, value['conditions'] as readonly unknown[], now)
    : fromOutcome(value, conditionType, now);
}

function fromConditions(value: JsonObject, list: readonly unknown[], now: string): ReadResult {
  const conditions: Condition[] = [];
  for (const [i, item] of list.entries()) {
    const { type, status, reason, message, lastTransitionTime } = isJsonObject(item) ? item : {};
    if (typeof type !== 'string' || type === '' || !isStatus(status))
      return { kind: 'invalid', message: `conditions[${i}] needs a type and a status of True, False or Unknown` };
    conditions.push({
      type,
      status,
      lastTransitionTime: typeof lastTransitionTime === 'string' ? lastTransitionTime : now,
      ...(typeof reason === 'string' ? { reason } : {}),
      ...(typeof message === 'string' ? { message } : {}),
    });
  }
  if (conditions.length === 0) return { kind: 'invalid', message: 'the list of conditions is empty' };
  const { data } = value;
  return { kind: 'result', result: { conditions, ...(isJsonObject(data) ? { data } : {}) } };
}

function fromOutcome(value: JsonObject, type: string, now: string): ReadResult {
  const { status, reason, message, details } = value;
  if (status !== 'success' && status !== 'failure')
    return { kind: 'invalid', message: 'status must be success or failure' };
  const text = (given: unknown, fallback: string, most: number): string =>
    typeof given === 'string' && given.trim() !== '' ? given.slice(0, most) : fallback;
  const condition: Condition = {
    type,
    status: status === 'success' ? 'True' : 'False',
    lastTransitionTime: now,
    reason: text(reason, 'NoReasonProvided', 128),
    message: text(message, 'No message provided', 1024),
  };
  return { kind: 'result', result: { conditions: [condition], ...(isJsonObject(details) ? { data: details } : {}) } };
}

function isStatus(value: unknown): value is Condition['status'] {
  return value === 'True' || value === 'False' || value === 'Unknown';
}
