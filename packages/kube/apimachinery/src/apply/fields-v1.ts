import { deepFreeze } from '../json.ts';
import type { FieldSet } from './field-set.ts';
import { emptySet, fieldSet, leaf } from './field-set.ts';
import { canonicalItemKey, compareItemKeys } from './path-element.ts';

/** The wire form of a field set: nested objects keyed `f:name`, `k:{…}`, `v:…`, `i:…`, with `.` for the node itself. */
export type FieldsV1 = { readonly [key: string]: FieldsV1 };

const nothing: FieldsV1 = Object.freeze({});
const maxDepth = 200;

function encodeNode(node: FieldSet, root: boolean): FieldsV1 {
  if (node === leaf || node === emptySet) return nothing;
  if (node.encoded !== undefined) return node.encoded as FieldsV1;
  const out: Record<string, FieldsV1> = {};
  if (node.member && !root) out['.'] = nothing;
  const { fields, items } = node;
  if (fields !== undefined) {
    for (const name of [...fields.keys()].sort()) out[`f:${name}`] = encodeNode(fields.get(name) as FieldSet, false);
  }
  if (items !== undefined) {
    for (const key of [...items.keys()].sort(compareItemKeys)) out[key] = encodeNode(items.get(key) as FieldSet, false);
  }
  node.encoded = Object.freeze(out);
  return out;
}

function decodeNode(encoded: object, depth: number): FieldSet {
  if (depth > maxDepth) throw new RangeError('fieldsV1 is nested too deeply');
  let fields: Map<string, FieldSet> | undefined;
  let items: Map<string, FieldSet> | undefined;
  let self = false;
  for (const [key, below] of Object.entries(encoded) as [string, unknown][]) {
    if (key === '.') {
      self = true;
      continue;
    }
    if (typeof below !== 'object' || below === null) throw new SyntaxError(`fieldsV1 has a value at ${key}`);
    if (key.startsWith('f:')) (fields ??= new Map()).set(key.slice(2), decodeNode(below, depth + 1));
    else {
      const item = canonicalItemKey(key);
      if (item !== undefined) (items ??= new Map()).set(item, decodeNode(below, depth + 1));
    }
  }
  // Nothing below means the node is there for its own sake.
  return fieldSet(depth > 0 && (self || (fields === undefined && items === undefined)), fields, items);
}

/**
 * Remembers what was decoded, by the identity of the encoded object, and gives equal encodings one shared object:
 * the same kind written by the same controller has the same field set in a thousand clusters. Both memories are
 * bounded by forgetting the older part now and then.
 */
const rememberAtMost = 4096;
let decoded = new WeakMap<object, FieldSet>();
/** What was remembered before that: an object that is being worked on should not be forgotten in the middle of it. */
let decodedBefore = new WeakMap<object, FieldSet>();
let decodedCount = 0;

/** Labels and data keys may carry the name of a cluster: such a set is shared only for as long as an object has it. */
const interned = new Map<string, WeakRef<FieldsV1>>();
const unused = new FinalizationRegistry<string>((text) => {
  if (interned.get(text)?.deref() === undefined) interned.delete(text);
});

function share(text: string, encoded: FieldsV1): void {
  if (interned.size >= rememberAtMost) interned.clear();
  interned.set(text, new WeakRef(encoded));
  unused.register(encoded, text);
}

function remember(encoded: object, set: FieldSet): void {
  if (++decodedCount > rememberAtMost) {
    decodedBefore = decoded;
    decoded = new WeakMap();
    decodedCount = 0;
  }
  decoded.set(encoded, set);
}

function recall(encoded: object): FieldSet | undefined {
  const known = decoded.get(encoded);
  if (known !== undefined) return known;
  const before = decodedBefore.get(encoded);
  if (before !== undefined) remember(encoded, before);
  return before;
}

/** Whether it holds the uid of an owner or the address of a pod: nobody else has an equal one, and sharing would only keep it. */
const isPersonal = (encoded: FieldsV1): boolean =>
  encoded['f:metadata']?.['f:ownerReferences'] !== undefined || encoded['f:status']?.['f:podIPs'] !== undefined;

/** The frozen FieldsV1 object of a set; equal sets usually get the very same object. */
export function encodeFieldsV1(set: FieldSet): FieldsV1 {
  const known = set.encoded as FieldsV1 | undefined;
  if (known !== undefined && recall(known) !== undefined) return known;
  const encoded = encodeNode(set, true);
  if (isPersonal(encoded)) {
    remember(encoded, set);
    return encoded;
  }
  const text = JSON.stringify(encoded);
  const shared = interned.get(text)?.deref();
  if (shared !== undefined) {
    set.encoded = shared;
    remember(shared, set);
    return shared;
  }
  share(text, encoded);
  remember(encoded, set);
  return encoded;
}

/** Reads FieldsV1. Throws on what is no field set. */
export function decodeFieldsV1(encoded: object): FieldSet {
  const known = recall(encoded);
  if (known !== undefined) return known;
  const set = decodeNode(encoded, 0);
  // A value that can still change must not be remembered by identity.
  if (Object.isFrozen(encoded)) remember(encoded, set);
  return set;
}

/** Replaces an encoded set by the shared object of equal content; for objects that arrive from disk or wire. */
export function internFieldsV1(encoded: FieldsV1): FieldsV1 {
  if (isPersonal(encoded)) return deepFreeze(encoded);
  const text = JSON.stringify(encoded);
  const shared = interned.get(text)?.deref();
  if (shared !== undefined) return shared;
  share(text, deepFreeze(encoded));
  return encoded;
}
