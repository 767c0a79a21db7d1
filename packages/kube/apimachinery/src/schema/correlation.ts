import { isJsonObject, jsonEqual } from '../json.ts';
import type { Schema } from '../schema-types.ts';

/** The items of an old list-type map, found again by the values of their keys. */
export class MapList {
  private readonly keys: readonly string[];
  private readonly schema: Schema;
  private readonly byKey = new Map<unknown, unknown>();

  constructor(schema: Schema, items: readonly unknown[]) {
    this.schema = schema;
    this.keys = schema['x-kubernetes-list-map-keys'] ?? [];
    for (const item of items) {
      const key = this.keyOf(item);
      if (key !== undefined && !this.byKey.has(key)) this.byKey.set(key, item);
    }
  }

  /** The old item with the same keys, or undefined. */
  get(item: unknown): unknown {
    const key = this.keyOf(item);
    return key === undefined ? undefined : this.byKey.get(key);
  }

  private keyOf(item: unknown): unknown {
    if (!isJsonObject(item)) return undefined;
    const part = (key: string) => {
      const value = (Object.hasOwn(item, key) ? item[key] : undefined) ?? this.schema.items?.properties?.[key]?.default;
      // Only scalars identify.
      return typeof value === 'object' ? undefined : value;
    };
    if (this.keys.length === 1) return part(this.keys[0] as string);
    const parts = this.keys.map(part);
    // An item that lacks a key cannot be told from others.
    return parts.includes(undefined) ? undefined : JSON.stringify(parts);
  }
}

/** A field of a schema by name: a declared property, or the schema of map values. */
export function fieldSchema(schema: Schema, field: string): Schema | undefined {
  const { properties, additionalProperties } = schema;
  if (properties !== undefined && Object.hasOwn(properties, field)) return properties[field];
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}

/**
 * One place of an object on update: its new value beside the old value it grew from. Fields correlate by name, items of
 * list-type maps by their keys; items of other lists do not correlate. Built lazily, only where somebody asks.
 */
export class Correlated {
  readonly value: unknown;
  readonly old: unknown;
  readonly schema: Schema;
  private equal: boolean | undefined;
  private oldItems: MapList | undefined;
  private children: Map<string | number, Correlated> | undefined;

  constructor(value: unknown, old: unknown, schema: Schema) {
    this.value = value;
    this.old = old;
    this.schema = schema;
  }

  /** The same field of both values, or undefined when either lacks it or the schema does not know it. */
  key(field: string): Correlated | undefined {
    const known = this.children?.get(field);
    if (known) return known;
    const { value, old } = this;
    if (!isJsonObject(value) || !isJsonObject(old)) return undefined;
    if (!Object.hasOwn(value, field) || !Object.hasOwn(old, field)) return undefined;
    const schema = fieldSchema(this.schema, field);
    return schema && this.remember(field, new Correlated(value[field], old[field], schema));
  }

  /** The item at this index of the new list beside its old self; only list-type maps have that. */
  index(index: number): Correlated | undefined {
    const known = this.children?.get(index);
    if (known) return known;
    const { value, old, schema } = this;
    if (schema['x-kubernetes-list-type'] !== 'map' || !schema.items) return undefined;
    if (!Array.isArray(value) || !Array.isArray(old) || index >= value.length) return undefined;
    this.oldItems ??= new MapList(schema, old);
    const before = this.oldItems.get(value[index]);
    return before === undefined || before === null
      ? undefined
      : this.remember(index, new Correlated(value[index], before, schema.items));
  }

  /** Whether nothing changed here, item order of list-type maps aside. Unknown fields count as a change. */
  unchanged(): boolean {
    this.equal ??= this.compare();
    return this.equal;
  }

  private compare(): boolean {
    const { value, old } = this;
    if (Array.isArray(value) && Array.isArray(old)) {
      if (value.length !== old.length) return false;
      if (this.schema['x-kubernetes-list-type'] !== 'map') return jsonEqual(value, old);
      return value.every((_, index) => this.index(index)?.unchanged() ?? false);
    }
    if (isJsonObject(value) && isJsonObject(old)) {
      const fields = Object.keys(value);
      return (
        fields.length === Object.keys(old).length && fields.every((field) => this.key(field)?.unchanged() ?? false)
      );
    }
    return jsonEqual(value, old);
  }

  private remember(place: string | number, child: Correlated): Correlated {
    this.children ??= new Map();
    this.children.set(place, child);
    return child;
  }
}
