import { jsonClone } from '../json.ts';
import type { Schema } from '../schema-types.ts';
import { reachableTest } from './reachable.ts';

const hasDefault = (schema: Schema) => schema.default !== undefined && schema.default !== null;

/** Whether defaulting has anything to do at or below this schema. */
const mayDefault = reachableTest(hasDefault);

/** Defaulting of one schema node, reduced to the fields where something can happen. */
interface Plan {
  readonly filled: readonly { readonly name: string; readonly schema: Schema }[];
  readonly entered: ReadonlyMap<string, Schema>;
  readonly values: Schema | undefined;
  readonly items: Schema | undefined;
}

const plans = new WeakMap<Schema, Plan>();

function planOf(schema: Schema): Plan {
  const known = plans.get(schema);
  if (known) return known;
  const fields = Object.entries(schema.properties ?? {});
  const values = schema.additionalProperties;
  const plan: Plan = {
    filled: fields.filter(([, field]) => hasDefault(field)).map(([name, field]) => ({ name, schema: field })),
    entered: new Map(fields.filter(([, field]) => mayDefault(field))),
    values: typeof values === 'object' && mayDefault(values) ? values : undefined,
    items: schema.items && mayDefault(schema.items) ? schema.items : undefined,
  };
  plans.set(schema, plan);
  return plan;
}

/**
 * Fills a draft in place, from the top down: a field gets its default when it is missing, or null and not nullable; the
 * defaulted value is then entered itself. Subtrees without any default below are not visited.
 */
export function applySchemaDefaults(draft: unknown, schema: Schema): void {
  if (mayDefault(schema)) fill(draft, schema);
}

function fill(value: unknown, schema: Schema): void {
  // Frozen parts are those of a stored object, which has its defaults.
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
  const plan = planOf(schema);
  if (Array.isArray(value)) {
    const { items } = plan;
    if (!items) return;
    for (let i = 0; i < value.length; i++) {
      if (value[i] === null && takesDefault(items)) value[i] = jsonClone(items.default);
      fill(value[i], items);
    }
    return;
  }
  const object = value as Record<string, unknown>;
  for (const { name, schema: field } of plan.filled) {
    const found = object[name];
    if (found === undefined || (found === null && !field.nullable)) object[name] = jsonClone(field.default);
  }
  for (const name in object) {
    const field = plan.entered.get(name);
    if (field !== undefined) fill(object[name], field);
    else if (plan.values !== undefined && !isDeclared(schema, name)) {
      if (object[name] === null && takesDefault(plan.values)) object[name] = jsonClone(plan.values.default);
      fill(object[name], plan.values);
    }
  }
}

function takesDefault(schema: Schema): boolean {
  return !schema.nullable && hasDefault(schema);
}

function isDeclared(schema: Schema, name: string): boolean {
  return schema.properties !== undefined && Object.hasOwn(schema.properties, name);
}
