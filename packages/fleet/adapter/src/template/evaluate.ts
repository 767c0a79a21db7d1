import { isJsonObject } from '@hypershift-ts/kube-apimachinery';
import type { Command, Node, Operand, Pipe, RangeNode } from './ast.ts';
import { TemplateError, TemplateLimit } from './error.ts';
import type { TemplateFunction } from './functions.ts';
import { isTrue } from './functions.ts';
import { lineAt } from './lexer.ts';
import { goType, printResult } from './print.ts';

export interface Execution {
  readonly name: string;
  readonly source: string;
  readonly data: unknown;
  readonly functions: ReadonlyMap<string, TemplateFunction>;
}

type Flow = 'break' | 'continue' | undefined;

interface Variable {
  readonly name: string;
  value: unknown;
}

/** Runs a template. A key that a map does not have is an error, never `<no value>`. Throws `TemplateError`. */
export function execute(nodes: readonly Node[], execution: Execution): string {
  const evaluator = new Evaluator(execution);
  evaluator.block(nodes, execution.data);
  return evaluator.output;
}

class Evaluator {
  output = '';
  private readonly execution: Execution;
  private readonly variables: Variable[];
  private steps = 0;

  constructor(execution: Execution) {
    this.execution = execution;
    this.variables = [{ name: '$', value: execution.data }];
  }

  private fail(at: number, source: string, message: string): never {
    const { name, source: text } = this.execution;
    const line = lineAt(text, at);
    const column = at - (text.lastIndexOf('\n', at - 1) + 1);
    const short = source.length > 60 ? `${source.slice(0, 57)}...` : source;
    const where = `template: ${name}:${line}:${column}: executing ${JSON.stringify(name)} at <${short}>: ${message}`;
    throw new TemplateError('execute', where, line);
  }

  private step(): void {
    if (++this.steps > TemplateLimit.steps) this.fail(0, '', `more than ${TemplateLimit.steps} steps`);
  }

  private write(text: string): void {
    this.output += text;
    if (this.output.length > TemplateLimit.output)
      this.fail(0, '', `the output is longer than ${TemplateLimit.output} characters`);
  }

  block(nodes: readonly Node[], dot: unknown): Flow {
    const outer = this.variables.length;
    for (const node of nodes) {
      const flow = this.node(node, dot);
      if (flow) {
        this.variables.length = outer;
        return flow;
      }
    }
    this.variables.length = outer;
    return undefined;
  }

  private node(node: Node, dot: unknown): Flow {
    this.step();
    switch (node.kind) {
      case 'text':
        this.write(node.text);
        return undefined;
      case 'action': {
        const value = this.pipe(node.pipe, dot);
        if (node.pipe.variables.length === 0) this.write(printResult(value));
        return undefined;
      }
      case 'if':
      case 'with':
        return this.scoped(() => {
          const value = this.pipe(node.pipe, dot);
          if (!isTrue(value)) return this.block(node.otherwise, dot);
          return this.block(node.body, node.kind === 'with' ? value : dot);
        });
      case 'range':
        return this.scoped(() => this.range(node, dot));
      default:
        return node.kind;
    }
  }

  private scoped(body: () => Flow): Flow {
    const outer = this.variables.length;
    const flow = body();
    this.variables.length = outer;
    return flow;
  }

  private range(node: RangeNode, dot: unknown): Flow {
    const { pipe } = node;
    const value = this.commands(pipe, dot);
    const entries = this.entries(value, pipe);
    const [first, second] = pipe.variables;
    let turns = 0;
    for (const [key, item] of entries) {
      turns++;
      this.step();
      const outer = this.variables.length;
      if (second !== undefined) {
        this.bind(first!, key, pipe.assigns);
        this.bind(second, item, pipe.assigns);
      } else if (first !== undefined) this.bind(first, item, pipe.assigns);
      const flow = this.block(node.body, item);
      this.variables.length = outer;
      if (flow === 'break') return undefined;
    }
    return turns === 0 ? this.block(node.otherwise, dot) : undefined;
  }

