import type { CelType } from '../check/type.ts';
import { EvalFailure, fail } from '../errors.ts';
import type { CallNode, ComprehensionNode, ListNode, Node } from '../syntax/ast.ts';
import { Operator } from '../syntax/ast.ts';
import { isMap } from '../values/equality.ts';
import type { CelValue } from '../values/value.ts';
import { CelMap, typeName } from '../values/value.ts';
import { keyText } from './attribute.ts';
import type { Coerce } from './coerce.ts';
import { coercerFor } from './coerce.ts';
import type { CompilerContext } from './compiled.ts';
import { absorbable, Unevaluated } from './compiled.ts';
import type { Evaluate, Frame } from './frame.ts';

/** The loop variables of one comprehension and where they live. */
interface Loop {
  readonly range: Evaluate;
  readonly first: number;
  readonly second: number | undefined;
  readonly coerce: Coerce | undefined;
}

/**
 * Comprehensions only ever come from macros, so each shape is compiled to its own loop instead of interpreting
 * accumulator, condition and step. The costs added are those the expanded form would have.
 */
export function compileComprehension(compiler: CompilerContext, node: ComprehensionNode): Evaluate {
  const range = compiler.compile(node.range).run;
  if (isBinding(node)) return binding(compiler, node);
  const type = compiler.typeOf(node.range);
  return compiler.withLocal(node.iterVar, false, (first) => {
    const body = (second: number | undefined): Evaluate =>
      compileBody(compiler, node, { range, first, second, coerce: elementCoercion(type, second !== undefined) });
    return node.iterVar2 === undefined ? body(undefined) : compiler.withLocal(node.iterVar2, false, body);
  });
}

function isBinding({ range, condition }: ComprehensionNode): boolean {
  return (
    range.kind === 'list' &&
    range.elements.length === 0 &&
    condition.kind === 'literal' &&
    condition.literal.value === false
  );
}

function binding(compiler: CompilerContext, node: ComprehensionNode): Evaluate {
  const init = compiler.compile(node.accuInit);
  return compiler.withLocal(node.accuVar, true, (slot) => {
    const result = compiler.compile(node.result).run;
    return (frame) => {
      frame.locals[slot] = new Unevaluated(init.run);
      return result(frame);
    };
  });
}

function elementCoercion(type: CelType, twoVariables: boolean): Coerce | undefined {
  if (type.kind === 'list') return coercerFor(type.params[0]!);
  return type.kind === 'map' && twoVariables ? coercerFor(type.params[1]!) : undefined;
}

function compileBody(compiler: CompilerContext, node: ComprehensionNode, loop: Loop): Evaluate {
  const step = node.step as CallNode;
  if (node.accuInit.kind === 'literal') {
    if (step.function === Operator.and) return quantifier(loop, compiler.compile(step.args[1]!).run, false, 2);
    if (step.function === Operator.or) return quantifier(loop, compiler.compile(step.args[1]!).run, true, 3);
    return existsOne(loop, compiler.compile(step.args[0]!).run);
  }
  const isFiltered = step.function === Operator.conditional;
  const when = isFiltered ? compiler.compile(step.args[0]!).run : undefined;
  const insert = (isFiltered ? step.args[1] : step) as CallNode;
  if (node.accuInit.kind === 'list') return collect(compiler, loop, when, (insert.args[1] as ListNode).elements[0]!);
  return insert.args.length === 3
    ? transformMap(compiler, loop, when, insert)
    : mergeEntries(compiler, loop, when, insert);
}

/** Runs `visit` per element until it returns true. Tells whether elements were left over. */
function iterate(frame: Frame, loop: Loop, visit: () => boolean): boolean {
  const range = loop.range(frame);
  const { first, second, coerce } = loop;
  const { locals } = frame;
  if (Array.isArray(range)) {
    for (let i = 0; i < range.length; i++) {
      const item: CelValue = coerce ? coerce(range[i]) : range[i];
      if (second === undefined) locals[first] = item;
      else {
        locals[first] = i;
        locals[second] = item;
      }
      if (visit()) return i < range.length - 1;
    }
    return false;
  }
  const entries = entriesOf(range);
  for (let i = 0; i < entries.length; i++) {
    const [key, value] = entries[i]!;
    locals[first] = key;
    if (second !== undefined) locals[second] = coerce ? coerce(value) : value;
    if (visit()) return i < entries.length - 1;
  }
  return false;
}

