import type { CheckedExpression, ResolvedCall } from '../check/checker.ts';
import type { CelType } from '../check/type.ts';
import { DYN, isOptional } from '../check/type.ts';
import { EvalFailure, fail, noSuchOverload } from '../errors.ts';
import type { CallNode, ComprehensionNode, ListNode, MapNode, Node, SelectNode } from '../syntax/ast.ts';
import { Operator } from '../syntax/ast.ts';
import { isMap } from '../values/equality.ts';
import type { CelValue } from '../values/value.ts';
import { CelMap, CelOptional, CelTypeValue, double } from '../values/value.ts';
import { fieldReader, indexReader, keyText, missing, throughOptional } from './attribute.ts';
import { compileCall } from './call.ts';
import { coercerFor } from './coerce.ts';
import { compileComprehension } from './comprehension.ts';
import type { Compiled, CompilerContext } from './compiled.ts';
import { absorbable, constant, Unevaluated } from './compiled.ts';
import type { Evaluate, Frame } from './frame.ts';

/** Turns a checked expression into closures. */
export function compile(checked: CheckedExpression): Compiled {
  return new Compiler(checked).compile(checked.root);
}

class Compiler implements CompilerContext {
  private readonly checked: CheckedExpression;
  private readonly done = new Map<number, Compiled>();
  private readonly locals = new Map<string, { slot: number; lazy: boolean }[]>();
  private slots = 0;

  constructor(checked: CheckedExpression) {
    this.checked = checked;
  }

  compile(node: Node): Compiled {
    let compiled = this.done.get(node.id);
    if (!compiled) this.done.set(node.id, (compiled = this.compileNode(node)));
    return compiled;
  }

  typeOf(node: Node): CelType {
    return this.checked.types.get(node.id) ?? DYN;
  }

  callOf(node: CallNode): ResolvedCall {
    return this.checked.calls.get(node.id)!;
  }

  /** Makes a comprehension variable visible while `body` is compiled; `slot` is where its value lives. */
  withLocal<T>(name: string, lazy: boolean, body: (slot: number) => T): T {
    const stack = this.locals.get(name) ?? [];
    this.locals.set(name, stack);
    // Never reused: a lazy binding runs in the middle of other loops and must not touch their variables.
    const slot = this.slots++;
    stack.push({ slot, lazy });
    const result = body(slot);
    stack.pop();
    return result;
  }

  private compileNode(node: Node): Compiled {
    switch (node.kind) {
      case 'literal':
        return constant(node.literal.type === 'double' ? double(node.literal.value) : node.literal.value);
      case 'ident':
        return this.ident(node);
      case 'select':
        return this.select(node);
      case 'call':
        return this.call(node);
      case 'list':
        return this.list(node);
      case 'map':
        return this.map(node);
      case 'struct':
        return { run: () => fail(`unknown type: ${node.typeName}`), shape: 'other' };
      case 'comprehension':
        return { run: compileComprehension(this, node satisfies ComprehensionNode), shape: 'other' };
      default:
        return node satisfies never;
    }
  }

  private ident(node: Node): Compiled {
    const { name, isType } = this.checked.idents.get(node.id)!;
    if (isType) return constant(new CelTypeValue(this.typeOf(node).params[0]!.name));
    const local = this.locals.get(name)?.at(-1);
    if (local) return attribute(local.lazy ? lazyLocal(local.slot) : readLocal(local.slot));
    const coerce = coercerFor(this.typeOf(node));
    return attribute((frame) => {
      frame.cost += 1;
      const value = frame.bindings[name];
      if (value === undefined) return fail(`no such attribute(s): ${name}`);
      return coerce ? coerce(value) : value;
    });
  }

