import type { FieldError } from '../field-error.ts';
import type { Schema } from '../schema-types.ts';
import { junctorCheck, listCheck, objectCheck } from './composite-checks.ts';
import type { Correlated } from './correlation.ts';
import { enumCheck, numberCheck, stringCheck, typeCheck } from './scalar-checks.ts';
import { type Check, newRun } from './validation-run.ts';

/** Compiled checks live as long as their schema and are shared by everyone who holds it. */
const compiled = new WeakMap<Schema, Check>();

function checkOf(schema: Schema): Check {
  const known = compiled.get(schema);
  if (known) return known;
  const check = compile(schema);
  compiled.set(schema, check);
  return check;
}

/** Compiles on first use: schemas may be cyclic, and most branches of a big schema are never visited. */
function lazily(schema: Schema): Check {
  let check = compiled.get(schema);
  return (value, run) => {
    check ??= checkOf(schema);
    check(value, run);
  };
}

function compile(schema: Schema): Check {
  const type = typeCheck(schema);
  const junctors = junctorCheck(schema, lazily);
  const strings = stringCheck(schema);
  const numbers = numberCheck(schema);
  const lists = listCheck(schema, lazily);
  const allowed = enumCheck(schema);
  const objects = objectCheck(schema, lazily);
  return (value, run) => {
    if (type !== undefined) type(value, run);
    if (value === null) {
      if (allowed !== undefined) allowed(value, run);
      return;
    }
    // Every check that applies counts as a match, whatever it finds: anyOf and oneOf report the branch with most.
    run.matches += 6;
    if (junctors !== undefined) junctors(value, run);
    if (typeof value === 'string') {
      if (strings !== undefined) strings(value, run);
      if (allowed !== undefined) allowed(value, run);
    } else if (typeof value === 'number') {
      if (numbers !== undefined) numbers(value, run);
      if (allowed !== undefined) allowed(value, run);
    } else if (Array.isArray(value)) {
      if (lists !== undefined) lists(value, run);
      if (allowed !== undefined) allowed(value, run);
    } else {
      if (allowed !== undefined) allowed(value, run);
      if (objects !== undefined && typeof value === 'object') objects(value, run);
    }
  };
}

/** What a run found, told once, with the place of the value itself put in front of every field. */
function report(errors: FieldError[], at: string): FieldError[] {
  const seen = new Set<string>();
  const told: FieldError[] = [];
  for (const error of errors) {
    const text = `${error.field}\n${error.message}`;
    if (seen.has(text)) continue;
    seen.add(text);
    // The message keeps the path below `at`: that is how Kubernetes words errors of /status writes and of defaults.
    const field = at === '' || error.field === '' ? at || error.field : `${at}.${error.field}`;
    told.push({ ...error, field });
  }
  return told;
}

/** Everything wrong with a value by its OpenAPI schema, in kube-openapi's words. `at` is the path of the value itself. */
export function validateValue(value: unknown, schema: Schema, at = ''): FieldError[] {
  const run = newRun();
  checkOf(schema)(value, run);
  return run.errors.length === 0 ? run.errors : report(run.errors, at);
}

/**
 * The same for an update: what was already wrong and did not change is let through (ratcheting), so that a tightened
 * schema never locks an existing object. `correlated` is the value beside its old self, or undefined without one.
 */
export function validateValueUpdate(
  value: unknown,
  correlated: Correlated | undefined,
  schema: Schema,
  at = '',
): FieldError[] {
  const run = newRun();
  checkOf(schema)(value, run);
  if (run.errors.length === 0) return run.errors;
  if (correlated === undefined) return report(run.errors, at);
  if (correlated.unchanged()) return [];
  const ratcheted = newRun(correlated);
  checkOf(schema)(value, ratcheted);
  return report(ratcheted.errors, at);
}
