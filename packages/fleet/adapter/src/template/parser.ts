import type { Command, Node, Operand, Pipe } from './ast.ts';
import { parseFailure, TemplateLimit } from './error.ts';
import type { Token, TokenKind } from './lexer.ts';
import { lineAt, tokenize } from './lexer.ts';

/** What a block was ended by. */
type Terminator = 'end' | 'else' | 'eof';

export interface ParseOptions {
  readonly name: string;
  readonly functions: ReadonlySet<string>;
}

/** Reads a template into its tree. Throws `TemplateError`. */
export function parse(source: string, options: ParseOptions): readonly Node[] {
  if (source.length > TemplateLimit.source)
    throw parseFailure(options.name, 1, `the template is longer than ${TemplateLimit.source} characters`);
  return new Parser(source, options).template();
}

class Parser {
  private readonly source: string;
  private readonly name: string;
  private readonly functions: ReadonlySet<string>;
  private readonly tokens: readonly Token[];
  private readonly variables: string[] = ['$'];
  private at = 0;
  private depth = 0;
  private loops = 0;

  constructor(source: string, { name, functions }: ParseOptions) {
    this.source = source;
    this.name = name;
    this.functions = functions;
    this.tokens = tokenize(name, source);
  }

  template(): readonly Node[] {
    const { nodes, terminator } = this.block();
    if (terminator !== 'eof') this.fail(`unexpected {{${terminator}}}`);
    return nodes;
  }

  private peek(): Token {
    return this.tokens[this.at]!;
  }

  private next(): Token {
    return this.tokens[this.at++]!;
  }

  private skipSpace(): Token {
    while (this.peek().kind === 'space') this.at++;
    return this.peek();
  }

  private accept(kind: TokenKind): Token | undefined {
    return this.peek().kind === kind ? this.next() : undefined;
  }

  private fail(message: string, at = this.tokens[Math.max(0, this.at - 1)]!.at): never {
    throw parseFailure(this.name, lineAt(this.source, at), message);
  }

  private nested<T>(body: () => T): T {
    if (++this.depth > TemplateLimit.depth) this.fail('the template is nested too deeply');
    const result = body();
    this.depth--;
    return result;
  }

  /** Nodes up to `{{end}}`, `{{else}}` or the end of the text; the terminator's action stays open. */
  private block(): { readonly nodes: readonly Node[]; readonly terminator: Terminator } {
    const nodes: Node[] = [];
    const outer = this.variables.length;
    for (;;) {
      const token = this.next();
      if (token.kind === 'end') return { nodes, terminator: 'eof' };
      if (token.kind === 'text') {
        nodes.push({ kind: 'text', text: token.text });
        continue;
      }
      const first = this.skipSpace();
      if (first.kind === 'keyword' && (first.text === 'end' || first.text === 'else')) {
        this.next();
        this.variables.length = outer;
        return { nodes, terminator: first.text };
      }
      nodes.push(this.action(first));
    }
  }

  private action(first: Token): Node {
    if (first.kind !== 'keyword') {
      const pipe = this.pipe('command');
      this.close();
      return { kind: 'action', pipe };
    }
    this.next();
    switch (first.text) {
      case 'if':
      case 'with':
      case 'range':
        return this.control(first.text);
      case 'break':
      case 'continue':
        if (this.loops === 0) this.fail(`{{${first.text}}} outside {{range}}`);
        this.close();
        return { kind: first.text };
      default:
        return this.fail(`{{${first.text}}} is not supported here`);
    }
  }

  private control(kind: 'if' | 'with' | 'range'): Node {
    return this.nested(() => {
      const outer = this.variables.length;
      const pipe = this.pipe(kind);
      this.close();
      if (kind === 'range') this.loops++;
      const { nodes: body, terminator } = this.block();
      if (kind === 'range') this.loops--;
      const otherwise = terminator === 'else' ? this.otherwise(kind) : this.finish(terminator, kind);
      this.variables.length = outer;
      return { kind, pipe, body, otherwise };
    });
  }

  /** After `{{else`: either `if ...` again, sharing one `{{end}}`, or a plain block. */
  private otherwise(kind: 'if' | 'with' | 'range'): readonly Node[] {
    const token = this.skipSpace();
    if (token.kind === 'keyword' && token.text === kind && kind !== 'range') {
      this.next();
      return [this.control(kind)];
    }
    this.close();
    const { nodes, terminator } = this.block();
    if (terminator === 'else') this.fail('expected end; found {{else}}');
    this.finish(terminator, kind);
    return nodes;
  }

  private finish(terminator: Terminator, kind: string): readonly Node[] {
    if (terminator === 'eof') this.fail(`unexpected EOF, missing {{end}} of {{${kind}}}`);
    this.close();
    return [];
  }

  private close(): void {
    const token = this.skipSpace();
    if (token.kind !== 'close') this.fail(`unexpected ${describe(token)} in action`, token.at);
    this.next();
  }

