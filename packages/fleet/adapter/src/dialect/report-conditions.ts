import type { JsonObject, JsonValue } from '@hypershift-ts/kube-apimachinery';
import { isJsonObject } from '@hypershift-ts/kube-apimachinery';
import { textOf } from './text.ts';

interface Words {
  readonly reason: string;
  readonly message: string;
}

interface Wording {
  readonly skipped: Words;
  readonly yes: Words;
  readonly no: Words;
}

const FAILED: Words = { reason: 'AdapterError', message: 'The adapter could not finish its work' };
const NOT_MET: Words = { reason: 'PreconditionsNotMet', message: 'Preconditions are not met' };

/** What a condition says when its configuration gives only a status. */
const WORDING: Readonly<Record<string, Wording>> = {
  Applied: {
    skipped: NOT_MET,
    yes: { reason: 'ResourcesExist', message: 'Resources exist' },
    no: { reason: 'ResourcesPending', message: 'Resources do not exist yet' },
  },
  Available: {
    skipped: NOT_MET,
    yes: { reason: 'PostconditionsMet', message: 'Resources are available' },
    no: { reason: 'PostconditionsNotMet', message: 'Resources are not available yet' },
  },
  Health: {
    skipped: { reason: 'NoErrors', message: 'No errors; no work was done' },
    yes: { reason: 'AllChecksPass', message: 'All checks pass' },
    no: { reason: 'ChecksFailed', message: 'A check failed' },
  },
};

const OTHERS: Wording = {
  skipped: NOT_MET,
  yes: { reason: 'True', message: 'The condition is met' },
  no: { reason: 'False', message: 'The condition is not met' },
};

/** `{applied: {status}, ...}` as a list of conditions with types, complete with reasons and messages. */
export function conditionList(conditions: JsonObject): readonly JsonValue[] {
  return Object.entries(conditions).map(([key, value]) => {
    const type = key[0]!.toUpperCase() + key.slice(1);
    if (!isJsonObject(value)) return { type, status: value ?? null };
    const status = withDefault(type === 'Health' ? healthyWhenSkipped(value['status']) : value['status']);
    const words = (part: keyof Words): JsonValue => value[part] ?? wording(type, part, status);
    return { ...value, type, status, reason: words('reason'), message: words('message') };
  });
}

/** An adapter that had nothing to do is well, whatever its expression makes of objects that do not exist. */
function healthyWhenSkipped(status: JsonValue | undefined): JsonValue | undefined {
  if (!isJsonObject(status) || typeof status['expression'] !== 'string') return status;
  const expression = `adapter.executionStatus == "success" && adapter.resourcesSkipped ? true : (${status['expression'].trim()})`;
  return { ...status, expression };
}

/** Older expressions index lists that may be empty: what fails is False. */
function withDefault(status: JsonValue | undefined): JsonValue {
  if (!isJsonObject(status) || typeof status['expression'] !== 'string') return status ?? 'False';
  return { ...status, default: status['default'] ?? 'False' };
}

function wording(type: string, part: keyof Words, status: JsonValue): JsonValue {
  const { skipped, yes, no } = WORDING[type] ?? OTHERS;
  if (!isJsonObject(status)) return status === 'True' ? yes[part] : no[part];
  // The status may be a bool or already the text True.
  const isTrue = `string(${textOf(status['expression']).trim()}) in ["true", "True"]`;
  const text = (words: Words): string => JSON.stringify(words[part]);
  const expression =
    `adapter.executionStatus != "success" ? ${text(FAILED)} : ` +
    `adapter.resourcesSkipped ? ${text(skipped)} : ${isTrue} ? ${text(yes)} : ${text(no)}`;
  return { expression, default: no[part] };
}
