import { isJsonObject } from '@hypershift-ts/kube-apimachinery';

/** A moment, as `now` hands it to `date`. */
export class TemplateTime {
  readonly ms: number;
  constructor(ms: number) {
    this.ms = ms;
  }
}

/** A value as Go's `%v` prints it, except that whole numbers are never written with an exponent. */
export function print(value: unknown): string {
  if (value === null || value === undefined) return '<nil>';
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return printNumber(value);
  if (value instanceof TemplateTime)
    return `${new Date(value.ms).toISOString().replace('T', ' ').slice(0, -1)} +0000 UTC`;
  if (Array.isArray(value)) return `[${value.map(print).join(' ')}]`;
  if (isJsonObject(value)) {
    const keys = Object.keys(value).sort();
    return `map[${keys.map((key) => `${key}:${print(value[key])}`).join(' ')}]`;
  }
  return String(value as boolean | bigint);
}

/** Go writes a float64 of 1000000 as 1e+06; a generation or replica count must not come out like that. */
function printNumber(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e21) return String(value);
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  return String(value).replace(/e([+-])(\d)$/, 'e$10$2');
}

/** What an action writes: like `print`, but a missing value has words of its own. */
export function printResult(value: unknown): string {
  return value === null || value === undefined ? '<no value>' : print(value);
}

/** `%q`: a double-quoted Go string literal. */
export function quote(text: string): string {
  return JSON.stringify(text).replace(/\\u00(0[0-7be-f]|1[\da-f]|7f)/g, (whole, hex: string) => {
    if (hex === '07') return '\\a';
    if (hex === '0b') return '\\v';
    return hex === '08' || hex === '0c' ? whole : `\\x${hex}`;
  });
}

const VERB = /%(?:%|([-+# 0]*)(\d{1,3})?(?:\.(\d{1,3}))?([a-zA-Z]))/g;

/** `printf` with the verbs that manifests use. */
export function printf(format: string, args: readonly unknown[]): string {
  let next = 0;
  const text = format.replace(VERB, (whole, flags?: string, width?: string, precision?: string, verb?: string) => {
    if (verb === undefined) return '%';
    if (next >= args.length) return `%!${verb}(MISSING)`;
    const value = args[next++];
    const body = formatVerb(verb, value, flags ?? '', precision === undefined ? undefined : Number(precision));
    return pad(body, flags ?? '', Number(width ?? 0), typeof value === 'number') ?? whole;
  });
  if (next >= args.length) return text;
  const extra = args.slice(next).map((value) => `${goType(value)}=${print(value)}`);
  return `${text}%!(EXTRA ${extra.join(', ')})`;
}

function formatVerb(verb: string, value: unknown, flags: string, precision: number | undefined): string {
  const wrong = `%!${verb}(${goType(value)}=${print(value)})`;
  if (verb === 'v') return print(value);
  if (verb === 's') {
    const text = typeof value === 'string' ? value : typeof value === 'object' ? print(value) : undefined;
    return text === undefined ? wrong : precision === undefined ? text : Array.from(text).slice(0, precision).join('');
  }
  if (verb === 'q') return typeof value === 'string' ? quote(value) : wrong;
  if (verb === 't') return typeof value === 'boolean' ? String(value) : wrong;
  if (verb === 'x' && typeof value === 'string') return Buffer.from(value).toString('hex');
  if (typeof value !== 'number') return wrong;
  const number = numeric(verb, value, precision);
  if (number === undefined) return wrong;
  return flags.includes('+') && value >= 0 ? `+${number}` : number;
}

function numeric(verb: string, value: number, precision: number | undefined): string | undefined {
  const digits = Math.min(precision ?? 6, 100);
  switch (verb) {
    case 'f':
    case 'F':
      return value.toFixed(digits);
    case 'e':
      return value.toExponential(digits).replace(/e([+-])(\d)$/, 'e$10$2');
    case 'g':
      return print(value);
    case 'd':
      return Number.isInteger(value) ? String(value) : undefined;
    case 'x':
      return Number.isInteger(value) ? value.toString(16) : undefined;
    case 'X':
      return Number.isInteger(value) ? value.toString(16).toUpperCase() : undefined;
    case 'o':
      return Number.isInteger(value) ? value.toString(8) : undefined;
    case 'b':
      return Number.isInteger(value) ? value.toString(2) : undefined;
    case 'c':
      return Number.isInteger(value) && value >= 0 && value <= 0x10ffff ? String.fromCodePoint(value) : undefined;
    default:
      return undefined;
  }
}

function pad(text: string, flags: string, width: number, isNumber: boolean): string {
  if (flags.includes('-')) return text.padEnd(width);
  if (!flags.includes('0') || !isNumber) return text.padStart(width);
  const sign = /^[+-]/.exec(text)?.[0] ?? '';
  return sign + text.slice(sign.length).padStart(width - sign.length, '0');
}

/** Go's name of a value's type, for messages. */
export function goType(value: unknown): string {
  if (value === null || value === undefined) return '<nil>';
  if (value instanceof TemplateTime) return 'time.Time';
  if (Array.isArray(value)) return '[]interface {}';
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'bool';
    case 'number':
      return Number.isInteger(value) ? 'int' : 'float64';
    default:
      return 'map[string]interface {}';
  }
}
