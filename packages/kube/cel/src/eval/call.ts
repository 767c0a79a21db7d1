import type { CelType } from '../check/type.ts';
import { fixedCost, runtimeCost } from '../cost/runtime-cost.ts';
import { EvalFailure, fail, noSuchOverload } from '../errors.ts';
import type { Implementation, Overload } from '../library/declaration.ts';
import type { CallNode } from '../syntax/ast.ts';
import { Operator } from '../syntax/ast.ts';
import { celEqual } from '../values/equality.ts';
import { regex, searches } from '../values/regex.ts';
import type { CelValue } from '../values/value.ts';
import { CelDouble, CelOptional, CelUint, typeName } from '../values/value.ts';
import type { Compiled, CompilerContext } from './compiled.ts';
import { absorbable, constant } from './compiled.ts';
import { materialize, needsConversion } from './coerce.ts';
import { guardsOf, isUncertain, pickOverload } from './dispatch.ts';
import type { Evaluate, Frame } from './frame.ts';
import type { Equal } from './typed-equality.ts';
import { addLists, equalityFor } from './typed-equality.ts';

const CONVERSIONS = new Set([
  'bool',
  'bytes',
  'double',
  'duration',
  'dyn',
  'int',
  'string',
  'timestamp',
  'type',
  'uint',
]);

/** Compiles a function call: argument conversion, overload choice, the call itself and its cost. */
export function compileCall(compiler: CompilerContext, node: CallNode): Compiled {
  const { name, target, overloads } = compiler.callOf(node);
  const operands = target ? [target, ...node.args] : node.args;
  const types = operands.map((operand) => compiler.typeOf(operand));
  const args = operands.map((operand) => compiler.compile(operand));
  const overloadId = overloads.length === 1 ? overloads[0]!.id : '';
  if (overloadId === 'optional_or_optional' || overloadId === 'optional_orValue_value') return optionalOr(name, args);
  if (overloadId === 'in_list') {
    const member = constantMembership(args);
    if (member) return member;
  }
  if (name === 'find' || name === 'findAll') constantPattern(args[1]!, false);
  const invoke = invocation(name, overloads, types, args);
  const values = args.map(({ run }, i) => prepared(run, name, types[i]!));
  const run = withCost(name, overloadId, values, invoke);
  return foldConversion(name, args, invoke) ?? { run, shape: 'other' };
}

/** Raw JSON that is not yet a CEL value inside is converted before a function sees it; equality handles it itself. */
function prepared(run: Evaluate, name: string, type: CelType): Evaluate {
  const isContainer = type.kind === 'list' || type.kind === 'map' || type.kind === 'struct';
  if (!isContainer || !needsConversion(type)) return run;
  if (name === Operator.equals || name === Operator.notEquals || name === Operator.add || name === 'size') return run;
  return (frame) => materialize(run(frame), type);
}

/**
 * Evaluates arguments, calls, and charges. A call is charged also when an argument or the function itself fails:
 * `&&` and `||` may go on after that, and the budget must have been spent.
 */
function withCost(name: string, overloadId: string, args: readonly Evaluate[], invoke: Implementation): Evaluate {
  const fixed = fixedCost(name, overloadId);
  const [first, second] = args;
  if (fixed !== undefined && args.length === 1) {
    return (frame) => {
      frame.spend(fixed);
      return invoke(first!(frame));
    };
  }
  if (fixed !== undefined && args.length === 2) {
    return (frame) => {
      frame.spend(fixed);
      let left: CelValue;
      try {
        left = first!(frame);
      } catch (error) {
        ignoringFailure(second!, frame);
        throw error;
      }
      return invoke(left, second!(frame));
    };
  }
  const cost = runtimeCost(name, overloadId);
  return (frame) => {
    const values: CelValue[] = [];
    try {
      for (const argument of args) values.push(argument(frame));
      const value = invoke(...values);
      frame.spend(cost(values, value));
      return value;
    } catch (error) {
      if (error instanceof EvalFailure) {
        if (args.length === 2 && values.length === 0) values.push(undefined, ignoringFailure(second!, frame));
        frame.spend(cost(values, undefined));
      }
      throw error;
    }
  };
}

/** Both operands of a binary call are evaluated even if the first fails. */
function ignoringFailure(run: Evaluate, frame: Frame): CelValue {
  try {
    return run(frame);
  } catch (error) {
    absorbable(error);
    return undefined;
  }
}

