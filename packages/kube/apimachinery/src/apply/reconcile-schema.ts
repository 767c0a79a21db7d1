import type { FieldSet } from './field-set.ts';
import { fieldSet, leaf } from './field-set.ts';
import type { ValueType } from './value-type.ts';
import { deduced } from './value-type.ts';

function reconcileNode(node: FieldSet, type: ValueType): FieldSet {
  if (node.fields === undefined && node.items === undefined) return node;
  if (type === deduced) return node;
  const whole = node.fields === undefined ? type.list?.atomic : type.map?.atomic;
  if (whole === true) return leaf;
  const fields = reconcileAll(node.fields, (name) => type.map?.field(name) ?? type.map?.element);
  const items = reconcileAll(node.items, () => type.list?.element);
  if (fields === node.fields && items === node.items) return node;
  return fieldSet(node.member, new Map(fields), new Map(items));
}

type Children = NonNullable<FieldSet['fields']>;

/** The same map when nothing in it is different, which it hardly ever is. */
function reconcileAll(
  children: Children | undefined,
  typeOf: (name: string) => ValueType | undefined,
): Children | undefined {
  let next: Map<string, FieldSet> | undefined;
  for (const [name, child] of children ?? []) {
    const type = typeOf(name);
    const reconciled = type === undefined ? child : reconcileNode(child, type);
    if (reconciled === child) continue;
    next ??= new Map(children);
    next.set(name, reconciled);
  }
  return next ?? children;
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

/** What was made from up-to-date sets by a change under this schema needs no look. */
export function markUpToDate(set: FieldSet, type: ValueType): void {
  if (known.get(set)?.type !== type) known.set(set, { type, result: set });
}
