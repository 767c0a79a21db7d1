import type { JsonValue } from '../json.ts';
import type { FieldSet } from './field-set.ts';

/** Item keys are written as FieldsV1 writes them: `k:{"name":"web"}`, `v:"x"`, `i:0`. */

const htmlSensitive = /[<>&\u2028\u2029]/g;

const plain = /^[\w .:/@+-]*$/;

// Go's encoder escapes these in every string, and item keys are compared as text.
function goJson(value: JsonValue): string {
  if (typeof value === 'string' && plain.test(value)) return `"${value}"`;
  if (typeof value === 'number') return JSON.stringify(value);
  const text = JSON.stringify(value);
  return text.replace(htmlSensitive, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

export function valueKey(value: string | number | boolean): string {
  return `v:${goJson(value)}`;
}

/** Adds one field to an item key under construction; fields come sorted by name. */
export function addKeyField(key: string, name: string, value: JsonValue): string {
  return `${key === '' ? 'k:{' : `${key},`}${goJson(name)}:${goJson(value)}`;
}

const byName = (a: readonly [string, unknown], b: readonly [string, unknown]) =>
  a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0;

/** Brings an item key that came from outside into the form we write, or undefined when its type is unknown to us. */
export function canonicalItemKey(key: string): string | undefined {
  switch (key.slice(0, 2)) {
    case 'v:':
      return `v:${goJson(JSON.parse(key.slice(2)) as JsonValue)}`;
    case 'k:': {
      const fields = JSON.parse(key.slice(2)) as { [name: string]: JsonValue };
      if (typeof fields !== 'object' || fields === null) throw new SyntaxError(`invalid item key ${key}`);
      return Object.entries(fields)
        .sort(byName)
        .reduce((text, [name, value]) => addKeyField(text, name, value), '')
        .concat('}');
    }
    case 'i:':
      if (!/^i:-?[0-9]{1,10}$/.test(key)) throw new SyntaxError(`invalid index ${key}`);
      return `i:${Number(key.slice(2))}`;
    default:
      if (key[1] !== ':') throw new SyntaxError(`missing colon: ${key}`);
      return undefined;
  }
}

const order = 'kvi';

/** Item keys in the order FieldsV1 lists them: by keys, by value, by index; numbers by size. */
export function compareItemKeys(a: string, b: string): number {
  if (a[0] !== b[0]) return order.indexOf(a[0] ?? '') - order.indexOf(b[0] ?? '');
  const left = Number(a.slice(2));
  const right = Number(b.slice(2));
  if (!Number.isNaN(left) && !Number.isNaN(right)) return left - right;
  return a < b ? -1 : a > b ? 1 : 0;
}

function shown(value: JsonValue): string {
  return JSON.stringify(value);
}

/** An item key as messages show it: `[name="web"]`, `[="x"]`, `[0]`. */
export function showItemKey(key: string): string {
  if (key.startsWith('i:')) return `[${key.slice(2)}]`;
  const value = JSON.parse(key.slice(2)) as JsonValue;
  if (key.startsWith('v:')) return `[=${shown(value)}]`;
  const fields = Object.entries(value as { [name: string]: JsonValue });
  return `[${fields.map(([name, field]) => `${name}=${shown(field)}`).join(',')}]`;
}

interface Step {
  readonly text: string;
  readonly node: FieldSet;
}

function steps(set: FieldSet): Step[] {
  const fields = [...(set.fields ?? [])].sort(byName).map(([name, node]) => ({ text: `.${name}`, node }));
  const items = [...(set.items ?? [])]
    .sort((a, b) => compareItemKeys(a[0], b[0]))
    .map(([key, node]) => ({ text: showItemKey(key), node }));
  return [...fields, ...items];
}

/** Every path of a set as text, those of one level before those below it. */
export function showPaths(set: FieldSet, prefix = ''): string[] {
  const next = steps(set);
  return [
    ...next.filter(({ node }) => node.member).map(({ text }) => `${prefix}${text}`),
    ...next.flatMap(({ text, node }) => showPaths(node, `${prefix}${text}`)),
  ];
}