/** The function to call with evaluated arguments. */
function invocation(
  name: string,
  overloads: readonly Overload[],
  types: readonly CelType[],
  args: readonly Compiled[],
): Implementation {
  const [left, right] = types;
  if (name === Operator.equals || name === Operator.notEquals) {
    const equal = equality(left!, right!);
    return name === Operator.equals ? equal : (a: CelValue, b: CelValue) => !equal(a, b);
  }
  const [only] = overloads;
  if (overloads.length === 1 && only!.id === 'add_list') return listAddition(left!, right!);
  if (overloads.length === 1 && (only!.id === 'matches_string' || only!.id === 'matches')) {
    const matcher = constantPattern(args[1]!, isUncertain(left!));
    if (matcher) return matcher;
  }
  if (overloads.length === 1 && !types.some(isUncertain)) return only!.run;
  if (overloads.length === 1) return guarded(only!);
  return (...values: CelValue[]) => {
    const overload = pickOverload(overloads, values);
    return overload ? overload.run(...values) : unmatched(name, values);
  };
}

function unmatched(name: string, values: readonly CelValue[]): never {
  if (/^\W|^_/.test(name)) return noSuchOverload();
  return fail(`no such overload: ${name}(${values.map(typeName).join(', ')})`);
}

/** The left operand's schema decides how lists compare; a right operand of its own kind is only read. */
function equality(left: CelType, right: CelType): Equal {
  if (needsConversion(left) || !needsConversion(right)) return equalityFor(left);
  return (a, b) => celEqual(a, materialize(b, right));
}

function guarded(overload: Overload): Implementation {
  const guards = guardsOf(overload);
  return (...values: CelValue[]) => {
    for (let i = 0; i < guards.length; i++) {
      const guard = guards[i];
      if (guard && !guard(values[i])) noSuchOverload();
    }
    return overload.run(...values);
  };
}

function listAddition(left: CelType, right: CelType): Implementation {
  const uncertain = isUncertain(left) || isUncertain(right);
  return (a: CelValue, b: CelValue) => {
    if (uncertain && !(Array.isArray(a) && Array.isArray(b))) return noSuchOverload();
    if (left.schema?.listType) return addLists(left, a as readonly CelValue[], b as readonly CelValue[]);
    return (materialize(a, left) as readonly CelValue[]).concat(materialize(b, right) as readonly CelValue[]);
  };
}

/** A pattern known when compiling is compiled then, and must be good. */
function constantPattern(pattern: Compiled, uncertain: boolean): Implementation | undefined {
  if (pattern.shape !== 'constant' || typeof pattern.value !== 'string') return undefined;
  const program = regex(pattern.value);
  return (text: CelValue) =>
    uncertain && typeof text !== 'string' ? noSuchOverload() : searches(program, text as string);
}

/** Conversions of constants happen once, at compile time; one that fails makes compiling fail, as upstream. */
function foldConversion(name: string, args: readonly Compiled[], invoke: Implementation): Compiled | undefined {
  if (!CONVERSIONS.has(name) || args.length !== 1 || args[0]!.shape !== 'constant') return undefined;
  return constant(invoke(args[0]!.value));
}

function optionalOr(name: string, [left, right]: readonly Compiled[]): Compiled {
  return {
    shape: 'other',
    run: (frame) => {
      const value = left!.run(frame);
      if (!(value instanceof CelOptional)) return noSuchOverload();
      if (!value.present) return right!.run(frame);
      return name === 'or' ? value : value.value;
    },
  };
}

/** Membership in a constant list of scalars is a hash lookup, and free apart from its operand. */
function constantMembership([item, list]: readonly Compiled[]): Compiled | undefined {
  if (list!.shape !== 'constant' || !Array.isArray(list!.value)) return undefined;
  if (list!.value.length === 0) return constant(false);
  const members = new Set<CelValue>();
  for (const value of list!.value as readonly CelValue[]) {
    const key = membershipKey(value);
    if (key === undefined) return undefined;
    members.add(key);
  }
  const { run } = item!;
  return {
    shape: 'other',
    run: (frame) => {
      const key = membershipKey(run(frame));
      return key !== undefined && members.has(key);
    },
  };
}

/** Numbers that are equal across types share a key. */
function membershipKey(value: CelValue): CelValue {
  if (value instanceof CelDouble) return Number.isSafeInteger(value.value) ? value.value + 0 : undefined;
  if (value instanceof CelUint) return value.value <= 9007199254740991n ? Number(value.value) : value.value;
  return typeof value === 'object' ? undefined : value;
}
