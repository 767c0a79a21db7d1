import { fieldError } from '../field-error.ts';
import { jsonEqual } from '../json.ts';
import type { Schema } from '../schema-types.ts';
import {
  type Check,
  checkField,
  checkItem,
  pathText,
  reportInvalid,
  reportUnplaced,
  type ValidationRun,
} from './validation-run.ts';

export function listCheck(schema: Schema, lazily: (schema: Schema) => Check): Check | undefined {
  const items = schema.items === undefined ? undefined : lazily(schema.items);
  const { minItems, maxItems, uniqueItems } = schema;
  if (!items && minItems === undefined && maxItems === undefined && !uniqueItems) return undefined;
  return (value, run) => {
    const list = value as readonly unknown[];
    if (items) for (let i = 0; i < list.length; i++) checkItem(items, list[i], i, run);
    if (minItems !== undefined && list.length < minItems) {
      reportInvalid(run, list.length, `should have at least ${minItems} items`);
    }
    if (maxItems !== undefined && list.length > maxItems) {
      run.errors.push(fieldError.tooMany(pathText(run.path), list.length, maxItems));
    }
    if (uniqueItems && hasDuplicates(list)) reportInvalid(run, '', "shouldn't contain duplicates");
  };
}

function hasDuplicates(list: readonly unknown[]): boolean {
  const scalars = new Set<unknown>();
  const composites: unknown[] = [];
  for (const item of list) {
    if (typeof item !== 'object' || item === null) {
      if (scalars.has(item)) return true;
      scalars.add(item);
    } else if (composites.some((other) => jsonEqual(other, item))) return true;
    else composites.push(item);
  }
  return false;
}

export function objectCheck(schema: Schema, lazily: (schema: Schema) => Check): Check | undefined {
  const { minProperties, maxProperties, required, additionalProperties } = schema;
  const fields = new Map(Object.entries(schema.properties ?? {}).map(([name, field]) => [name, lazily(field)]));
  const others = typeof additionalProperties === 'object' ? lazily(additionalProperties) : undefined;
  const closed = additionalProperties === false;
  const counted = minProperties !== undefined || maxProperties !== undefined;
  const isLeaf = fields.size === 0 && !others && !closed;
  if (isLeaf && !counted && (required === undefined || required.length === 0)) return undefined;
  return (value, run) => {
    const object = value as Record<string, unknown>;
    if (counted) checkSize(object, minProperties, maxProperties, run);
    if (!isLeaf) {
      for (const name in object) {
        const field = object[name];
        if (field === undefined) continue;
        const check = fields.get(name);
        if (check !== undefined) checkField(check, field, name, run);
        else if (others !== undefined) checkField(others, field, name, run);
        else if (closed) reportForbidden(name, run);
      }
    }
    if (required !== undefined) {
      for (const name of required) {
        if (object[name] === undefined || !Object.hasOwn(object, name)) {
          const path = pathText(run.path);
          run.errors.push(fieldError.required(path === '' ? name : `${path}.${name}`));
        }
      }
    }
  };
}

function checkSize(object: object, min: number | undefined, max: number | undefined, run: ValidationRun): void {
  let size = 0;
  for (const value of Object.values(object)) if (value !== undefined) size++;
  if (min !== undefined && size < min) reportInvalid(run, size, `should have at least ${min} properties`);
  if (max !== undefined && size > max) run.errors.push(fieldError.tooMany(pathText(run.path), size, max));
}

function reportForbidden(name: string, run: ValidationRun): void {
  const path = pathText(run.path);
  run.errors.push(fieldError.invalid(path, name, `${path}.${name} in body is a forbidden property`));
}

/** anyOf, oneOf, allOf and not. */
export function junctorCheck(schema: Schema, lazily: (schema: Schema) => Check): Check | undefined {
  const [anyOf, oneOf, allOf] = [schema.anyOf, schema.oneOf, schema.allOf].map((list) => (list ?? []).map(lazily)) as [
    Check[],
    Check[],
    Check[],
  ];
  const not = schema.not === undefined ? undefined : lazily(schema.not);
  if (anyOf.length + oneOf.length + allOf.length === 0 && !not) return undefined;
  return (value, run) => {
    if (anyOf.length > 0) checkAnyOf(anyOf, value, run);
    if (oneOf.length > 0) checkOneOf(oneOf, value, run);
    if (allOf.length > 0) checkAllOf(allOf, value, run);
    if (not && branch(not, value, run).errors.length === 0) {
      reportUnplaced(run, `${quotedPath(run)} must not validate the schema (not)`);
    }
  };
}

const quotedPath = (run: ValidationRun) => JSON.stringify(pathText(run.path));

/** One branch on its own: what it found and how far it got. */
function branch(check: Check, value: unknown, run: ValidationRun): Pick<ValidationRun, 'errors' | 'matches'> {
  const { errors, matches } = run;
  run.errors = [];
  run.matches = 0;
  check(value, run);
  const outcome = { errors: run.errors, matches: run.matches };
  run.errors = errors;
  run.matches = matches;
  return outcome;
}

function checkAnyOf(checks: readonly Check[], value: unknown, run: ValidationRun): void {
  let best: Pick<ValidationRun, 'errors' | 'matches'> | undefined;
  for (const check of checks) {
    const outcome = branch(check, value, run);
    if (outcome.errors.length === 0) {
      run.matches += outcome.matches;
      return;
    }
    if (!best || outcome.matches > best.matches) best = outcome;
  }
  reportUnplaced(run, `${quotedPath(run)} must validate at least one schema (anyOf)`);
  run.errors.push(...(best?.errors ?? []));
}

function checkOneOf(checks: readonly Check[], value: unknown, run: ValidationRun): void {
  let best: Pick<ValidationRun, 'errors' | 'matches'> | undefined;
  let valid = 0;
  for (const check of checks) {
    const outcome = branch(check, value, run);
    if (outcome.errors.length === 0) {
      if (valid === 0) run.matches += outcome.matches;
      valid++;
    } else if (!best || outcome.matches > best.matches) best = outcome;
  }
  if (valid === 1) return;
  const found = valid === 0 ? 'Found none valid' : `Found ${valid} valid alternatives`;
  reportUnplaced(run, `${quotedPath(run)} must validate one and only one schema (oneOf). ${found}`);
  if (valid === 0) run.errors.push(...(best?.errors ?? []));
}

function checkAllOf(checks: readonly Check[], value: unknown, run: ValidationRun): void {
  let valid = 0;
  for (const check of checks) {
    const before = run.errors.length;
    check(value, run);
    if (run.errors.length === before) valid++;
  }
  if (valid === checks.length) return;
  reportUnplaced(
    run,
    `${quotedPath(run)} must validate all the schemas (allOf)${valid === 0 ? '. None validated' : ''}`,
  );
}
