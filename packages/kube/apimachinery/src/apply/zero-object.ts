import type { JsonObject, JsonValue } from '../json.ts';
import { isJsonObject } from '../json.ts';
import type { Schema } from '../schema-types.ts';
import { unwrapped } from './value-type.ts';

/**
 * Built-in kinds are Go structs: parts that are structs themselves, and fields without `omitempty`, are there even
 * when nobody set them, so nobody comes to own them by setting something inside. Their schemas tell: such parts have
 * the default `{}`, such fields are required.
 */
function zeroOf(schema: Schema, depth: number): JsonObject {
  const zero: Record<string, JsonValue> = {};
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const described = unwrapped(property);
    const initial = described.default;
    if (isJsonObject(initial)) zero[name] = depth > 20 ? {} : zeroOf(described, depth + 1);
    else if (schema.required?.includes(name)) zero[name] = initial ?? null;
  }
  return zero;
}

const none: JsonObject = Object.freeze({});
const known = new WeakMap<Schema, JsonObject>();

/** The parts every object of a built-in kind has; nothing for custom resources, which are what their author wrote. */
export function zeroObject(schema: Schema): JsonObject {
  let zero = known.get(schema);
  if (zero === undefined) {
    const metadata = schema.properties?.['metadata'];
    zero = metadata !== undefined && isJsonObject(unwrapped(metadata).default) ? zeroOf(schema, 0) : none;
    known.set(schema, zero);
  }
  return zero;
}

/** Adds the parts that are always there; the same object when none is missing. */
export function withZeroParts(value: JsonObject, zero: JsonObject): JsonObject {
  let result: Record<string, JsonValue | undefined> | undefined;
  for (const name in zero) {
    const part = zero[name] as JsonValue;
    const current = Object.hasOwn(value, name) ? value[name] : undefined;
    const next =
      current === undefined
        ? part
        : isJsonObject(current) && isJsonObject(part)
          ? withZeroParts(current, part)
          : current;
    if (next === current) continue;
    result ??= { ...value };
    result[name] = next;
  }
  return result ?? value;
}