  private *entries(value: unknown, pipe: Pipe): Generator<readonly [unknown, unknown]> {
    if (Array.isArray(value)) yield* value.entries();
    else if (typeof value === 'number' && Number.isInteger(value)) {
      for (let i = 0; i < value; i++) yield [i, i];
    } else if (isJsonObject(value)) {
      for (const key of Object.keys(value).sort()) yield [key, value[key]];
    } else if (value !== null && value !== undefined) {
      this.fail(pipe.at, this.sourceOf(pipe), `range can't iterate over ${printResult(value)}`);
    }
  }

  private sourceOf(pipe: Pipe): string {
    return pipe.commands.map(({ source }) => source).join(' | ');
  }

  private bind(name: string, value: unknown, assigns: boolean): void {
    const known = assigns ? this.variables.findLast((variable) => variable.name === name) : undefined;
    if (known) known.value = value;
    else this.variables.push({ name, value });
  }

  private pipe(pipe: Pipe, dot: unknown): unknown {
    const value = this.commands(pipe, dot);
    for (const name of pipe.variables) this.bind(name, value, pipe.assigns);
    return value;
  }

  private commands(pipe: Pipe, dot: unknown): unknown {
    let value: unknown;
    pipe.commands.forEach((command, i) => {
      this.step();
      value = this.command(command, dot, i === 0 ? [] : [value]);
    });
    return value;
  }

  private command(command: Command, dot: unknown, piped: readonly unknown[]): unknown {
    const [head, ...rest] = command.operands;
    if (head.kind === 'nil' && rest.length === 0) this.fail(command.at, command.source, 'nil is not a command');
    if (head.kind !== 'function') {
      if (piped.length > 0) this.fail(command.at, command.source, "can't give argument to non-function");
      return this.operand(head, dot, command);
    }
    if (head.name === 'and' || head.name === 'or') return this.logical(head.name, command, dot, piped);
    const args = [...rest.map((operand) => this.operand(operand, dot, command)), ...piped];
    return this.call(head.name, args, command);
  }

  /** `and` and `or` give back the operand that decided, and do not look at the ones after it. */
  private logical(name: 'and' | 'or', command: Command, dot: unknown, piped: readonly unknown[]): unknown {
    const [, ...rest] = command.operands;
    const terms = [
      ...rest.map((operand) => () => this.operand(operand, dot, command)),
      ...piped.map((value) => () => value),
    ];
    if (terms.length === 0)
      this.fail(command.at, command.source, `wrong number of args for ${name}: want at least 1 got 0`);
    let value: unknown;
    for (const term of terms) {
      value = term();
      if (isTrue(value) === (name === 'or')) return value;
    }
    return value;
  }

  private call(name: string, args: readonly unknown[], command: Command): unknown {
    const run = this.execution.functions.get(name);
    if (!run) return this.fail(command.at, command.source, `${JSON.stringify(name)} is not a defined function`);
    try {
      return run(...args);
    } catch (error) {
      const message = (error as Error).message.replace(/^wrong number of args/, `wrong number of args for ${name}`);
      return this.fail(command.at, command.source, `error calling ${name}: ${message}`);
    }
  }

  private operand(operand: Operand, dot: unknown, command: Command): unknown {
    switch (operand.kind) {
      case 'literal':
        return operand.value;
      case 'nil':
        return null;
      case 'function':
        return operand.name === 'and' || operand.name === 'or'
          ? this.fail(operand.at, operand.name, `wrong number of args for ${operand.name}: want at least 1 got 0`)
          : this.call(operand.name, [], command);
      case 'dot':
        return this.fields(dot, operand.fields, operand.at);
      case 'variable': {
        const found = this.variables.findLast(({ name }) => name === operand.name);
        return this.fields(found?.value, operand.fields, operand.at);
      }
      case 'pipe':
        return this.fields(this.pipe(operand.pipe, dot), operand.fields, operand.at);
      default:
        return operand satisfies never;
    }
  }

  private fields(from: unknown, fields: readonly string[], at: number): unknown {
    let value = from;
    fields.forEach((field, i) => {
      const shown = `.${fields.slice(0, i + 1).join('.')}`;
      if (value === null || value === undefined) this.fail(at, shown, `nil pointer evaluating interface {}.${field}`);
      if (!isJsonObject(value)) this.fail(at, shown, `can't evaluate field ${field} in type ${goType(value)}`);
      if (!Object.hasOwn(value, field)) this.fail(at, shown, `map has no entry for key ${JSON.stringify(field)}`);
      value = value[field];
    });
    return value;
  }
}
