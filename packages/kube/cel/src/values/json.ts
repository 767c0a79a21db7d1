import type { JsonValue } from '@hypershift-ts/kube-apimachinery';
import { CelRuntimeError } from '../errors.ts';
import { formatDurationSeconds, formatTimestamp } from './time.ts';
import type { CelValue } from './value.ts';
import {
  CelDouble,
  CelDuration,
  CelMap,
  CelOptional,
  CelTimestamp,
  CelUint,
  isPlainObject,
  typeName,
} from './value.ts';

/** A result as JSON, following protobuf's mapping. Throws `CelRuntimeError` for what has no JSON form. */
export function toJson(value: CelValue): JsonValue {
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'number':
      return value;
    case 'bigint':
      return value.toString();
    default:
  }
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return value.map(toJson);
  if (value instanceof CelDouble) return value.value;
  if (value instanceof CelUint) return value.value <= 9007199254740991n ? Number(value.value) : value.value.toString();
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (value instanceof CelTimestamp) return formatTimestamp(value);
  if (value instanceof CelDuration) return formatDurationSeconds(value);
  if (value instanceof CelOptional) return value.present ? toJson(value.value) : null;
  if (value instanceof CelMap) return fromEntries(value.entries());
  if (isPlainObject(value)) return fromEntries(Object.entries(value));
  throw new CelRuntimeError(`no JSON form for a value of type ${typeName(value)}`);
}

function fromEntries(entries: Iterable<readonly [CelValue, CelValue]>): JsonValue {
  const object: Record<string, JsonValue> = {};
  for (const [key, value] of entries) {
    if (value === undefined) continue;
    const name = key instanceof CelUint ? String(key.value) : String(key);
    // Plain assignment would run the setter of `__proto__`.
    Object.defineProperty(object, name, { value: toJson(value), enumerable: true, writable: true, configurable: true });
  }
  return object;
}
