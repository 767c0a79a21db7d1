/** JSONPath the way Kubernetes reads it in printer columns, selectable fields and scale paths. */
import { isJsonObject } from '../json.ts';
import { JsonPathError, type Operand, type Operator, parsePath, type Step } from './parse.ts';

export { JsonPathError } from './parse.ts';

/** A path ready to be asked many times. */
export interface JsonPath {
  readonly source: string;
  /** Everything the path points at, in document order; missing keys simply yield nothing. */
  find(root: unknown): unknown[];
}

/** Compiles a path; throws JsonPathError when it does not parse. */
export function compileJsonPath(source: string): JsonPath {
  const steps = parsePath(source);
  return { source, find: (root) => follow(steps, root, root) };
}

/** Recursive descent visits no more nodes than this, so that no document makes a path expensive. */
const nodeLimit = 100_000;

function follow(steps: readonly Step[], from: unknown, root: unknown): unknown[] {
  // Most paths begin with plain fields, which lead from one value to one value.
  let value = from;
  let at = 0;
  for (; at < steps.length; at++) {
    const step = steps[at];
    if (step?.kind !== 'field') break;
    if (!isJsonObject(value) || !Object.hasOwn(value, step.name)) return [];
    value = value[step.name];
    if (value === undefined) return [];
  }
  let found = [value];
  for (; at < steps.length && found.length > 0; at++) {
    const step = steps[at] as Step;
    found = found.length === 1 ? take(step, found[0], root) : found.flatMap((one) => take(step, one, root));
    if (found.length > nodeLimit) throw new JsonPathError('the path selects too many values');
  }
  return found;
}

function take(step: Step, value: unknown, root: unknown): unknown[] {
  switch (step.kind) {
    case 'field':
      return isJsonObject(value) && Object.hasOwn(value, step.name) && value[step.name] !== undefined
        ? [value[step.name]]
        : [];
    case 'wildcard':
      return children(value);
    case 'recursive':
      return descendants(value);
    case 'index': {
      if (!Array.isArray(value)) return [];
      const index = step.index < 0 ? value.length + step.index : step.index;
      return index in value ? [value[index]] : [];
    }
    case 'slice': {
      if (!Array.isArray(value)) return [];
      return value.slice(step.from ?? 0, step.to ?? value.length).filter((_, i) => i % step.by === 0);
    }
    case 'union':
      return step.steps.flatMap((one) => take(one, value, root));
    case 'filter':
      return (Array.isArray(value) ? value : children(value)).filter((item) => passes(step, item, root));
    default:
      return step satisfies never;
  }
}

function children(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  return isJsonObject(value) ? Object.values(value).filter((child) => child !== undefined) : [];
}

function descendants(value: unknown): unknown[] {
  const found: unknown[] = [value];
  for (let i = 0; i < found.length; i++) {
    if (found.length > nodeLimit) throw new JsonPathError('the path selects too many values');
    found.push(...children(found[i]));
  }
  return found;
}

function passes(step: Extract<Step, { kind: 'filter' }>, item: unknown, root: unknown): boolean {
  const left = operand(step.left, item, root);
  if (step.operator === 'exists') return left.length > 0;
  const right = step.right ? operand(step.right, item, root) : [];
  // Neither side may be missing or plural for a comparison to mean anything.
  if (left.length !== 1 || right.length !== 1) return false;
  return compare(left[0], step.operator, right[0]);
}

function operand(side: Operand, item: unknown, root: unknown): readonly unknown[] {
  return side.kind === 'literal' ? side.values : follow(side.steps, side.root === '@' ? item : root, root);
}

function compare(left: unknown, operator: Exclude<Operator, 'exists'>, right: unknown): boolean {
  if (operator === '==') return left === right;
  if (operator === '!=') return left !== right;
  const isNumbers = typeof left === 'number' && typeof right === 'number';
  if (!isNumbers && !(typeof left === 'string' && typeof right === 'string')) return false;
  const [a, b] = [left as number, right as number];
  if (operator === '<') return a < b;
  if (operator === '<=') return a <= b;
  return operator === '>' ? a > b : a >= b;
}

/** A found value as text: strings bare, everything else as JSON. */
export function jsonPathText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
