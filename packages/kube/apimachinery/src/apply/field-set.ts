/**
 * A set of field paths as an immutable tree. A node says whether the path that leads to it is in the set, and holds
 * the paths below it: by field name for objects, by item key (`k:…`, `v:…`, `i:…`) for lists. Because nothing ever
 * changes, trees share branches freely and every operation returns its argument when the result is equal to it.
 */
export class FieldSet {
  /** Whether the path to this node itself is in the set. Never true for the root. */
  readonly member: boolean;
  readonly fields: Children;
  readonly items: Children;
  /** The FieldsV1 form, once somebody asked for it. */
  encoded: object | undefined = undefined;

  constructor(member: boolean, fields: Children, items: Children) {
    this.member = member;
    this.fields = fields;
    this.items = items;
  }
}

export type Children = ReadonlyMap<string, FieldSet> | undefined;

/** A path that is in the set and has nothing below it. */
export const leaf = new FieldSet(true, undefined, undefined);
export const emptySet = new FieldSet(false, undefined, undefined);

/** Builds a node; nodes without children are shared. */
export function fieldSet(member: boolean, fields: Children, items: Children): FieldSet {
  const some = fields !== undefined && fields.size > 0 ? fields : undefined;
  const others = items !== undefined && items.size > 0 ? items : undefined;
  if (some === undefined && others === undefined) return member ? leaf : emptySet;
  return new FieldSet(member, some, others);
}

export function asMember(node: FieldSet): FieldSet {
  return node.member ? node : fieldSet(true, node.fields, node.items);
}

/** A set of plain field paths: `fieldSetOf([['status'], ['metadata', 'labels']])`. */
export function fieldSetOf(paths: readonly (readonly string[])[]): FieldSet {
  let result = emptySet;
  for (const path of paths) {
    let node = leaf;
    for (const name of path.toReversed()) node = fieldSet(false, new Map([[name, node]]), undefined);
    result = union(result, node);
  }
  return result;
}

export function isEmptySet(set: FieldSet): boolean {
  return !set.member && set.fields === undefined && set.items === undefined;
}

function rebuilt(node: FieldSet, member: boolean, fields: Children, items: Children): FieldSet {
  if (member === node.member && fields === node.fields && items === node.items) return node;
  return fieldSet(member, fields, items);
}

function unionChildren(a: Children, b: Children): Children {
  if (a === undefined) return b;
  if (b === undefined || a === b) return a;
  let result: Map<string, FieldSet> | undefined;
  for (const [key, right] of b) {
    const left = a.get(key);
    const both = left === undefined ? right : union(left, right);
    if (both !== left) (result ??= new Map(a)).set(key, both);
  }
  return result ?? a;
}

export function union(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b || b === emptySet) return a;
  if (a === emptySet) return b;
  return rebuilt(a, a.member || b.member, unionChildren(a.fields, b.fields), unionChildren(a.items, b.items));
}

type Combine = (a: FieldSet, b: FieldSet) => FieldSet;

function intersectChildren(a: Children, b: Children): Children {
  if (a === b || a === undefined) return a;
  if (b === undefined) return undefined;
  const result = new Map<string, FieldSet>();
  let same = true;
  for (const [key, left] of a) {
    const right = b.get(key);
    const both = right === undefined ? emptySet : intersection(left, right);
    if (both !== left) same = false;
    if (!isEmptySet(both)) result.set(key, both);
  }
  return same ? a : result.size === 0 ? undefined : result;
}

/** Paths that are in both sets. */
export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b) return a;
  return rebuilt(a, a.member && b.member, intersectChildren(a.fields, b.fields), intersectChildren(a.items, b.items));
}

function subtractChildren(a: Children, b: Children, subtract: Combine): Children {
  if (a === undefined || b === undefined) return a;
  let result: Map<string, FieldSet> | undefined;
  for (const [key, right] of b) {
    const left = a.get(key);
    if (left === undefined) continue;
    const rest = subtract(left, right);
    if (rest === left) continue;
    result ??= new Map(a);
    if (isEmptySet(rest)) result.delete(key);
    else result.set(key, rest);
  }
  return result === undefined ? a : result.size === 0 ? undefined : result;
}

/** Paths of `a` that are not in `b`; what lies below a path of `b` stays. */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  if (b === emptySet) return a;
  const fields = subtractChildren(a.fields, b.fields, difference);
  return rebuilt(a, a.member && !b.member, fields, subtractChildren(a.items, b.items, difference));
}

const subtractBelow: Combine = (left, right) => (right.member ? emptySet : recursiveDifference(left, right));

/** Paths of `a` that are neither in `b` nor below a path of `b`. */
export function recursiveDifference(a: FieldSet, b: FieldSet): FieldSet {
  if (b === emptySet) return a;
  const fields = subtractChildren(a.fields, b.fields, subtractBelow);
  return rebuilt(a, a.member && !b.member, fields, subtractChildren(a.items, b.items, subtractBelow));
}

function childrenEqual(a: Children, b: Children): boolean {
  if (a === b) return true;
  if (a === undefined || b === undefined || a.size !== b.size) return false;
  for (const [key, left] of a) {
    const right = b.get(key);
    if (right === undefined || !setsEqual(left, right)) return false;
  }
  return true;
}

export function setsEqual(a: FieldSet, b: FieldSet): boolean {
  return a === b || (a.member === b.member && childrenEqual(a.fields, b.fields) && childrenEqual(a.items, b.items));
}

function mapChildren(children: Children, change: (node: FieldSet) => FieldSet): Children {
  if (children === undefined) return undefined;
  let result: Map<string, FieldSet> | undefined;
  for (const [key, node] of children) {
    const next = change(node);
    if (next !== node) (result ??= new Map(children)).set(key, next);
  }
  return result ?? children;
}

/** The paths that have no path of the set below them. */
export function leaves(set: FieldSet): FieldSet {
  if (set.fields === undefined && set.items === undefined) return set;
  return rebuilt(set, false, mapChildren(set.fields, leaves), mapChildren(set.items, leaves));
}
