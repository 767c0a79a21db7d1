import type { JsonObject, JsonValue } from '../json.ts';
import { isJsonObject } from '../json.ts';
import { goZeroForm } from '../builtin/go-form.ts';
import type { Schema } from '../schema-types.ts';
import { unwrapped } from './value-type.ts';

/** For schemas whose Go type is not known here: structs have the default `{}`, fields without `omitempty` are required. */
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

/**
 * The parts every object of a built-in kind has: it is a Go struct, whose own structs and fields without `omitempty`
 * are there even when nobody set them, so nobody comes to own them by setting something inside. Nothing for custom
 * resources, which are what their author wrote.
 */
export function zeroObject(schema: Schema): JsonObject {
  let zero = known.get(schema);
  if (zero === undefined) {
    zero = isBuiltin(schema) ? (goZeroOf(schema) ?? zeroOf(schema, 0)) : none;
    known.set(schema, zero);
  }
  return zero;
}

function isBuiltin(schema: Schema): boolean {
  const metadata = schema.properties?.['metadata'];
  return metadata !== undefined && isJsonObject(unwrapped(metadata).default);
}

function goZeroOf(schema: Schema): JsonObject | undefined {
  const gvk = schema['x-kubernetes-group-version-kind']?.[0];
  return gvk && (goZeroForm(gvk) as JsonObject | undefined);
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
