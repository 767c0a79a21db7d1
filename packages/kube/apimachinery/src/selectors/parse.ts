import { formatFieldError } from '../field-error.ts';
import type { Requirement, SelectorOperator } from './requirement.ts';
import { labelKeyError, newRequirement, SelectorError } from './requirement.ts';

type TokenKind =
  | 'identifier'
  | 'end'
  | 'error'
  | ')'
  | '('
  | ','
  | '!'
  | '=='
  | '='
  | '!='
  | '>'
  | '<'
  | 'in'
  | 'notin';

interface Token {
  readonly kind: TokenKind;
  readonly literal: string;
}

const symbols: ReadonlySet<string> = new Set([')', '(', ',', '!', '==', '=', '!=', '>', '<']);
const symbolCharacters = '=!(),><';
const blanks = ' \t\r\n';

function readSymbol(text: string, start: number): { token: Token; end: number } {
  let end = start;
  let longest = '';
  while (end < text.length && symbolCharacters.includes(text[end] ?? '')) {
    const candidate = text.slice(start, end + 1);
    if (symbols.has(candidate)) longest = candidate;
    else if (longest !== '') break;
    end++;
  }
  return { token: { kind: longest as TokenKind, literal: longest }, end };
}

function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  for (;;) {
    while (at < text.length && blanks.includes(text[at] ?? '')) at++;
    const char = text[at];
    if (char === undefined || char === '\0') {
      tokens.push({ kind: 'end', literal: '' });
      return tokens;
    }
    if (symbolCharacters.includes(char)) {
      const { token, end } = readSymbol(text, at);
      tokens.push(token);
      at = end;
      continue;
    }
    const start = at;
    while (at < text.length && !symbolCharacters.includes(text[at] ?? '') && !blanks.includes(text[at] ?? '')) {
      if (text[at] === '\0') break;
      at++;
    }
    const literal = text.slice(start, at);
    tokens.push({ kind: literal === 'in' || literal === 'notin' ? literal : 'identifier', literal });
  }
}

const binaryOperators = 'in, notin, =, ==, !=, gt, lt';

const operatorOf: { readonly [kind in TokenKind]?: SelectorOperator } = {
  in: 'in',
  notin: 'notin',
  '=': '=',
  '==': '==',
  '!=': '!=',
  '>': 'gt',
  '<': 'lt',
};

class Parser {
  private readonly tokens: readonly Token[];
  private position = 0;

  constructor(text: string) {
    this.tokens = tokenize(text);
  }

  /** `in` and `notin` are operators only after a key; everywhere else they are ordinary words. */
  private word(): Token {
    const token = this.operator();
    return token.kind === 'in' || token.kind === 'notin' ? { kind: 'identifier', literal: token.literal } : token;
  }

  private operator(): Token {
    return this.tokens[Math.min(this.position, this.tokens.length - 1)] ?? { kind: 'end', literal: '' };
  }

  private next(): Token {
    const token = this.word();
    this.position++;
    return token;
  }

  parse(): Requirement[] {
    const requirements: Requirement[] = [];
    for (;;) {
      const { kind, literal } = this.word();
      if (kind === 'end') return requirements;
      if (kind !== 'identifier' && kind !== '!') {
        throw new SelectorError(`found '${literal}', expected: !, identifier, or 'end of string'`);
      }
      requirements.push(this.requirement());
      const after = this.next();
      if (after.kind === 'end') return requirements;
      if (after.kind !== ',') throw new SelectorError(`found '${after.literal}', expected: ',' or 'end of string'`);
      const following = this.word();
      if (following.kind !== 'identifier' && following.kind !== '!') {
        throw new SelectorError(`found '${following.literal}', expected: identifier after ','`);
      }
    }
  }

  private requirement(): Requirement {
    try {
      return this.parseRequirement();
    } catch (error) {
      throw error instanceof SelectorError
        ? new SelectorError(`unable to parse requirement: ${error.message}`, { cause: error })
        : error;
    }
  }

  private parseRequirement(): Requirement {
    let token = this.next();
    const negated = token.kind === '!';
    if (negated) token = this.next();
    if (token.kind !== 'identifier') throw new SelectorError(`found '${token.literal}', expected: identifier`);
    const key = token.literal;
    const keyError = labelKeyError(key, '');
    if (keyError) throw new SelectorError(formatFieldError(keyError));
    const { kind } = this.word();
    if (negated) return newRequirement(key, '!', []);
    if (kind === 'end' || kind === ',') return newRequirement(key, 'exists', []);
    const found = this.operator();
    this.position++;
    const operator = operatorOf[found.kind];
    if (!operator) throw new SelectorError(`found '${found.literal}', expected: ${binaryOperators}`);
    const values = operator === 'in' || operator === 'notin' ? this.valueSet() : this.exactValue();
    return newRequirement(key, operator, values);
  }

  private valueSet(): string[] {
    const open = this.next();
    if (open.kind !== '(') throw new SelectorError(`found '${open.literal}' expected: '('`);
    const first = this.word();
    if (first.kind === ')') {
      this.position++;
      return [''];
    }
    if (first.kind !== 'identifier' && first.kind !== ',') {
      throw new SelectorError(`found '${first.literal}', expected: ',', ')' or identifier`);
    }
    const values = this.identifiers();
    if (this.next().kind !== ')') throw new SelectorError(`found '${first.literal}', expected: ')'`);
    return values;
  }

  /** Possibly empty words between commas, up to but not including the closing parenthesis. */
  private identifiers(): string[] {
    const values = new Set<string>();
    for (;;) {
      const token = this.next();
      if (token.kind === 'identifier') {
        values.add(token.literal);
        const after = this.word();
        if (after.kind === ')') return [...values].sort();
        if (after.kind !== ',') throw new SelectorError(`found '${after.literal}', expected: ',' or ')'`);
      } else if (token.kind === ',') {
        if (values.size === 0) values.add('');
        const after = this.word();
        if (after.kind === ')' || after.kind === ',') values.add('');
        if (after.kind === ')') return [...values].sort();
      } else {
        throw new SelectorError(`found '${token.literal}', expected: ',', or identifier`);
      }
    }
  }

  private exactValue(): string[] {
    const { kind } = this.word();
    if (kind === 'end' || kind === ',') return [''];
    const token = this.next();
    if (token.kind !== 'identifier') throw new SelectorError(`found '${token.literal}', expected: identifier`);
    return [token.literal];
  }
}

/** The requirements of a label selector's text, in the order they were written. */
export function parseRequirements(text: string): Requirement[] {
  return new Parser(text).parse();
}
