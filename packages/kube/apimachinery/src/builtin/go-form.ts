import type { GroupVersionKind } from '../object.ts';
import { type Field, type Message, messageOf } from '../protobuf/messages.ts';

type JsonObject = Record<string, unknown>;

/**
 * Gives an object of a built-in kind the form it has after a trip through Kubernetes' Go types: zero values that
 * `omitempty` drops are gone, zero values that Go always prints are there, and null items of lists and maps are
 * zero values. In place. Lists and times that Go would print as null stay absent, which every client reads the same.
 */
export function toGoForm(object: JsonObject, gvk: GroupVersionKind): void {
  const message = messageOf(gvk);
  if (message) complete(object, message);
}

/** What Go prints for an object that nothing was set in, nulls included; undefined for kinds without a Go type here. */
export function goZeroForm(gvk: GroupVersionKind): JsonObject | undefined {
  const message = messageOf(gvk);
  return message && withNulls(message);
}

function withNulls(message: Message): JsonObject {
  const zero: JsonObject = {};
  for (const field of message.fields) {
    if (field.inline) Object.assign(zero, field.message && withNulls(field.message));
    else if (field.kind === 'message' && !field.pointer && !field.repeated && !field.map) {
      if (!field.omitZero && field.message) zero[field.name] = withNulls(field.message);
    } else if (!field.omitEmpty) zero[field.name] = absent(field) ?? null;
  }
  return zero;
}

function complete(object: JsonObject, message: Message): void {
  // Parts taken over from a stored object have been here before.
  if (Object.isFrozen(object)) return;
  for (const field of message.fields) {
    if (field.inline) {
      if (field.message) complete(object, field.message);
      continue;
    }
    // Only the server writes them, and they may be shared with the stored object.
    if (field.name === 'managedFields') continue;
    const value = object[field.name];
    const next = value === undefined || value === null ? absent(field) : present(value, field);
    if (next === value) continue;
    if (next === undefined) delete object[field.name];
    else object[field.name] = next;
  }
}

/** What Go prints for a field that was never set. */
function absent(field: Field): unknown {
  if (field.pointer || field.repeated || field.map) return undefined;
  // `omitempty` has no effect on structs.
  if (field.kind === 'message') return field.omitZero || !field.message ? undefined : zeroStruct(field.message);
  return field.omitEmpty ? undefined : zeroOf(field);
}

function present(value: unknown, field: Field): unknown {
  if (field.repeated) {
    if (!Array.isArray(value)) return value;
    if (value.length === 0) return field.omitEmpty ? undefined : value;
    completeItems(value, field);
    return value;
  }
  if (field.map) {
    if (typeof value !== 'object') return value;
    const keys = Object.keys(value as object);
    if (keys.length === 0) return field.omitEmpty ? undefined : value;
    if (field.kind === 'message' || keys.some((key) => (value as JsonObject)[key] === null))
      completeItems(value as JsonObject, field);
    return value;
  }
  if (field.kind === 'message') {
    if (field.message && isObject(value)) complete(value, field.message);
    return value;
  }
  if (field.pointer || !field.omitEmpty) return value;
  return isOmitted(value, field) ? undefined : value;
}

function completeItems(items: JsonObject | unknown[], field: Field): void {
  if (Object.isFrozen(items)) return;
  const list = items as JsonObject;
  for (const key of Object.keys(list)) {
    const item = list[key];
    if (item === null) list[key] = zeroItem(field);
    else if (field.kind === 'message' && field.message && isObject(item)) complete(item, field.message);
  }
}

function zeroItem(field: Field): unknown {
  if (field.kind === 'message' && field.message) return zeroStruct(field.message);
  return field.kind === 'bytes' ? '' : (zeroOf(field) ?? null);
}

function zeroStruct(message: Message): JsonObject {
  const object: JsonObject = {};
  complete(object, message);
  return object;
}

function zeroOf({ kind }: Field): unknown {
  switch (kind) {
    case 'string':
      return '';
    case 'bool':
      return false;
    case 'int32':
    case 'int64':
    case 'double':
    case 'intOrString':
      return 0;
    case 'quantity':
      return '0';
    default:
      return undefined;
  }
}

/** Strings, numbers and booleans are left out when zero; structs such as IntOrString never are. */
function isOmitted(value: unknown, { kind }: Field): boolean {
  if (kind === 'intOrString' || kind === 'quantity') return false;
  return value === '' || value === 0 || value === false;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