  private pipe(context: string): Pipe {
    const start = this.skipSpace();
    const { variables, assigns } = this.declarations(context);
    const commands: Command[] = [];
    for (;;) {
      const token = this.skipSpace();
      if (token.kind === 'close' || token.kind === 'rightParen') break;
      commands.push(this.command());
      if (this.skipSpace().kind !== 'pipe') break;
      this.next();
      const after = this.skipSpace();
      if (after.kind === 'close' || after.kind === 'rightParen') this.fail(`missing value for ${context}`, after.at);
    }
    if (commands.length === 0) this.fail(`missing value for ${context}`, start.at);
    commands.slice(1).forEach((command) => {
      const [head] = command.operands;
      if (head.kind === 'literal' || head.kind === 'nil' || head.kind === 'dot')
        this.fail(`non executable command in pipeline stage: ${command.source}`, command.at);
    });
    if (!assigns) this.variables.push(...variables);
    return { at: start.at, variables, assigns, commands };
  }

  private declarations(context: string): { readonly variables: readonly string[]; readonly assigns: boolean } {
    const mark = this.at;
    const variables: string[] = [];
    for (let token = this.skipSpace(); token.kind === 'variable'; token = this.skipSpace()) {
      variables.push(this.next().text);
      const after = this.skipSpace();
      if (after.kind === 'declare' || after.kind === 'assign') {
        this.next();
        const assigns = after.kind === 'assign';
        if (assigns) for (const name of variables) this.known(name, token.at);
        return { variables, assigns };
      }
      if (after.kind !== 'comma' || context !== 'range' || variables.length > 1) break;
      this.next();
    }
    this.at = mark;
    return { variables: [], assigns: false };
  }

  private known(name: string, at: number): void {
    if (!this.variables.includes(name)) this.fail(`undefined variable ${JSON.stringify(name)}`, at);
  }

  private command(): Command {
    const start = this.skipSpace();
    const operands: Operand[] = [];
    for (;;) {
      const token = this.skipSpace();
      if (token.kind === 'close' || token.kind === 'rightParen' || token.kind === 'pipe') break;
      operands.push(this.operand(token));
      const after = this.peek().kind;
      if (after !== 'space' && after !== 'close' && after !== 'rightParen' && after !== 'pipe')
        this.fail(`unexpected ${describe(this.peek())} in operand`, this.peek().at);
    }
    const [head, ...rest] = operands;
    if (!head) this.fail('empty command', start.at);
    if (rest.length > 0 && head.kind !== 'function')
      this.fail(`can't give argument to non-function ${this.source.slice(head.at, rest[0]!.at).trim()}`, head.at);
    return { at: start.at, source: this.source.slice(start.at, this.peek().at).trim(), operands: [head, ...rest] };
  }

  private operand(token: Token): Operand {
    const { at } = token;
    switch (token.kind) {
      case 'string':
      case 'char':
        this.next();
        return { kind: 'literal', value: token.kind === 'char' ? token.text.codePointAt(0)! : token.text, at };
      case 'number':
        this.next();
        return { kind: 'literal', value: this.number(token), at };
      case 'bool':
        this.next();
        return { kind: 'literal', value: token.text === 'true', at };
      case 'nil':
        this.next();
        return { kind: 'nil', at };
      case 'identifier':
        this.next();
        if (!this.functions.has(token.text)) this.fail(`function ${JSON.stringify(token.text)} not defined`, at);
        return { kind: 'function', name: token.text, at };
      case 'dot':
        this.next();
        return { kind: 'dot', fields: [], at };
      case 'field':
        return { kind: 'dot', fields: this.fields(), at };
      case 'variable':
        this.next();
        this.known(token.text, at);
        return { kind: 'variable', name: token.text, fields: this.fields(), at };
      case 'leftParen':
        return this.parenthesised(at);
      default:
        return this.fail(`unexpected ${describe(token)} in operand`, at);
    }
  }

  private parenthesised(at: number): Operand {
    return this.nested(() => {
      this.next();
      const pipe = this.pipe('parenthesized pipeline');
      this.skipSpace();
      if (!this.accept('rightParen')) this.fail('unclosed left paren', at);
      return { kind: 'pipe', pipe, fields: this.fields(), at };
    });
  }

  private fields(): readonly string[] {
    const fields: string[] = [];
    for (let token = this.accept('field'); token; token = this.accept('field')) fields.push(token.text);
    return fields;
  }

  private number(token: Token): number {
    const text = token.text.replaceAll('_', '');
    const octal = /^([+-]?)0([0-7]+)$/.exec(text);
    const value = octal ? Number.parseInt(`${octal[1]}${octal[2]}`, 8) : Number(text);
    if (!Number.isFinite(value)) this.fail(`bad number syntax: ${JSON.stringify(token.text)}`, token.at);
    return value;
  }
}

function describe({ kind, text }: Token): string {
  if (kind === 'end') return 'EOF';
  return kind === 'close' ? '"}}"' : JSON.stringify(text);
}
