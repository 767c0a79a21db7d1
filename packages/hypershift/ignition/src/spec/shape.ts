import type { Field, Struct } from './schema.ts';

/** Something about a document, at a path such as `storage.files.0.mode`. */
export interface Finding {
  readonly path: string;
  readonly message: string;
}

export interface Shaped {
  /** Only known fields, in the order of the specification, nothing empty. */
  readonly value: Readonly<Record<string, unknown>>;
  /** Fields that the version does not know; Ignition ignores them with a warning. */
  readonly unknown: readonly Finding[];
  /** Values of the wrong type; the document cannot be used. */
  readonly errors: readonly Finding[];
}

type Collected = { readonly unknown: Finding[]; readonly errors: Finding[] };

/** Reads a decoded document as the struct of 3.`minor`. */
export function shape(raw: Readonly<Record<string, unknown>>, of: Struct, minor: number): Shaped {
  const found: Collected = { unknown: [], errors: [] };
  return { value: readStruct(raw, of, minor, '', found), ...found };
}

function readStruct(
  raw: Readonly<Record<string, unknown>>,
  of: Struct,
  minor: number,
  path: string,
  found: Collected,
): Record<string, unknown> {
  for (const name of Object.keys(raw)) {
    const field = of.fields.get(name);
    if (!field || field.since > minor) found.unknown.push({ path: join(path, name), message: `unused key ${name}` });
  }
  const value: Record<string, unknown> = {};
  for (const [name, field] of of.fields) {
    const given = Object.hasOwn(raw, name) ? raw[name] : undefined;
    if (given === undefined || given === null || field.since > minor) continue;
    const read = readField(given, field, minor, join(path, name), found);
    if (read !== undefined) value[name] = read;
  }
  return value;
}

function readField(given: unknown, field: Field, minor: number, path: string, found: Collected): unknown {
  if (field.kind === 'struct') {
    if (!isRecord(given)) return wrong(path, 'object', given, found);
    const value = readStruct(given, field.struct, minor, path, found);
    return Object.keys(value).length === 0 ? undefined : value;
  }
  if (field.kind !== 'list') return readScalar(given, field.kind, path, found);
  if (!Array.isArray(given)) return wrong(path, 'array', given, found);
  const { item } = field;
  const values = given.map((entry: unknown, index) => {
    const at = join(path, String(index));
    if (item === 'string') return readScalar(entry, 'string', at, found);
    return isRecord(entry) ? readStruct(entry, item, minor, at, found) : wrong(at, 'object', entry, found);
  });
  return values.length === 0 ? undefined : values;
}

function readScalar(given: unknown, kind: 'string' | 'int' | 'bool', path: string, found: Collected): unknown {
  const fits = kind === 'int' ? Number.isSafeInteger(given) : typeof given === (kind === 'bool' ? 'boolean' : 'string');
  return fits ? given : wrong(path, kind === 'bool' ? 'boolean' : kind === 'int' ? 'integer' : 'string', given, found);
}

function wrong(path: string, expected: string, given: unknown, found: Collected): undefined {
  const actual = Array.isArray(given) ? 'array' : given === null ? 'null' : typeof given;
  found.errors.push({ path, message: `expected ${expected}, found ${actual}` });
  return undefined;
}

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const join = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);
