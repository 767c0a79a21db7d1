import type { Where } from '../bundle-rows.ts';
import { bad, type Token, tokensOf } from './tokens.ts';

/** What may be searched: plain columns, and documents whose parts `->` and `->>` reach. */
export interface Searchable {
  readonly columns: Readonly<Record<string, ColumnType>>;
  readonly documents: readonly string[];
}

type ColumnType = 'text' | 'numeric' | 'timestamptz';

export const searchableBundles: Searchable = {
  columns: {
    id: 'text',
    name: 'text',
    source: 'text',
    consumer_name: 'text',
    version: 'numeric',
    type: 'text',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
    deleted_at: 'timestamptz',
  },
  documents: ['payload', 'status'],
};

export const searchableConsumers: Searchable = {
  columns: { id: 'text', name: 'text', created_at: 'timestamptz', updated_at: 'timestamptz' },
  documents: ['labels'],
};

const comparisons = new Set(['=', '!=', '<>', '<', '<=', '>', '>=', 'like', 'ilike']);
const deepest = 20;

/** Whether the database would take a text as a value of its type; what it would not is the caller's mistake. */
const fits: Readonly<Record<ColumnType | 'jsonb', (text: string) => boolean>> = {
  text: (text) => !text.includes('\0'),
  numeric: (text) => /^-?\d{1,18}(\.\d{1,9})?$/.test(text),
  timestamptz: (text) => Number.isFinite(Date.parse(text)) && /^\d{4}-/.test(text),
  jsonb(text) {
    try {
      JSON.parse(text);
      return !text.includes('\\u0000');
    } catch {
      return false;
    }
  },
};

/** A search as a condition of SQL. Names are checked, values only ever become parameters. */
export function whereOf(search: string | undefined, searchable: Searchable): Where {
  if (!search?.trim()) return { sql: 'true', parameters: [] };
  const parser = new Parser(tokensOf(search), searchable);
  return { sql: parser.whole(), parameters: parser.parameters };
}

class Parser {
  readonly parameters: unknown[] = [];
  private readonly tokens: readonly Token[];
  private readonly searchable: Searchable;
  private at = 0;
  private depth = 0;

  constructor(tokens: readonly Token[], searchable: Searchable) {
    this.tokens = tokens;
    this.searchable = searchable;
  }

  whole(): string {
    const sql = this.either();
    const rest = this.tokens[this.at];
    if (rest) throw bad(`unexpected ${JSON.stringify(rest.value)} at ${rest.at}`);
    return sql;
  }

  private either(): string {
    const parts = [this.both()];
    while (this.takeWord('or')) parts.push(this.both());
    return parts.length > 1 ? `(${parts.join(' or ')})` : (parts[0] ?? 'true');
  }

  private both(): string {
    const parts = [this.one()];
    while (this.takeWord('and')) parts.push(this.one());
    return parts.length > 1 ? `(${parts.join(' and ')})` : (parts[0] ?? 'true');
  }

  private one(): string {
    if (++this.depth > deepest) throw bad(`it is nested deeper than ${deepest}`);
    try {
      if (this.takeWord('not')) return `not (${this.one()})`;
      if (!this.takeSign('(')) return this.comparison();
      const inner = this.either();
      if (!this.takeSign(')')) throw this.expected('")"');
      return inner;
    } finally {
      this.depth--;
    }
  }

