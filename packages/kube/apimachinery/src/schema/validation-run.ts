import { type FieldError, fieldError } from '../field-error.ts';
import type { Correlated } from './correlation.ts';

/** One validation of one value: where it stands, what it found. Reused down the whole walk to allocate nothing per node. */
export interface ValidationRun {
  errors: FieldError[];
  readonly path: (string | number)[];
  /** Checks that passed; decides which failing branch of anyOf/oneOf is reported. */
  matches: number;
  /** Set while ratcheting: this place beside its old value. */
  correlated: Correlated | undefined;
}

export type Check = (value: unknown, run: ValidationRun) => void;

export function newRun(correlated?: Correlated): ValidationRun {
  return { errors: [], path: [], matches: 0, correlated };
}

/** `spec.ports[0].name`; map keys are written like fields, as kube-openapi does. */
export function pathText(path: readonly (string | number)[]): string {
  let text = '';
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`;
    else text += text === '' ? step : `.${step}`;
  }
  return text;
}

/** `Invalid value: ...: <path> in body <problem>` */
export function reportInvalid(run: ValidationRun, value: unknown, problem: string): void {
  const path = pathText(run.path);
  run.errors.push(fieldError.invalid(path, value, `${path} in body ${problem}`));
}

/** `Invalid value: "string": spec.replicas in body must be of type integer: "string"` */
export function reportType(run: ValidationRun, wanted: string, found: string): void {
  const path = pathText(run.path);
  const detail = `${path} in body must be of type ${wanted}: ${JSON.stringify(found)}`;
  run.errors.push(fieldError.typeInvalid(path, found, detail));
}

/** Problems that kube-openapi reports without a field: the path is only in the text. */
export function reportUnplaced(run: ValidationRun, text: string): void {
  run.errors.push(fieldError.invalid('', '', text));
}

/** Runs a check on a field, keeping path and old value in step. Errors of an unchanged field are dropped. */
export function checkField(check: Check, value: unknown, field: string, run: ValidationRun): void {
  const parent = run.correlated;
  run.path.push(field);
  if (parent === undefined) check(value, run);
  else {
    // Both sides were converted to one apiVersion and kind, so a change there cannot be seen and is never excused.
    const isTypeMeta = run.path.length === 1 && (field === 'apiVersion' || field === 'kind');
    checkRatcheted(check, value, isTypeMeta ? undefined : parent.key(field), run);
    run.correlated = parent;
  }
  run.path.pop();
}

/** The same for a list item. */
export function checkItem(check: Check, value: unknown, index: number, run: ValidationRun): void {
  const parent = run.correlated;
  run.path.push(index);
  if (parent === undefined) check(value, run);
  else {
    checkRatcheted(check, value, parent.index(index), run);
    run.correlated = parent;
  }
  run.path.pop();
}

function checkRatcheted(check: Check, value: unknown, correlated: Correlated | undefined, run: ValidationRun): void {
  const before = run.errors.length;
  run.correlated = correlated;
  check(value, run);
  if (run.errors.length > before && correlated?.unchanged()) run.errors.length = before;
}
