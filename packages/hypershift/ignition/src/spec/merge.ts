import type { IgnitionConfig } from './ignition-config.ts';
import type { Field, List, Struct } from './schema.ts';
import { configStruct } from './schema.ts';

type Value = Readonly<Record<string, unknown>>;

/**
 * Ignition's own merge: the child's values win, entries of lists meet by their key (files by path, units by name),
 * and an entry keeps the place of the parent. Either side may be shared; neither is changed.
 */
export function mergeIgnition(parent: IgnitionConfig, child: IgnitionConfig): IgnitionConfig {
  return mergeStruct(asValue(parent), asValue(child), configStruct) as unknown as IgnitionConfig;
}

function mergeStruct(parent: Value, child: Value, of: Struct): Value {
  const families = childFamilies(child, of);
  const merged: Record<string, unknown> = {};
  for (const [name, field] of of.fields) {
    const value = mergeField(name, parent[name], child[name], field, families);
    if (value !== undefined) merged[name] = value;
  }
  return merged;
}

function mergeField(name: string, parent: unknown, child: unknown, field: Field, families: Families): unknown {
  if (field.kind === 'list') {
    const lists = [(parent ?? []) as readonly unknown[], (child ?? []) as readonly unknown[]] as const;
    const list = field.merge === 'append' ? lists.flat() : mergeByKey(name, lists[0], lists[1], field, families);
    return list.length === 0 ? undefined : list;
  }
  if (child === undefined) return parent;
  if (parent === undefined || field.kind !== 'struct') return child;
  return mergeStruct(asValue(parent), asValue(child), field.struct);
}

/** For lists that share keys: in which list of the child a key occurs. */
type Families = ReadonlyMap<string, ReadonlyMap<string, string>>;

function childFamilies(child: Value, of: Struct): Families {
  const families = new Map<string, Map<string, string>>();
  for (const [name, field] of of.fields) {
    if (field.kind !== 'list' || !field.family) continue;
    const keys = families.get(field.family) ?? new Map<string, string>();
    for (const entry of (child[name] ?? []) as readonly unknown[]) keys.set(keyOf(entry, field), name);
    families.set(field.family, keys);
  }
  return families;
}

function mergeByKey(
  name: string,
  parent: readonly unknown[],
  child: readonly unknown[],
  field: List,
  families: Families,
): readonly unknown[] {
  if (child.length === 0 && !field.family) return parent;
  const incoming = new Map(child.map((entry) => [keyOf(entry, field), entry]));
  const elsewhere = field.family ? families.get(field.family) : undefined;
  const known = new Set<string>();
  const merged: unknown[] = [];
  for (const entry of parent) {
    const key = keyOf(entry, field);
    known.add(key);
    const other = incoming.get(key);
    if (other === undefined) {
      if ((elsewhere?.get(key) ?? name) === name) merged.push(entry);
    } else if (field.item === 'string') merged.push(other);
    // A header without a value removes the header of the parent.
    else if (field.item.name !== 'httpHeader' || asValue(other)['value'] !== undefined)
      merged.push(mergeStruct(asValue(entry), asValue(other), field.item));
  }
  for (const entry of child) if (!known.has(keyOf(entry, field))) merged.push(entry);
  return merged;
}

function keyOf(entry: unknown, field: List): string {
  if (field.item === 'string') return String(entry);
  return field.item.keyOf?.(asValue(entry)) ?? '';
}

// Documents were shaped when read, so their values have the types that the schema names.
const asValue = (value: unknown): Value => value as Value;