  private select(node: SelectNode): Compiled {
    if (this.checked.idents.has(node.id)) return this.ident(node);
    const operand = this.compile(node.operand);
    const { run } = operand;
    const type = this.typeOf(node.operand);
    const optional = isOptional(type);
    const read = fieldReader(optional ? type.params[0]! : type, node.field);
    const { field } = node;
    if (node.testOnly) {
      const cost = isAttribute(operand) ? 0 : 1;
      return {
        shape: 'other',
        run: (frame) => {
          const value = run(frame);
          if (!(value instanceof CelOptional)) {
            frame.cost += cost;
            return read(value) !== undefined;
          }
          // Where nothing is looked up, nothing is charged for it.
          frame.cost += value.present ? cost : cost - 1;
          return value.present && read(value.value) !== undefined;
        },
      };
    }
    const cost = selectionCost(operand);
    if (optional) {
      const readOptional = throughOptional(read);
      return selection(operand, (frame) => {
        const value = readOptional(run(frame)) as CelOptional;
        frame.cost += value.present ? cost : cost - 1;
        return value;
      });
    }
    const isDynamic = type.kind === 'dyn';
    return selection(operand, (frame) => {
      const container = run(frame);
      frame.cost += cost;
      if (isDynamic && container instanceof CelOptional) return throughOptional(read)(container);
      const value = read(container);
      return value === undefined ? fail(`no such key: ${field}`) : value;
    });
  }

  private call(node: CallNode): Compiled {
    switch (this.callOf(node).name) {
      case Operator.and:
        return { run: logical(this.terms(node, Operator.and), false), shape: 'other' };
      case Operator.or:
        return { run: logical(this.terms(node, Operator.or), true), shape: 'other' };
      case Operator.conditional:
        return this.conditional(node);
      case Operator.index:
        return this.index(node);
      case Operator.optSelect:
      case Operator.optIndex:
        return this.optionalIndex(node);
      default:
        return compileCall(this, node);
    }
  }

  /** The operands of a whole `&&` or `||` chain in order, however the parser balanced it. */
  private terms(node: Node, operator: string): Evaluate[] {
    if (node.kind !== 'call' || node.function !== operator) return [this.compile(node).run];
    return node.args.flatMap((argument) => this.terms(argument, operator));
  }

  private conditional(node: CallNode): Compiled {
    const [condition, whenTrue, whenFalse] = node.args.map((argument) => this.compile(argument)) as [
      Compiled,
      Compiled,
      Compiled,
    ];
    const test = condition.run;
    const yes = branch(whenTrue);
    const no = branch(whenFalse);
    return {
      shape: 'conditional',
      run: (frame) => {
        const value = test(frame);
        if (value === true) return yes(frame);
        if (value === false) return no(frame);
        return noSuchOverload();
      },
    };
  }

  private index(node: CallNode): Compiled {
    const [container, key] = node.args as [Node, Node];
    const operand = this.compile(container);
    const index = this.compile(key);
    const type = this.typeOf(container);
    const read = indexReader(type);
    const cost = indexCost(operand, index);
    const { run } = operand;
    const at = index.run;
    if (isOptional(type)) {
      return selection(operand, (frame) => {
        const value = run(frame) as CelOptional;
        const wanted = at(frame);
        const found = value.present ? read(value.value, wanted) : undefined;
        frame.cost += found === undefined ? cost - 1 : cost;
        return found === undefined ? CelOptional.none : CelOptional.of(found);
      });
    }
    return selection(operand, (frame) => {
      const value = run(frame);
      const wanted = at(frame);
      frame.cost += cost;
      const found = read(value, wanted);
      return found === undefined ? missing(value, wanted) : found;
    });
  }

  /** `a.?f` and `a[?k]`: the result is an optional, and an operand that is one already is looked through. */
  private optionalIndex(node: CallNode): Compiled {
    const [container, key] = node.args as [Node, Node];
    const operand = this.compile(container);
    const index = this.compile(key);
    const type = this.typeOf(container);
    const inner = isOptional(type) ? type.params[0]! : type;
    const field = node.function === Operator.optSelect ? fieldReader(inner, String(index.value)) : undefined;
    const at = indexReader(inner);
    const cost = indexCost(operand, index);
    return selection(operand, (frame) => {
      const value = operand.run(frame);
      const wanted = index.run(frame);
      const held = value instanceof CelOptional ? (value.present ? value.value : undefined) : value;
      const found = held === undefined || held === null ? undefined : field ? field(held) : lookUp(at, held, wanted);
      // A selection that finds nothing is not charged.
      frame.cost += found === undefined ? cost - 1 : cost;
      return found === undefined ? CelOptional.none : CelOptional.of(found);
    });
  }

