import { CelCompileError } from '../errors.ts';
import { CelUint, int } from '../values/value.ts';
import type { CallNode, Literal, MapEntry, Node, StructField } from './ast.ts';
import { Operator } from './ast.ts';
import type { Token } from './lexer.ts';
import { tokenize } from './lexer.ts';
import type { MacroSet } from './macro.ts';
import { NodeFactory, MacroFailure } from './macro.ts';
import { bytesValue, LiteralFailure, stringValue } from './string-literal.ts';
import type { CelIssue } from './source.ts';
import { codePointLength, locationAt, sortIssues } from './source.ts';

export interface ParseOptions {
  readonly macros: MacroSet;
  /** `.?f`, `[?i]`, `[?x]` and `{?k: v}`. */
  readonly optionalSyntax: boolean;
}

/** Limits of cel-go's parser, which Kubernetes leaves at their defaults. */
const MAX_CODE_POINTS = 100_000;
const MAX_DEPTH = 250;

const RESERVED = new Set(
  'as break const continue else false for function if import in let loop package namespace null return true var void while'.split(
    ' ',
  ),
);
const RELATIONS: Readonly<Record<string, string>> = {
  '<': Operator.less,
  '<=': Operator.lessEquals,
  '>': Operator.greater,
  '>=': Operator.greaterEquals,
  '==': Operator.equals,
  '!=': Operator.notEquals,
  in: Operator.in,
};
const SUMS: Readonly<Record<string, string>> = { '+': Operator.add, '-': Operator.subtract };
const PRODUCTS: Readonly<Record<string, string>> = {
  '*': Operator.multiply,
  '/': Operator.divide,
  '%': Operator.modulo,
};
const EXPRESSION_START =
  "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";

/** Parses an expression and expands its macros. Throws `CelCompileError`. */
export function parse(source: string, options: ParseOptions): Node {
  const size = codePointLength(source);
  if (size > MAX_CODE_POINTS) {
    const message = `expression code point size exceeds limit: size: ${size}, limit ${MAX_CODE_POINTS}`;
    throw new CelCompileError(source, [{ message, location: { line: -1, column: -1 } }]);
  }
  const { tokens, issues } = tokenize(source);
  const parser = new Parser(source, tokens, issues, options);
  const node = parser.parseAll();
  if (issues.length > 0) throw new CelCompileError(source, sortIssues(issues));
  return node!;
}

function startsExpression({ type, text }: Token): boolean {
  if (type === 'punct') return '[{(.-!'.includes(text);
  return type === 'keyword' ? text !== 'in' : type !== 'eof' && type !== 'escaped-ident';
}

/** Ends parsing after a syntax error has been recorded: what follows would only be noise. */
class Abort {
  readonly message = 'parsing was given up';
}

class Parser {
  private readonly source: string;
  private readonly tokens: readonly Token[];
  private readonly issues: CelIssue[];
  private readonly options: ParseOptions;
  private readonly factory = new NodeFactory();
  private index = 0;
  private depth = 0;

  constructor(source: string, tokens: readonly Token[], issues: CelIssue[], options: ParseOptions) {
    this.source = source;
    this.tokens = tokens;
    this.issues = issues;
    this.options = options;
  }

  parseAll(): Node | undefined {
    try {
      const node = this.expression();
      const rest = this.peek();
      if (rest.type !== 'eof') {
        this.abort(rest.pos, `Syntax error: ${this.unwanted((next) => next.type === 'eof')} expecting <EOF>`);
      }
      return node;
    } catch (error) {
      if (error instanceof Abort) return undefined;
      throw error;
    }
  }

  /** A token that need only be dropped for the text to go on is called extraneous, any other mismatched. */
  private unwanted(fits: (next: Token) => boolean): string {
    const next = this.tokens[this.index + 1];
    return `${next && fits(next) ? 'extraneous' : 'mismatched'} input '${this.peek().text}'`;
  }

