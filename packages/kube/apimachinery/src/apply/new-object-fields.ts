import { formatTime } from '../clock.ts';
import type { JsonObject, JsonValue } from '../json.ts';
import { isJsonObject, jsonEqual } from '../json.ts';
import type { ManagedFieldsEntry } from '../object.ts';
import { compare, withoutFields, written } from './compare.ts';
import type { FieldSet } from './field-set.ts';
import { difference, union } from './field-set.ts';
import { encodeOwners, type Identity, type Owner, sameOwner } from './owners.ts';
import { markUpToDate } from './reconcile-schema.ts';
import { fieldType, granularList, granularMap, keyedItems } from './shapes.ts';
import { strippedFields } from './stripped-fields.ts';
import type { ValueType } from './value-type.ts';
import { withZeroParts } from './zero-object.ts';

/** What is met on the way through a value: names and item keys as text, everything else as one of these. */
const open = 0;
const close = 1;
const list = 2;
const leafHere = 3;
const nullHere = 4;
const likeZero = 5;
const unlikeZero = 6;
const repeatedItems = 7;
type Token = string | number;

/** A place in the tree of all shapes seen; where a value's walk ends, its fields are kept. */
class Shape {
  /** Most places have one way on, for which a map would be ten times as large. */
  token: Token | undefined;
  only: Shape | undefined;
  others: Map<Token, Shape> | undefined;
  fields: FieldSet | undefined;
  /** What was answered last: objects made in one go share it. */
  last: { readonly owner: Owner; readonly entries: Entries } | undefined;
}

type Entries = readonly ManagedFieldsEntry[] | undefined;

/** Names of labels and data keys are part of a shape, so there is no end of them; now and then all are forgotten. */
const rememberAtMost = 50_000;
let count = 0;
let roots = new WeakMap<ValueType, Map<FieldSet, Shape>>();

function rootFor(type: ValueType, ignored: FieldSet): Shape {
  if (count > rememberAtMost) {
    roots = new WeakMap();
    count = 0;
  }
  let byIgnored = roots.get(type);
  if (byIgnored === undefined) roots.set(type, (byIgnored = new Map()));
  let root = byIgnored.get(ignored);
  if (root === undefined) byIgnored.set(ignored, (root = new Shape()));
  return root;
}

function step(shape: Shape, token: Token): Shape {
  if (shape.token === token) return shape.only as Shape;
  const known = shape.others?.get(token);
  if (known !== undefined) return known;
  const next = new Shape();
  count++;
  if (shape.only === undefined) {
    shape.token = token;
    shape.only = next;
  } else (shape.others ??= new Map()).set(token, next);
  return next;
}

function walk(from: Shape, value: JsonValue, type: ValueType, zero: JsonValue | undefined): Shape {
  const map = granularMap(value, type);
  const zeroBelow = map !== undefined && isJsonObject(zero) ? zero : undefined;
  let shape = from;
  // Beside a zero value it matters what the value is, not only what it looks like.
  if (zero !== undefined && zeroBelow === undefined) shape = step(shape, isZero(value, zero) ? likeZero : unlikeZero);
  if (map !== undefined) {
    shape = step(shape, open);
    for (const name in value as JsonObject) {
      const child = (value as JsonObject)[name];
      if (child !== undefined) shape = walk(step(shape, name), child, fieldType(map, name), ownPart(zeroBelow, name));
    }
    return step(shape, close);
  }
  const items = granularList(value, type);
  if (items === undefined) return step(shape, value === null ? nullHere : leafHere);
  shape = step(shape, list);
  const { byKey, repeated } = keyedItems(value as readonly JsonValue[], items);
  for (const [key, item] of byKey) {
    shape = step(shape, key);
    shape = repeated?.has(key) ? step(shape, repeatedItems) : walk(shape, item, items.element, undefined);
  }
  return step(shape, close);
}

function ownPart(zero: JsonObject | undefined, name: string): JsonValue | undefined {
  return zero !== undefined && Object.hasOwn(zero, name) ? zero[name] : undefined;
}

function isZero(value: JsonValue, zero: JsonValue): boolean {
  return jsonEqual(isJsonObject(value) && isJsonObject(zero) ? withZeroParts(value, zero) : value, zero);
}

/**
 * The managedFields of a new object, all of whose fields belong to its writer. Objects of the same shape have the same
 * fields whatever is in them, and most new objects look like one before, so they are found by walking, not by comparing.
 */
export function entriesOfNewObject(
  object: JsonObject,
  type: ValueType,
  zero: JsonObject,
  ignored: FieldSet,
  writer: Identity,
  now: number,
): Entries {
  const { common, owned } = withoutOwners(object);
  const shape = walk(rootFor(type, ignored), common, type, zero);
  shape.fields ??= fieldsOfNewObject(common, type, zero, ignored);
  const time = formatTime(now);
  if (owned) {
    const set = union(shape.fields, fieldsOfNewObject(owned, type, zero, ignored));
    markUpToDate(set, type);
    return encodeOwners([{ ...writer, time, set, entry: undefined }], undefined);
  }
  const { last } = shape;
  if (last?.owner.time === time && sameOwner(last.owner, writer)) return last.entries;
  markUpToDate(shape.fields, type);
  const owner: Owner = { ...writer, time, set: shape.fields, entry: undefined };
  const entries = encodeOwners([owner], undefined);
  shape.last = { owner, entries };
  return entries;
}

/**
 * The object without its owner references, and those alone. They are known by the uid of the owner: with them hardly
 * any object would look like another, and every owner would leave shapes behind that nobody meets again.
 */
function withoutOwners(object: JsonObject): { readonly common: JsonObject; readonly owned: JsonObject | undefined } {
  const metadata = object['metadata'];
  if (!isJsonObject(metadata) || metadata['ownerReferences'] === undefined) return { common: object, owned: undefined };
  const { ownerReferences, ...rest } = metadata;
  return { common: { ...object, metadata: rest }, owned: { metadata: { ownerReferences } } };
}

/** The fields that the writer of a new object comes to own: those in which it differs from one where nothing is set. */
export function fieldsOfNewObject(object: JsonObject, type: ValueType, zero: JsonObject, ignored: FieldSet): FieldSet {
  const change = compare(withZeroParts({}, zero), withZeroParts(object, zero), type);
  return difference(written(withoutFields(change, ignored)), strippedFields);
}
