import {
  type FieldError,
  fieldError,
  jsonClone,
  jsonEqual,
  pruneUnknownFields,
  type Schema,
  validateEmbedded,
  validateValue,
} from '@hypershift-ts/kube-apimachinery';
import { costBudgetPerObject, validateRules } from '../rules/validate-rules.ts';

/** Checks that every default in a schema would itself be accepted: known fields only, valid, and passing all rules. */
export function validateDefaultValues(schema: Schema, at: string): FieldError[] {
  const run = { errors: [] as FieldError[], budget: costBudgetPerObject };
  visit(schema, true, at, run);
  return run.errors;
}

interface Run {
  readonly errors: FieldError[];
  budget: number;
}

function visit(schema: Schema, isRoot: boolean, at: string, run: Run): void {
  if (run.budget < 0) return;
  if (schema.default !== undefined && schema.default !== null) {
    checkDefault(schema, isRoot || schema['x-kubernetes-embedded-resource'] === true, `${at}.default`, run);
  }
  if (schema.items) visit(schema.items, false, `${at}.items`, run);
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    visit(field, false, `${at}.properties[${name}]`, run);
  }
}

function checkDefault(schema: Schema, isResource: boolean, at: string, run: Run): void {
  const value = schema.default;
  const pruned = jsonClone(value);
  pruneUnknownFields(pruned, schema, { resourceRoot: schema['x-kubernetes-embedded-resource'] === true });
  if (!jsonEqual(pruned, value)) run.errors.push(fieldError.invalid(at, value, 'must not have unknown fields'));
  const wrong = validateEmbedded(value, schema, at);
  if (wrong.length === 0) wrong.push(...validateValue(value, schema, at));
  if (wrong.length > 0) {
    run.errors.push(...wrong);
    return;
  }
  // A default can arrive with a create and with an update that changes nothing; it must pass both ways.
  const asUpdate = validateRules({ value, old: value, schema, isResource, at, budget: run.budget });
  run.errors.push(...asUpdate.errors);
  let { remaining } = asUpdate;
  if (asUpdate.errors.length === 0) {
    const asCreate = validateRules({ value, schema, isResource, at, budget: run.budget });
    run.errors.push(...asCreate.errors);
    remaining = Math.min(remaining, asCreate.remaining);
  }
  run.budget = remaining;
}