function entriesOf(range: CelValue): readonly (readonly [CelValue, CelValue])[] {
  if (range instanceof CelMap) return [...range.entries()];
  if (!isMap(range)) return fail(`got '${typeName(range)}', expected iterable type`);
  return Object.entries(range as object).filter(([, value]) => value !== undefined);
}

/** `all` (decided by false) and `exists` (decided by true), absorbing errors like `&&` and `||`. */
function quantifier(loop: Loop, predicate: Evaluate, decisive: boolean, conditionCost: number): Evaluate {
  return (frame) => {
    let failure: EvalFailure | undefined;
    let decided = false;
    const leftOver = iterate(frame, loop, () => {
      frame.step(conditionCost + 1);
      try {
        const value = predicate(frame);
        if (value === decisive) decided = true;
        else if (value !== !decisive) failure ??= new EvalFailure('no such overload');
      } catch (error) {
        failure ??= absorbable(error);
      }
      return decided;
    });
    frame.spend(leftOver ? conditionCost + 1 : 1);
    if (decided) return decisive;
    if (failure) throw failure;
    return !decisive;
  };
}

function truth(value: CelValue): boolean {
  return typeof value === 'boolean' ? value : fail('no such overload');
}

/** Goes on after an error, as upstream does: the last one of a predicate is reported, and all of them cost. */
function existsOne(loop: Loop, predicate: Evaluate): Evaluate {
  return (frame) => {
    let count = 0;
    let failure: EvalFailure | undefined;
    iterate(frame, loop, () => {
      let holds = false;
      try {
        holds = truth(predicate(frame));
      } catch (error) {
        failure = absorbable(error);
      }
      frame.step(holds ? 2 : 0);
      if (holds) count++;
      return false;
    });
    frame.spend(2);
    if (failure) throw failure;
    return count === 1;
  };
}

/** `map`, `filter` and `transformList`. A failed predicate replaces earlier errors, a failed value does not. */
function collect(compiler: CompilerContext, loop: Loop, when: Evaluate | undefined, value: Node): Evaluate {
  const compiled = compiler.compile(value);
  const { run } = compiled;
  const cost = compiled.shape === 'constant' ? 2 : 12;
  return (frame) => {
    const list: CelValue[] = [];
    let failure: EvalFailure | undefined;
    iterate(frame, loop, () => {
      let wanted = when === undefined;
      try {
        wanted ||= truth(when!(frame));
      } catch (error) {
        failure = absorbable(error);
      }
      if (wanted) {
        try {
          list.push(run(frame));
        } catch (error) {
          failure ??= absorbable(error);
        }
      }
      frame.step(wanted ? cost : 0);
      return false;
    });
    frame.spend(1);
    if (failure) throw failure;
    return list;
  };
}

function insertNew(map: CelMap, key: CelValue, value: CelValue): void {
  if (map.has(key)) fail(`insert failed: key ${keyText(key)} already exists`);
  map.set(key, value);
}

function transformMap(compiler: CompilerContext, loop: Loop, when: Evaluate | undefined, insert: CallNode): Evaluate {
  const value = compiler.compile(insert.args[2]!).run;
  return (frame) => {
    const map = new CelMap();
    iterate(frame, loop, () => {
      const wanted = !when || truth(when(frame));
      if (wanted) insertNew(map, frame.locals[loop.first], value(frame));
      frame.step(wanted ? 3 : 0);
      return false;
    });
    frame.spend(1);
    return map;
  };
}

/** `transformMapEntry`: each step yields a map whose entries are added. */
function mergeEntries(compiler: CompilerContext, loop: Loop, when: Evaluate | undefined, insert: CallNode): Evaluate {
  const entry = compiler.compile(insert.args[1]!).run;
  return (frame) => {
    const map = new CelMap();
    iterate(frame, loop, () => {
      const wanted = !when || truth(when(frame));
      if (wanted) for (const [key, value] of entriesOf(entry(frame))) insertNew(map, key, value);
      frame.step(wanted ? 2 : 0);
      return false;
    });
    frame.spend(1);
    return map;
  };
}
