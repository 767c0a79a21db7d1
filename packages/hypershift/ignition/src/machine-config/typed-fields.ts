import type { JsonObject, JsonValue } from '@hypershift-ts/kube-apimachinery';
import { isJsonObject } from '@hypershift-ts/kube-apimachinery';

/** A value that Go's decoder would refuse, in its words. */
export class DecodeFailure extends Error {
  override readonly name = 'DecodeFailure';
}

type FieldReader = (value: JsonValue, path: string) => JsonValue | undefined;

/** A field of a Go struct: how to read it, and what is written when it is absent (`undefined`: nothing). */
export interface TypedField {
  readonly read: FieldReader;
  readonly absent?: JsonValue;
}

export type TypedFields = Readonly<Record<string, TypedField>>;

/** Keeps the known fields, as a typed decoder and encoder would: unknown ones vanish, zero values appear. */
export function typed(raw: JsonValue | undefined, fields: TypedFields, path: string): JsonObject {
  if (raw !== undefined && raw !== null && !isJsonObject(raw)) throw refused(raw, path, 'object');
  const given = (raw ?? {}) as JsonObject;
  const value: Record<string, JsonValue> = {};
  for (const [name, { read, absent }] of Object.entries(fields)) {
    const own = Object.hasOwn(given, name) ? given[name] : undefined;
    const kept = own === undefined || own === null ? absent : (read(own, join(path, name)) ?? absent);
    if (kept !== undefined) value[name] = kept;
  }
  return value;
}

function refused(value: JsonValue, path: string, goType: string): DecodeFailure {
  const found = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
  return new DecodeFailure(`json: cannot unmarshal ${found} into Go struct field ${path} of type ${goType}`);
}

const text: FieldReader = (value, path) => {
  if (typeof value !== 'string') throw refused(value, path, 'string');
  return value;
};
const nonEmpty =
  (read: FieldReader): FieldReader =>
  (value, path) => {
    const kept = read(value, path);
    const empty =
      kept === '' || kept === 0 || kept === false || (typeof kept === 'object' && kept !== null && isEmpty(kept));
    return empty ? undefined : kept;
  };
const isEmpty = (value: object): boolean => Object.keys(value).length === 0;
const listOf =
  (read: FieldReader, goType: string): FieldReader =>
  (value, path) => {
    if (!Array.isArray(value)) throw refused(value, path, goType);
    return (value as readonly JsonValue[]).map((item, i) => read(item, `${path}[${i}]`) ?? null);
  };
const textMap: FieldReader = (value, path) => {
  if (!isJsonObject(value)) throw refused(value, path, 'map[string]string');
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, text(item ?? '', `${path}.${key}`) ?? '']),
  );
};

/** Written as read, whatever it is: a raw extension. */
const anything: FieldReader = (value) => value;
export const field = {
  /** Always written. */
  string: { read: text, absent: '' },
  bool: {
    read: (value, path) => {
      if (typeof value !== 'boolean') throw refused(value, path, 'bool');
      return value;
    },
    absent: false,
  },
  strings: { read: listOf(text, '[]string'), absent: null },
  raw: { read: anything, absent: null },
  /** Written only when set. */
  optional: {
    string: { read: nonEmpty(text) },
    bool: {
      read: (value, path) => {
        if (typeof value !== 'boolean') throw refused(value, path, 'bool');
        return value;
      },
    },
    int: {
      read: (value, path) => {
        if (!Number.isSafeInteger(value)) throw refused(value, path, 'int64');
        return value;
      },
    },
    strings: { read: nonEmpty(listOf(text, '[]string')) },
    textMap: { read: nonEmpty(textMap) },
    list: { read: nonEmpty(listOf(anything, '[]object')) },
    raw: { read: anything },
  },
} satisfies Readonly<Record<string, TypedField | Readonly<Record<string, TypedField>>>>;

/** A pointer to a struct: written when given, even when it is empty. */
export const pointerTo = (fields: TypedFields): TypedField => ({
  read: (value, path) => typed(value, fields, path),
});
export const listOfStructs = (fields: TypedFields): TypedField => ({
  read: nonEmpty(listOf((value, path) => typed(value, fields, path), '[]struct')),
});

const join = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);
