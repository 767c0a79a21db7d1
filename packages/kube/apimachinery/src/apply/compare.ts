import type { JsonObject, JsonValue } from '../json.ts';
import { jsonEqual } from '../json.ts';
import { everyPath } from './extract.ts';
import type { FieldSet } from './field-set.ts';
import { emptySet, fieldSet, leaf, recursiveDifference, union } from './field-set.ts';
import type { KeyedItems, List } from './shapes.ts';
import { fieldType, granularList, granularMap, isEmptyObject, keyedItems, own } from './shapes.ts';
import type { ListType, MapType, ValueType } from './value-type.ts';

/** The paths in which two values differ. */
export interface Comparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

export const noDifference: Comparison = { added: emptySet, modified: emptySet, removed: emptySet };

const modifiedHere: Comparison = { added: emptySet, modified: leaf, removed: emptySet };

/** Collects the differences of the children of one node; makes nothing while there are none. */
class Collector {
  private added: Map<string, FieldSet> | undefined;
  private modified: Map<string, FieldSet> | undefined;
  private removed: Map<string, FieldSet> | undefined;

  add(key: string, set: FieldSet): void {
    (this.added ??= new Map()).set(key, set);
  }

  modify(key: string, set: FieldSet): void {
    (this.modified ??= new Map()).set(key, set);
  }

  remove(key: string, set: FieldSet): void {
    (this.removed ??= new Map()).set(key, set);
  }

  child(key: string, difference: Comparison): void {
    if (difference === noDifference) return;
    if (difference.added !== emptySet) this.add(key, difference.added);
    if (difference.modified !== emptySet) this.modify(key, difference.modified);
    if (difference.removed !== emptySet) this.remove(key, difference.removed);
  }

  result(make: (children: Map<string, FieldSet>) => FieldSet): Comparison {
    const { added, modified, removed } = this;
    if (added === undefined && modified === undefined && removed === undefined) return noDifference;
    return {
      added: added === undefined ? emptySet : make(added),
      modified: modified === undefined ? emptySet : make(modified),
      removed: removed === undefined ? emptySet : make(removed),
    };
  }
}

const ofFields = (children: Map<string, FieldSet>) => fieldSet(false, children, undefined);
const ofItems = (children: Map<string, FieldSet>) => fieldSet(false, undefined, children);

function compareMaps(left: JsonObject, right: JsonObject, map: MapType): Comparison {
  const found = new Collector();
  for (const name in left) {
    const before = left[name];
    if (before === undefined) continue;
    const after = own(right, name);
    if (before === after) continue;
    const type = fieldType(map, name);
    if (after === undefined) found.remove(name, everyPath(before, type));
    else found.child(name, compare(before, after, type));
  }
  for (const name in right) {
    const after = right[name];
    if (after !== undefined && own(left, name) === undefined) found.add(name, everyPath(after, fieldType(map, name)));
  }
  return found.result(ofFields);
}

function compareRepeated(key: string, left: KeyedItems, right: KeyedItems, list: ListType, found: Collector): void {
  const manyLeft = left.repeated?.get(key);
  const manyRight = right.repeated?.get(key);
  const oneLeft = left.byKey.get(key);
  const oneRight = right.byKey.get(key);
  if (manyLeft && manyRight) {
    if (!jsonEqual(manyLeft, manyRight)) found.modify(key, leaf);
  } else if (manyLeft) {
    if (oneRight !== undefined) found.add(key, everyPath(oneRight, list.element));
    found.remove(key, leaf);
  } else if (manyRight) {
    if (oneLeft !== undefined) found.remove(key, everyPath(oneLeft, list.element));
    found.add(key, leaf);
  }
}

function compareLists(left: List, right: List, list: ListType): Comparison {
  const found = new Collector();
  const before = keyedItems(left, list);
  const after = keyedItems(right, list);
  for (const [key, item] of before.byKey) {
    const other = after.byKey.get(key);
    if (before.repeated?.has(key) || after.repeated?.has(key)) compareRepeated(key, before, after, list, found);
    else if (other === undefined) found.remove(key, everyPath(item, list.element));
    else if (other !== item) found.child(key, compare(item, other, list.element));
  }
  for (const [key, item] of after.byKey) {
    if (before.byKey.has(key)) continue;
    if (after.repeated?.has(key)) compareRepeated(key, before, after, list, found);
    else found.add(key, everyPath(item, list.element));
  }
  return found.result(ofItems);
}

const isBare = (value: JsonValue): boolean => value === null || isEmptyObject(value) || (value as List).length === 0;

const leafDifference = (left: JsonValue, right: JsonValue): Comparison =>
  jsonEqual(left, right) ? noDifference : modifiedHere;

/** The paths in which `right` differs from `left`. Shared branches are not entered. */
export function compare(left: JsonValue, right: JsonValue, type: ValueType): Comparison {
  if (left === right || type.ignored === true) return noDifference;
  const leftMap = granularMap(left, type);
  const rightMap = granularMap(right, type);
  const map = leftMap ?? rightMap;
  // Null stands for an empty container where the other side has one.
  if (map !== undefined && isSide(leftMap, left) && isSide(rightMap, right)) {
    if (isBare(left) && isBare(right)) return leafDifference(left, right);
    return compareMaps((left ?? {}) as JsonObject, (right ?? {}) as JsonObject, map);
  }
  const leftList = granularList(left, type);
  const rightList = granularList(right, type);
  const list = leftList ?? rightList;
  if (list !== undefined && isSide(leftList, left) && isSide(rightList, right)) {
    if (isBare(left) && isBare(right)) return leafDifference(left, right);
    return compareLists((left ?? []) as List, (right ?? []) as List, list);
  }
  if (map === undefined && list === undefined) return leafDifference(left, right);
  // The value changed its shape: what was in it is gone, what is in it is new, and it is itself another value.
  const below = (value: JsonValue): FieldSet => {
    const { fields, items } = everyPath(value, type);
    return fieldSet(false, fields, items);
  };
  return { added: below(right), modified: leaf, removed: below(left) };
}

const isSide = (shape: MapType | ListType | undefined, value: JsonValue): boolean =>
  shape !== undefined || value === null;

/** A comparison without the given fields and everything below them. */
export function withoutFields(comparison: Comparison, fields: FieldSet): Comparison {
  if (comparison === noDifference || fields === emptySet) return comparison;
  return {
    added: recursiveDifference(comparison.added, fields),
    modified: recursiveDifference(comparison.modified, fields),
    removed: recursiveDifference(comparison.removed, fields),
  };
}

/** Added and modified paths together: what the writer of the right side has set. */
export function written(comparison: Comparison): FieldSet {
  return union(comparison.added, comparison.modified);
}