  private peek(): Token {
    return this.tokens[this.index]!;
  }

  private next(): Token {
    const token = this.tokens[this.index]!;
    if (token.type !== 'eof') this.index++;
    return token;
  }

  private accept(text: string): Token | undefined {
    const token = this.peek();
    if (token.text !== text || (token.type !== 'punct' && token.type !== 'keyword')) return undefined;
    this.index++;
    return token;
  }

  private expect(text: string): Token {
    const found = this.accept(text);
    if (found) return found;
    const fits = (next: Token): boolean => next.text === text;
    const isClosing = text === ')' || text === ']' || text === '}';
    if (isClosing && this.peek().type === 'eof')
      this.abort(this.peek().pos, `Syntax error: missing '${text}' at '<EOF>'`);
    return this.abort(this.peek().pos, `Syntax error: ${this.unwanted(fits)} expecting '${text}'`);
  }

  private report(pos: number, message: string): void {
    this.issues.push({ message, location: locationAt(this.source, pos) });
  }

  private abort(pos: number, message: string): never {
    this.report(pos, message);
    throw new Abort();
  }

  private enter(): void {
    if (++this.depth > MAX_DEPTH) this.abort(-1, `expression recursion limit exceeded: ${MAX_DEPTH}`);
  }

  /** Guards the loops that build left-leaning trees, whose depth later passes recurse over. */
  private chained(count: number): void {
    if (count > MAX_DEPTH) this.abort(-1, `expression recursion limit exceeded: ${MAX_DEPTH}`);
  }

  private expression(): Node {
    this.enter();
    const condition = this.logical('||', Operator.or, () => this.logical('&&', Operator.and, () => this.relation()));
    const question = this.accept('?');
    if (!question) {
      this.depth--;
      return condition;
    }
    const whenTrue = this.logical('||', Operator.or, () => this.logical('&&', Operator.and, () => this.relation()));
    this.expect(':');
    const whenFalse = this.expression();
    this.depth--;
    return this.factory.call(question.pos, Operator.conditional, [condition, whenTrue, whenFalse]);
  }

  /** cel-go balances chains of `&&` and `||` so that long ones stay shallow. */
  private logical(token: string, operator: string, operand: () => Node): Node {
    const terms = [operand()];
    const positions: number[] = [];
    for (let op = this.accept(token); op; op = this.accept(token)) {
      positions.push(op.pos);
      terms.push(operand());
    }
    if (terms.length === 1) return terms[0]!;
    const build = (low: number, high: number): Node => {
      const middle = Math.floor((low + high + 1) / 2);
      const left = middle === low ? terms[middle]! : build(low, middle - 1);
      const right = middle === high ? terms[middle + 1]! : build(middle + 1, high);
      return this.factory.call(positions[middle]!, operator, [left, right]);
    };
    return build(0, positions.length - 1);
  }

  private binary(operators: Readonly<Record<string, string>>, operand: () => Node): Node {
    let left = operand();
    for (let count = 1; ; count++) {
      const token = this.peek();
      const operator = token.type === 'punct' || token.type === 'keyword' ? operators[token.text] : undefined;
      if (operator === undefined) return left;
      this.chained(count);
      this.index++;
      left = this.factory.call(token.pos, operator, [left, operand()]);
    }
  }

  private relation(): Node {
    return this.binary(RELATIONS, () => this.binary(SUMS, () => this.binary(PRODUCTS, () => this.unary())));
  }

  private unary(): Node {
    const first = this.peek();
    if (first.type === 'punct' && (first.text === '!' || first.text === '-')) {
      if (first.text === '-' && this.isNumber(this.tokens[this.index + 1])) return this.member();
      let count = 0;
      while (this.peek().text === first.text && this.peek().type === 'punct') {
        // `--5` reads as one negation of the literal -5 only when a single sign is left before it.
        this.index++;
        count++;
      }
      const operand = this.member();
      if (count % 2 === 0) return operand;
      return this.factory.call(first.pos, first.text === '!' ? Operator.not : Operator.negate, [operand]);
    }
    return this.member();
  }

