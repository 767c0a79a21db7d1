import { endOfString } from './limits.ts';

/** Finds repeated keys in JSON that is known to be well formed, which JSON.parse passes over in silence. */

const mostReported = 100;
const quote = 34;
const comma = 44;
const openBracket = 91;
const closeBracket = 93;
const openBrace = 123;
const closeBrace = 125;

interface Level {
  /** The keys seen so far in an object; undefined for an array. */
  readonly keys: Set<string> | undefined;
  /** The current key or index, as it appears in a path. */
  step: string;
  index: number;
}

class Scanner {
  readonly found: string[] = [];
  private readonly text: string;
  private readonly levels: Level[] = [];
  private at = 0;
  private expectsKey = false;

  constructor(text: string) {
    this.text = text;
  }

  run(): void {
    for (; this.at < this.text.length; this.at++) {
      const code = this.text.charCodeAt(this.at);
      if (code === quote) this.string();
      else if (code === openBrace || code === openBracket) this.open(code === openBrace);
      else if (code === closeBrace || code === closeBracket) {
        this.levels.pop();
        this.expectsKey = false;
      } else if (code === comma) this.next();
    }
  }

  private open(object: boolean): void {
    this.levels.push({ keys: object ? new Set() : undefined, step: object ? '' : '[0]', index: 0 });
    this.expectsKey = object;
  }

  private next(): void {
    const level = this.levels.at(-1);
    if (level === undefined) return;
    if (level.keys !== undefined) this.expectsKey = true;
    else level.step = `[${++level.index}]`;
  }

  private string(): void {
    const start = this.at;
    this.at = endOfString(this.text, start + 1);
    if (!this.expectsKey) return;
    this.expectsKey = false;
    const key = this.text.slice(start + 1, this.at);
    this.key(key.includes('\\') ? (JSON.parse(`"${key}"`) as string) : key);
  }

  private key(key: string): void {
    const level = this.levels.at(-1);
    if (level?.keys === undefined) return;
    level.step = key;
    if (level.keys.has(key)) this.report();
    else level.keys.add(key);
  }

  private report(): void {
    if (this.found.length >= mostReported) return;
    let path = '';
    for (const { step, keys } of this.levels) path += keys === undefined || path === '' ? step : `.${step}`;
    const message = `duplicate field ${JSON.stringify(path)}`;
    if (!this.found.includes(message)) this.found.push(message);
  }
}

/** `duplicate field "spec.template.x"` for every repeated key, at most a hundred of them. */
export function findDuplicateFields(json: string): readonly string[] {
  const scanner = new Scanner(json);
  scanner.run();
  return scanner.found;
}
