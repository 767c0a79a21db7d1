/** One step of a parsed path. */
export type Step =
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'wildcard' }
  | { readonly kind: 'recursive' }
  | { readonly kind: 'slice'; readonly from: number | undefined; readonly to: number | undefined; readonly by: number }
  | { readonly kind: 'index'; readonly index: number }
  | { readonly kind: 'union'; readonly steps: readonly Step[] }
  | {
      readonly kind: 'filter';
      readonly left: Operand;
      readonly operator: Operator;
      readonly right: Operand | undefined;
    };

export type Operator = '==' | '!=' | '<' | '<=' | '>' | '>=' | 'exists';

export type Operand =
  | { readonly kind: 'path'; readonly root: '@' | '$'; readonly steps: readonly Step[] }
  | { readonly kind: 'literal'; readonly values: readonly [string | number | boolean] };

/** The path text is not JSONPath as Kubernetes writes it. */
export class JsonPathError extends Error {
  override readonly name = 'JsonPathError';
}

const maxLength = 4096;

/** Reads `.status.conditions[?(@.type=="Ready")].status`; surrounding braces and a leading `$` or `@` are allowed. */
export function parsePath(source: string): Step[] {
  if (source.length > maxLength) throw new JsonPathError(`path longer than ${maxLength} characters`);
  const braced = /^\{(.*)\}$/s.exec(source.trim());
  const reader = new Reader((braced?.[1] ?? source).trim());
  if (reader.peek() === '$' || reader.peek() === '@') reader.at++;
  else if (reader.peek() !== '.' && reader.peek() !== '[' && !reader.done()) reader.text = `.${reader.text}`;
  const steps = readSteps(reader, '');
  if (!reader.done()) throw new JsonPathError(`unexpected ${JSON.stringify(reader.peek())} in path ${source}`);
  return steps;
}

class Reader {
  text: string;
  at = 0;
  constructor(text: string) {
    this.text = text;
  }
  peek(): string {
    return this.text[this.at] ?? '';
  }
  done(): boolean {
    return this.at >= this.text.length;
  }
  skipSpaces(): void {
    while (this.peek() === ' ') this.at++;
  }
  take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.text);
    if (!match) return undefined;
    this.at += match[0].length;
    return match[0];
  }
}

/** Reads steps until the end or one of the stop characters. */
function readSteps(reader: Reader, stops: string): Step[] {
  const steps: Step[] = [];
  while (!reader.done() && !stops.includes(reader.peek())) {
    const next = reader.peek();
    if (next === '.') {
      reader.at++;
      if (reader.peek() === '.') {
        reader.at++;
        steps.push({ kind: 'recursive' });
      }
      if (reader.peek() === '[') continue;
      if (reader.peek() === '*') {
        reader.at++;
        steps.push({ kind: 'wildcard' });
        continue;
      }
      const name = reader.take(/(?:\\.|[^\s.[\]{}(),=!<>'"\\&|?*])+/y);
      if (name !== undefined) steps.push({ kind: 'field', name: name.replaceAll(/\\(.)/g, '$1') });
      else if (!reader.done() && !stops.includes(reader.peek())) {
        throw new JsonPathError(`unexpected ${JSON.stringify(reader.peek())} after "."`);
      }
    } else if (next === '[') steps.push(readBracket(reader));
    else throw new JsonPathError(`unexpected ${JSON.stringify(next)} in path`);
  }
  return steps;
}

function readBracket(reader: Reader): Step {
  reader.at++;
  reader.skipSpaces();
  const step = reader.peek() === '?' ? readFilter(reader) : readSelectors(reader);
  reader.skipSpaces();
  if (reader.peek() !== ']') throw new JsonPathError('unterminated array');
  reader.at++;
  return step;
}

function readSelectors(reader: Reader): Step {
  const steps: Step[] = [];
  do {
    if (reader.peek() === ',') reader.at++;
    reader.skipSpaces();
    steps.push(readSelector(reader));
    reader.skipSpaces();
  } while (reader.peek() === ',');
  return steps.length === 1 ? (steps[0] as Step) : { kind: 'union', steps };
}

function readSelector(reader: Reader): Step {
  const next = reader.peek();
  if (next === '*') {
    reader.at++;
    return { kind: 'wildcard' };
  }
  if (next === "'" || next === '"') return { kind: 'field', name: readQuoted(reader) };
  const slice = reader.take(/-?\d*(?::-?\d*){1,2}/y);
  if (slice !== undefined) {
    const [from, to, by] = slice.split(':').map((part) => (part === '' ? undefined : Number(part)));
    if (by !== undefined && by <= 0) throw new JsonPathError('step must be > 0');
    return { kind: 'slice', from, to, by: by ?? 1 };
  }
  const index = reader.take(/-?\d+/y);
  if (index !== undefined) return { kind: 'index', index: Number(index) };
  throw new JsonPathError(`invalid array index ${JSON.stringify(next)}`);
}

function readQuoted(reader: Reader): string {
  const quote = reader.peek();
  const raw = reader.take(quote === "'" ? /'(?:\\.|[^'\\])*'/y : /"(?:\\.|[^"\\])*"/y);
  if (raw === undefined) throw new JsonPathError('unterminated quoted string');
  return raw.slice(1, -1).replaceAll(/\\(.)/g, '$1');
}

function readFilter(reader: Reader): Step {
  reader.at++;
  if (reader.peek() !== '(') throw new JsonPathError('expected ( after ?');
  reader.at++;
  const left = readOperand(reader);
  reader.skipSpaces();
  const operator = reader.take(/==|!=|<=|>=|<|>/y) as Operator | undefined;
  const right = operator === undefined ? undefined : readOperand(reader);
  reader.skipSpaces();
  if (reader.peek() !== ')') throw new JsonPathError('unterminated filter');
  reader.at++;
  return { kind: 'filter', left, operator: operator ?? 'exists', right };
}

function readOperand(reader: Reader): Operand {
  reader.skipSpaces();
  const next = reader.peek();
  if (next === '@' || next === '$') {
    reader.at++;
    return { kind: 'path', root: next, steps: readSteps(reader, ' )=!<>') };
  }
  if (next === "'" || next === '"') return { kind: 'literal', values: [readQuoted(reader)] };
  const number = reader.take(/[-+]?\d+(?:\.\d+)?/y);
  if (number !== undefined) return { kind: 'literal', values: [Number(number)] };
  const word = reader.take(/true|false/y);
  if (word !== undefined) return { kind: 'literal', values: [word === 'true'] };
  throw new JsonPathError(`unrecognized operand ${JSON.stringify(next)} in filter`);
}