  private isNumber(token: Token | undefined): boolean {
    return token?.type === 'int' || token?.type === 'float';
  }

  private member(): Node {
    let node = this.primary();
    for (let count = 1; ; count++) {
      const dot = this.accept('.');
      if (dot) {
        this.chained(count);
        node = this.selection(node, dot);
        continue;
      }
      const bracket = this.accept('[');
      if (!bracket) return node;
      this.chained(count);
      const optional = this.acceptOptional();
      const index = this.expression();
      this.expect(']');
      node = this.factory.call(bracket.pos, optional ? Operator.optIndex : Operator.index, [node, index]);
    }
  }

  private selection(operand: Node, dot: Token): Node {
    if (this.acceptOptional()) {
      const field = this.fieldName();
      const name = this.factory.literal(field.pos, { type: 'string', value: field.name });
      return this.factory.call(dot.pos, Operator.optSelect, [operand, name]);
    }
    const isPlain = this.peek().type === 'ident';
    const field = this.fieldName();
    const open = isPlain ? this.accept('(') : undefined;
    if (!open) return this.factory.select(dot.pos, operand, field.name);
    const args = this.arguments();
    return this.expandMacro(open.pos, field.name, operand, args);
  }

  private fieldName(): { name: string; pos: number } {
    const token = this.peek();
    if (token.type !== 'ident' && token.type !== 'escaped-ident') {
      const seen = token.type === 'eof' ? '.' : `.${token.text}`;
      const found =
        token.type === 'keyword'
          ? `mismatched input '${token.text}' expecting IDENTIFIER`
          : `no viable alternative at input '${seen}'`;
      return this.abort(token.pos, `Syntax error: ${found}`);
    }
    this.index++;
    return { name: token.type === 'ident' ? token.text : token.text.slice(1, -1), pos: token.pos };
  }

  private acceptOptional(): boolean {
    const mark = this.accept('?');
    if (!mark) return false;
    if (!this.options.optionalSyntax) this.report(mark.pos, "unsupported syntax '?'");
    return true;
  }

  private arguments(): Node[] {
    const args: Node[] = [];
    if (this.accept(')')) return args;
    do args.push(this.expression());
    while (this.accept(','));
    this.expect(')');
    return args;
  }

  private primary(): Node {
    const token = this.peek();
    if (token.type === 'punct') {
      if (token.text === '(') {
        this.index++;
        const inner = this.expression();
        this.expect(')');
        return inner;
      }
      if (token.text === '[') return this.list();
      if (token.text === '{') return this.map();
      if (token.text === '.') {
        this.index++;
        return this.identifier(token);
      }
    }
    if (token.type === 'ident') return this.identifier(undefined);
    return this.literal();
  }

  private identifier(leadingDot: Token | undefined): Node {
    const token = this.next();
    if (token.type !== 'ident') {
      return this.abort(token.pos, `Syntax error: no viable alternative at input '.${token.text}'`);
    }
    const start = leadingDot ?? token;
    const name = leadingDot ? `.${token.text}` : token.text;
    const typeName = this.messageName(name);
    if (typeName !== undefined) return this.message(start.pos, typeName);
    if (RESERVED.has(token.text)) this.report(token.pos, `reserved identifier: ${token.text}`);
    const open = this.accept('(');
    if (!open) return this.factory.ident(start.pos, name);
    return this.expandMacro(open.pos, name, undefined, this.arguments());
  }

  /** Looks ahead over `.x.y` for the `{` of a message literal and consumes the names when it is there. */
  private messageName(first: string): string | undefined {
    let name = first;
    let at = this.index;
    while (this.tokens[at]?.text === '.' && this.tokens[at + 1]?.type === 'ident') {
      name += `.${this.tokens[at + 1]!.text}`;
      at += 2;
    }
    if (this.tokens[at]?.type !== 'punct' || this.tokens[at]?.text !== '{') return undefined;
    this.index = at;
    return name;
  }

