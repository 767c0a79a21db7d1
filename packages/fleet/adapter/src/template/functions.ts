import { isJsonObject } from '@hypershift-ts/kube-apimachinery';
import { goType, print, printf, quote, TemplateTime } from './print.ts';
import { formatLayout } from './time-layout.ts';

/** A function that templates may call; it throws a plain `Error` with the reason when it cannot answer. */
export type TemplateFunction = (...args: readonly unknown[]) => unknown;

/** What Go takes for true in `if`, `and` and `or`. */
export function isTrue(value: unknown): boolean {
  if (value === null || value === undefined || value === false || value === '' || value === 0) return false;
  if (Array.isArray(value)) return value.length > 0;
  if (value instanceof TemplateTime) return true;
  return !isJsonObject(value) || Object.keys(value).length > 0;
}

function text(value: unknown): string {
  if (typeof value === 'string') return value;
  throw new Error(`wrong type for value; expected string; got ${goType(value)}`);
}

function textFunction(count: number, run: (...texts: string[]) => unknown): TemplateFunction {
  return (...args) => {
    arity(args, count);
    return run(...args.map(text));
  };
}

function arity(args: readonly unknown[], count: number): void {
  if (args.length !== count) throw new Error(`wrong number of args: want ${count} got ${args.length}`);
}

function sameKind(a: unknown, b: unknown): void {
  if (a === null || b === null || a === undefined || b === undefined) return;
  if (typeof a === 'object' || typeof b === 'object') throw new Error('invalid type for comparison');
  if (typeof a !== typeof b) throw new Error('incompatible types for comparison');
}

function equal(...[first, ...others]: readonly unknown[]): boolean {
  if (others.length === 0) throw new Error('missing argument for comparison');
  return others.some((other) => {
    sameKind(first, other);
    return (first ?? null) === (other ?? null);
  });
}

function less(a: unknown, b: unknown): boolean {
  sameKind(a, b);
  if (typeof a === 'number' && typeof b === 'number') return a < b;
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b)) < 0;
  throw new Error('invalid type for comparison');
}

function comparison(run: (a: unknown, b: unknown) => boolean): TemplateFunction {
  return (...args) => {
    arity(args, 2);
    return run(args[0], args[1]);
  };
}

function length(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (Array.isArray(value)) return value.length;
  if (isJsonObject(value)) return Object.keys(value).length;
  throw new Error(`len of type ${goType(value)}`);
}

function index(item: unknown, ...keys: readonly unknown[]): unknown {
  return keys.reduce((container: unknown, key) => {
    if (Array.isArray(container)) {
      if (typeof key !== 'number' || !Number.isInteger(key))
        throw new Error(`cannot index slice/array with type ${goType(key)}`);
      if (key < 0 || key >= container.length) throw new Error(`index out of range: ${key}`);
      return container[key] as unknown;
    }
    if (isJsonObject(container)) return Object.hasOwn(container, text(key)) ? container[text(key)] : null;
    if (container === null || container === undefined) throw new Error('index of untyped nil');
    throw new Error(`can't index item of type ${goType(container)}`);
  }, item);
}

function date(layout: unknown, moment: unknown): string {
  if (moment instanceof TemplateTime) return formatLayout(text(layout), moment.ms);
  const parsed = typeof moment === 'string' ? Date.parse(moment) : Number.NaN;
  if (Number.isNaN(parsed)) throw new Error(`wrong type for value; expected time.Time; got ${goType(moment)}`);
  return formatLayout(text(layout), parsed);
}

/** A number from whatever is given; what is no number counts as 0, as upstream has it. */
function toNumber(value: unknown): number {
  const number =
    typeof value === 'number' ? value : typeof value === 'string' ? Number(value.trim() || Number.NaN) : Number.NaN;
  return Number.isFinite(number) ? number : 0;
}

const title = (value: string): string =>
  value.replace(/[\p{L}\p{N}']+/gu, (word) => word[0]!.toUpperCase() + word.slice(1).toLowerCase());

const whole = (value: unknown): number => Math.trunc(toNumber(value));

/** The functions of adapter templates; `now` reads the clock it is given. */
export function templateFunctions(now: () => number): ReadonlyMap<string, TemplateFunction> {
  const functions: Readonly<Record<string, TemplateFunction>> = {
    eq: equal,
    ne: comparison((a, b) => !equal(a, b)),
    lt: comparison(less),
    le: comparison((a, b) => less(a, b) || equal(a, b)),
    gt: comparison((a, b) => !less(a, b) && !equal(a, b)),
    ge: comparison((a, b) => !less(a, b)),
    not: (...args) => {
      arity(args, 1);
      return !isTrue(args[0]);
    },
    len: (...args) => {
      arity(args, 1);
      return length(args[0]);
    },
    index,
    print: (...args) => args.map(print).join(''),
    printf: (format, ...args) => printf(text(format), args),
    now: () => new TemplateTime(now()),
    date,
    dateFormat: date,
    lower: textFunction(1, (value) => value!.toLowerCase()),
    upper: textFunction(1, (value) => value!.toUpperCase()),
    title: textFunction(1, (value) => title(value!)),
    trim: textFunction(1, (value) => value!.trim()),
    trimPrefix: textFunction(2, (value, prefix) => (value!.startsWith(prefix!) ? value!.slice(prefix!.length) : value)),
    trimSuffix: textFunction(2, (value, suffix) =>
      suffix !== '' && value!.endsWith(suffix!) ? value!.slice(0, -suffix!.length) : value,
    ),
    replace: textFunction(3, (value, old, replacement) => value!.replaceAll(old!, () => replacement!)),
    contains: textFunction(2, (value, part) => value!.includes(part!)),
    hasPrefix: textFunction(2, (value, prefix) => value!.startsWith(prefix!)),
    hasSuffix: textFunction(2, (value, suffix) => value!.endsWith(suffix!)),
    quote: (value) => quote(text(value)),
    default: (fallback, value) => (value === null || value === undefined || value === '' ? fallback : value),
    int: whole,
    int64: whole,
    float: toNumber,
    float64: toNumber,
    string: (value) => print(value),
  };
  return new Map(Object.entries(functions));
}

/** Names known when parsing: `and` and `or` are evaluated by the engine because they stop early. */
export const FUNCTION_NAMES: ReadonlySet<string> = new Set(['and', 'or', ...templateFunctions(() => 0).keys()]);
