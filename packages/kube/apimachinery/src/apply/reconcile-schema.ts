import type { FieldSet } from './field-set.ts';
import { fieldSet, leaf } from './field-set.ts';
import type { ValueType } from './value-type.ts';
import { deduced } from './value-type.ts';

function reconcileNode(node: FieldSet, type: ValueType): FieldSet {
  if (node.fields === undefined && node.items === undefined) return node;
  if (type === deduced) return node;
  const whole = node.fields === undefined ? type.list?.atomic : type.map?.atomic;
  if (whole === true) return leaf;
  const fields = new Map<string, FieldSet>();
  let same = true;
  for (const [name, child] of node.fields ?? []) {
    const childType = type.map?.field(name) ?? type.map?.element;
    const next = childType === undefined ? child : reconcileNode(child, childType);
    if (next !== child) same = false;
    fields.set(name, next);
  }
  const items = new Map<string, FieldSet>();
  for (const [key, child] of node.items ?? []) {
    const next = type.list?.element === undefined ? child : reconcileNode(child, type.list.element);
    if (next !== child) same = false;
    items.set(key, next);
  }
  return same ? node : fieldSet(node.member, fields, items);
}

const known = new WeakMap<FieldSet, { readonly type: ValueType; readonly result: FieldSet }>();

/**
 * Brings a set that was recorded under an older schema up to date: whoever owned fields inside something that has
 * become atomic since owns the whole of it.
 */
export function reconcileWithSchema(set: FieldSet, type: ValueType): FieldSet {
  const remembered = known.get(set);
  if (remembered?.type === type) return remembered.result;
  const result = reconcileNode(set, type);
  known.set(set, { type, result });
  return result;
}
