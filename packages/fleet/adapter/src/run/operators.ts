import type { JsonValue } from '@hypershift-ts/kube-apimachinery';
import { isJsonObject, jsonEqual } from '@hypershift-ts/kube-apimachinery';
import type { ConditionOperator } from '../config/task-config.ts';

/** Whether a value satisfies a structured condition. A missing value counts as null; numbers compare as numbers. */
export function satisfies(operator: ConditionOperator, actual: JsonValue, wanted: JsonValue): boolean {
  switch (operator) {
    case 'equals':
      return jsonEqual(actual, wanted);
    case 'notEquals':
      return !jsonEqual(actual, wanted);
    case 'in':
      return includes(wanted, actual);
    case 'notIn':
      return !includes(wanted, actual);
    case 'contains':
      return contains(actual, wanted);
    case 'greaterThan':
      return compare(actual, wanted, (order) => order > 0);
    case 'greaterThanOrEqual':
      return compare(actual, wanted, (order) => order >= 0);
    case 'lessThan':
      return compare(actual, wanted, (order) => order < 0);
    case 'lessThanOrEqual':
      return compare(actual, wanted, (order) => order <= 0);
    case 'exists':
      return actual !== null && actual !== '';
    case 'notExists':
      return actual === null || actual === '';
    default:
      return operator satisfies never;
  }
}

function includes(list: JsonValue, item: JsonValue): boolean {
  return Array.isArray(list) && (list as readonly JsonValue[]).some((one) => jsonEqual(one, item));
}

/** A part of a text, an item of a list, or a key of a map. */
function contains(actual: JsonValue, wanted: JsonValue): boolean {
  if (typeof actual === 'string') return typeof wanted === 'string' && actual.includes(wanted);
  if (Array.isArray(actual)) return includes(actual as readonly JsonValue[], wanted);
  return isJsonObject(actual) && typeof wanted === 'string' && Object.hasOwn(actual, wanted);
}

function compare(a: JsonValue, b: JsonValue, decide: (order: number) => boolean): boolean {
  const [left, right] = [numeric(a), numeric(b)];
  return left !== undefined && right !== undefined && decide(left - right);
}

function numeric(value: JsonValue): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && !Number.isNaN(number) ? number : undefined;
}