  private message(_start: number, typeName: string): Node {
    const open = this.expect('{');
    const fields: StructField[] = [];
    while (this.peek().text !== '}') {
      const optional = this.acceptOptional();
      const { name } = this.fieldName();
      const colon = this.expect(':');
      const value = this.expression();
      fields.push({ id: this.factory.nextId(), pos: colon.pos, name, value, optional });
      if (!this.accept(',')) break;
    }
    this.expect('}');
    return this.factory.struct(open.pos, typeName, fields);
  }

  private list(): Node {
    const open = this.expect('[');
    const elements: Node[] = [];
    const optionals = new Set<number>();
    while (this.peek().text !== ']') {
      if (this.acceptOptional()) optionals.add(elements.length);
      elements.push(this.expression());
      if (!this.accept(',')) break;
    }
    this.expect(']');
    return this.factory.list(open.pos, elements, optionals);
  }

  private map(): Node {
    const open = this.expect('{');
    const entries: MapEntry[] = [];
    while (this.peek().text !== '}') {
      const optional = this.acceptOptional();
      const key = this.expression();
      this.expect(':');
      entries.push({ id: this.factory.nextId(), key, value: this.expression(), optional });
      if (!this.accept(',')) break;
    }
    this.expect('}');
    return this.factory.map(open.pos, entries);
  }

  private literal(): Node {
    const minus = this.accept('-');
    const token = this.peek();
    const sign = minus ? '-' : '';
    const pos = minus?.pos ?? token.pos;
    const literal = this.literalOf(token, sign);
    if (literal === undefined) {
      return this.abort(token.pos, `Syntax error: ${this.unwanted(startsExpression)} expecting ${EXPRESSION_START}`);
    }
    this.next();
    return this.factory.literal(pos, literal);
  }

  private literalOf(token: Token, sign: string): Literal | undefined {
    switch (token.type) {
      case 'int': {
        const magnitude = BigInt(token.text);
        const value = sign ? -magnitude : magnitude;
        if (BigInt.asIntN(64, value) === value) return { type: 'int', value: int(value) };
        this.report(token.pos, 'invalid int literal');
        return { type: 'int', value: 0 };
      }
      case 'uint': {
        const value = BigInt(token.text.slice(0, -1));
        if (BigInt.asUintN(64, value) !== value) this.report(token.pos, 'invalid uint literal');
        return { type: 'uint', value: new CelUint(BigInt.asUintN(64, value)) };
      }
      case 'float': {
        const value = Number(sign + token.text);
        if (!Number.isFinite(value)) this.report(token.pos, 'invalid double literal');
        return { type: 'double', value };
      }
      case 'string':
      case 'bytes':
        try {
          if (token.type === 'bytes') return { type: 'bytes', value: bytesValue(token.text) };
          return { type: 'string', value: stringValue(token.text) };
        } catch (error) {
          if (!(error instanceof LiteralFailure)) throw error;
          this.report(token.pos, error.message);
          return { type: 'string', value: '' };
        }
      case 'keyword':
        if (token.text === 'true' || token.text === 'false') return { type: 'bool', value: token.text === 'true' };
        if (token.text === 'null') return { type: 'null', value: null };
        return undefined;
      default:
        return undefined;
    }
  }

  private expandMacro(pos: number, name: string, target: Node | undefined, args: Node[]): Node {
    const macro = this.options.macros.find(name, target !== undefined, args.length);
    if (macro) {
      try {
        const expanded = macro(this.factory.at(pos), target, args);
        if (expanded) return expanded;
      } catch (error) {
        if (!(error instanceof MacroFailure)) throw error;
        this.report(error.pos, error.message);
      }
    }
    return this.factory.call(pos, name, args, target) satisfies CallNode;
  }
}