  private list(node: ListNode): Compiled {
    const items = node.elements.map((element) => this.compile(element));
    const { optionals } = node;
    const run: Evaluate = (frame) => {
      const list: CelValue[] = [];
      for (let i = 0; i < items.length; i++) {
        const value = items[i]!.run(frame);
        if (optionals.size === 0 || !optionals.has(i)) list.push(value);
        else {
          const held = unwrapEntry(value, String(i));
          if (held.present) list.push(held.value);
        }
      }
      return list;
    };
    return literal(items, run, 10);
  }

  private map(node: MapNode): Compiled {
    const entries = node.entries.map(({ key, value, optional }) => ({
      key: this.compile(key),
      value: this.compile(value),
      optional,
    }));
    const run: Evaluate = (frame) => {
      const map = new CelMap();
      for (const { key, value, optional } of entries) {
        const name = key.run(frame);
        const held = value.run(frame);
        if (!optional) map.set(name, held);
        else {
          const entry = unwrapEntry(held, keyText(name));
          if (entry.present) map.set(name, entry.value);
          else map.delete(name);
        }
      }
      return map;
    };
    return literal(
      entries.flatMap(({ key, value }) => [key, value]),
      run,
      30,
    );
  }
}

function lookUp(read: (container: CelValue, key: CelValue) => CelValue, held: CelValue, key: CelValue): CelValue {
  return Array.isArray(held) || isMap(held) ? read(held, key) : noSuchOverload();
}

function unwrapEntry(value: CelValue, key: string): CelOptional {
  return value instanceof CelOptional
    ? value
    : fail(`cannot initialize optional entry '${key}' from non-optional value`);
}

function attribute(run: Evaluate): Compiled {
  return { run, shape: 'attribute' };
}

function readLocal(slot: number): Evaluate {
  return (frame) => {
    frame.cost += 1;
    return frame.locals[slot];
  };
}

function lazyLocal(slot: number): Evaluate {
  return (frame) => {
    frame.cost += 1;
    const held = frame.locals[slot];
    if (held instanceof EvalFailure) throw held;
    if (!(held instanceof Unevaluated)) return held;
    try {
      return (frame.locals[slot] = held.run(frame));
    } catch (error) {
      if (error instanceof EvalFailure) frame.locals[slot] = error;
      throw error;
    }
  };
}

function isAttribute({ shape }: Compiled): boolean {
  return shape === 'attribute' || shape === 'conditional';
}

/** Selecting from something that is not an attribute makes one, which costs 1 more. */
function selectionCost(operand: Compiled): number {
  return isAttribute(operand) ? 1 : 2;
}

/** An attribute used as index is charged as the index, not once more for itself. */
function indexCost(operand: Compiled, index: Compiled): number {
  return selectionCost(operand) - (index.shape === 'attribute' ? 1 : 0);
}

function selection(operand: Compiled, run: Evaluate): Compiled {
  return { run, shape: operand.shape === 'conditional' ? 'conditional' : 'attribute' };
}

/** A literal made of constants is one itself, and free. */
function literal(parts: readonly Compiled[], run: Evaluate, cost: number): Compiled {
  if (parts.every(({ shape }) => shape === 'constant')) {
    const value = run(undefined as unknown as Frame);
    return constant(value);
  }
  return {
    shape: 'other',
    run: (frame) => {
      frame.spend(cost);
      return run(frame);
    },
  };
}

/** The root of an attribute that is a branch is not charged. */
function branch({ run, shape }: Compiled): Evaluate {
  if (shape !== 'attribute') return run;
  return (frame) => {
    frame.cost -= 1;
    return run(frame);
  };
}

/** `&&` and `||` over any number of terms: `decisive` wins even over errors in other terms. */
function logical(terms: readonly Evaluate[], decisive: boolean): Evaluate {
  return (frame) => {
    let failure: EvalFailure | undefined;
    for (const term of terms) {
      try {
        const value = term(frame);
        if (value === decisive) return decisive;
        if (value !== !decisive) failure ??= new EvalFailure('no such overload');
      } catch (error) {
        failure ??= absorbable(error);
      }
    }
    if (failure) throw failure;
    return !decisive;
  };
}