  private comparison(): string {
    const { sql, isDocument, type } = this.operand();
    if (this.takeWord('is')) return `${sql} is ${this.takeWord('not') ? 'not ' : ''}${this.word('null')}`;
    const isNegated = this.takeWord('not');
    if (this.takeSign('@>')) {
      if (!isDocument) throw bad('"@>" needs a document on its left');
      return `${isNegated ? 'not ' : ''}(${sql} @> ${this.value('jsonb')})`;
    }
    if (isDocument) throw bad('a document can only be compared with "@>"; end its path with "->>" to compare a value');
    if (this.takeWord('in')) return `${sql} ${isNegated ? 'not ' : ''}in (${this.list(type).join(', ')})`;
    if (this.takeWord('between')) {
      const from = this.value(type);
      this.word('and');
      return `${isNegated ? 'not ' : ''}(${sql} between ${from} and ${this.value(type)})`;
    }
    const operator = this.next('an operator');
    if (!comparisons.has(operator.value.toLowerCase()))
      throw bad(`unknown operator ${JSON.stringify(operator.value)} at ${operator.at}`);
    // Clients write `<>null` for "is there"; compared as a text, as they mean it, any value differs from it.
    if (this.takeWord('null')) return operator.value === '=' ? `${sql} is null` : `${sql} is not null`;
    const comparison = operator.value.toLowerCase();
    const isPattern = comparison.endsWith('like');
    const left = isPattern && type !== 'text' ? `${sql}::text` : sql;
    return `${isNegated ? 'not ' : ''}(${left} ${comparison} ${this.value(isPattern ? 'text' : type)})`;
  }

  /** A column, or a path into a document. */
  private operand(): { readonly sql: string; readonly isDocument: boolean; readonly type: ColumnType } {
    const token = this.next('a column');
    const name = token.value.toLowerCase();
    const { columns, documents } = this.searchable;
    const type = Object.hasOwn(columns, name) ? columns[name] : undefined;
    if (token.kind !== 'word' || !(type || documents.includes(name))) {
      const known = [...Object.keys(columns), ...documents].join(', ');
      throw bad(`unknown column ${JSON.stringify(token.value)}; there are ${known}`);
    }
    if (type) return { sql: name, isDocument: false, type };
    let sql = name;
    let isDocument = true;
    while (isDocument) {
      const isLast = this.takeSign('->>');
      if (!isLast && !this.takeSign('->')) break;
      const key = this.next('a key in quotes');
      if (key.kind !== 'text') throw bad(`expected a key in quotes at ${key.at}`);
      sql += `${isLast ? '->>' : '->'}${this.parameter(key.value, 'text')}`;
      isDocument = !isLast;
    }
    return { sql: `(${sql})`, isDocument, type: 'text' };
  }

  private list(type: ColumnType): readonly string[] {
    if (!this.takeSign('(')) throw this.expected('"("');
    const values = [this.value(type)];
    while (this.takeSign(',')) values.push(this.value(type));
    if (!this.takeSign(')')) throw this.expected('")"');
    return values;
  }

  private value(type: ColumnType | 'jsonb'): string {
    const token = this.next('a value');
    if (token.kind !== 'text' && token.kind !== 'number') throw bad(`expected a value at ${token.at}`);
    if (!fits[type](token.value)) throw bad(`${JSON.stringify(token.value)} at ${token.at} is no ${type}`);
    return this.parameter(token.value, type);
  }

  private parameter(value: string, type: ColumnType | 'jsonb'): string {
    return `$${this.parameters.push(value)}::${type}`;
  }

  private next(what: string): Token {
    const token = this.tokens[this.at++];
    if (!token) throw bad(`expected ${what} at the end`);
    return token;
  }

  private word(word: string): string {
    if (!this.takeWord(word)) throw this.expected(JSON.stringify(word));
    return word;
  }

  private takeWord(word: string): boolean {
    const token = this.tokens[this.at];
    if (token?.kind !== 'word' || token.value.toLowerCase() !== word) return false;
    this.at++;
    return true;
  }

  private takeSign(sign: string): boolean {
    const token = this.tokens[this.at];
    if (token?.kind !== 'sign' || token.value !== sign) return false;
    this.at++;
    return true;
  }

  private expected(what: string): Error {
    const token = this.tokens[this.at];
    return bad(`expected ${what} ${token ? `at ${token.at}` : 'at the end'}`);
  }
}
