import type { Node } from './ast.ts';
import { ACCUMULATOR, Operator } from './ast.ts';
import type { Macro, MacroBuilder, MacroDeclaration } from './macro.ts';
import { MacroFailure } from './macro.ts';

const accumulator = (build: MacroBuilder): Node => build.ident(ACCUMULATOR);

const has: Macro = (build, _target, args) => {
  const [argument] = args as [Node];
  if (argument.kind === 'select') return build.presenceTest(argument.operand, argument.field);
  throw new MacroFailure(argument, 'invalid argument to has() macro');
};

function iterationVariable(node: Node, message: string): string {
  if (node.kind !== 'ident') throw new MacroFailure(node, message);
  if (node.name === ACCUMULATOR || node.name === '__result__') {
    throw new MacroFailure(node, 'iteration variable overwrites accumulator variable');
  }
  return node.name;
}

/** Names of the loop variables and what is left of the arguments. */
function loop(args: readonly Node[], variables: 1 | 2, message: string): { vars: LoopVars; rest: readonly Node[] } {
  const iterVar = iterationVariable(args[0]!, message);
  if (variables === 1) return { vars: { iterVar }, rest: args.slice(1) };
  const iterVar2 = iterationVariable(args[1]!, message);
  if (iterVar === iterVar2) throw new MacroFailure(args[1]!, `duplicate variable name: ${iterVar}`);
  return { vars: { iterVar, iterVar2 }, rest: args.slice(2) };
}

interface LoopVars {
  readonly iterVar: string;
  readonly iterVar2?: string;
}

const SIMPLE_NAME = 'argument must be a simple name';

function all(variables: 1 | 2): Macro {
  return (build, target, args) => {
    const { vars, rest } = loop(args, variables, SIMPLE_NAME);
    return build.comprehension({
      ...vars,
      range: target!,
      accuVar: ACCUMULATOR,
      accuInit: build.bool(true),
      condition: build.call(Operator.notStrictlyFalse, accumulator(build)),
      step: build.call(Operator.and, accumulator(build), rest[0]!),
      result: accumulator(build),
    });
  };
}

function exists(variables: 1 | 2): Macro {
  return (build, target, args) => {
    const { vars, rest } = loop(args, variables, SIMPLE_NAME);
    return build.comprehension({
      ...vars,
      range: target!,
      accuVar: ACCUMULATOR,
      accuInit: build.bool(false),
      condition: build.call(Operator.notStrictlyFalse, build.call(Operator.not, accumulator(build))),
      step: build.call(Operator.or, accumulator(build), rest[0]!),
      result: accumulator(build),
    });
  };
}

function existsOne(variables: 1 | 2): Macro {
  return (build, target, args) => {
    const { vars, rest } = loop(args, variables, SIMPLE_NAME);
    return build.comprehension({
      ...vars,
      range: target!,
      accuVar: ACCUMULATOR,
      accuInit: build.int(0),
      condition: build.bool(true),
      step: build.call(
        Operator.conditional,
        rest[0]!,
        build.call(Operator.add, accumulator(build), build.int(1)),
        accumulator(build),
      ),
      result: build.call(Operator.equals, accumulator(build), build.int(1)),
    });
  };
}

/** `map`, `filter` and `transformList` differ only in what they append and when. */
function collect(
  variables: 1 | 2,
  message: string,
  pick: (rest: readonly Node[], args: readonly Node[]) => { when?: Node; value: Node },
): Macro {
  return (build, target, args) => {
    const { vars, rest } = loop(args, variables, message);
    const { when, value } = pick(rest, args);
    const append = build.call(Operator.add, accumulator(build), build.list(value));
    return build.comprehension({
      ...vars,
      range: target!,
      accuVar: ACCUMULATOR,
      accuInit: build.list(),
      condition: build.bool(true),
      step: when ? build.call(Operator.conditional, when, append, accumulator(build)) : append,
      result: accumulator(build),
    });
  };
}

function transformMap(insert: (build: MacroBuilder, key: string, transform: Node) => Node): Macro {
  return (build, target, args) => {
    const { vars, rest } = loop(args, 2, SIMPLE_NAME);
    const when = rest.length === 2 ? rest[0] : undefined;
    const step = insert(build, vars.iterVar, rest.at(-1)!);
    return build.comprehension({
      ...vars,
      range: target!,
      accuVar: ACCUMULATOR,
      accuInit: build.map(),
      condition: build.bool(true),
      step: when ? build.call(Operator.conditional, when, step, accumulator(build)) : step,
      result: accumulator(build),
    });
  };
}

const MAP_INSERT = 'cel.@mapInsert';
const insertTransformed = transformMap((build, key, value) =>
  build.call(MAP_INSERT, accumulator(build), build.ident(key), value),
);
const insertEntry = transformMap((build, _key, entry) => build.call(MAP_INSERT, accumulator(build), entry));

/** A comprehension over nothing: its result sees one variable, evaluated at most once. */
function bind(build: MacroBuilder, name: string, init: Node, result: Node): Node {
  return build.comprehension({
    range: build.list(),
    iterVar: '#unused',
    accuVar: name,
    accuInit: init,
    condition: build.bool(false),
    step: build.ident(name),
    result,
  });
}

function optional(name: string, wrap: (build: MacroBuilder, bound: Node) => Node): Macro {
  return (build, target, args) => {
    const [variable, transform] = args as [Node, Node];
    if (variable.kind !== 'ident')
      throw new MacroFailure(variable, `${name}() variable name must be a simple identifier`);
    // The operand appears twice in the same scope; later passes remember nodes by id, so sharing it is safe.
    const bound = bind(build, variable.name, build.memberCall('value', target!), transform);
    return build.call(
      Operator.conditional,
      build.memberCall('hasValue', target!),
      wrap(build, bound),
      build.call('optional.none'),
    );
  };
}

const celBind: Macro = (build, target, args) => {
  if (target?.kind !== 'ident' || target.name !== 'cel') return undefined;
  const [variable, init, result] = args as [Node, Node, Node];
  if (variable.kind !== 'ident')
    throw new MacroFailure(variable, 'cel.bind() variable names must be simple identifiers');
  return bind(build, variable.name, init, result);
};

const receiver = (name: string, arity: number, expand: Macro): MacroDeclaration => ({
  name,
  receiver: true,
  arity,
  expand,
});
const NOT_IDENTIFIER = 'argument is not an identifier';

export const standardMacros: readonly MacroDeclaration[] = [
  { name: 'has', receiver: false, arity: 1, expand: has },
  receiver('all', 2, all(1)),
  receiver('exists', 2, exists(1)),
  receiver('exists_one', 2, existsOne(1)),
  receiver('existsOne', 2, existsOne(1)),
  receiver(
    'map',
    2,
    collect(1, NOT_IDENTIFIER, ([value]) => ({ value: value! })),
  ),
  receiver(
    'map',
    3,
    collect(1, NOT_IDENTIFIER, ([when, value]) => ({ when: when!, value: value! })),
  ),
  receiver(
    'filter',
    2,
    collect(1, NOT_IDENTIFIER, ([when], [variable]) => ({ when: when!, value: variable! })),
  ),
];

export const twoVariableMacros: readonly MacroDeclaration[] = [
  receiver('all', 3, all(2)),
  receiver('exists', 3, exists(2)),
  receiver('exists_one', 3, existsOne(2)),
  receiver('existsOne', 3, existsOne(2)),
  receiver(
    'transformList',
    3,
    collect(2, SIMPLE_NAME, ([value]) => ({ value: value! })),
  ),
  receiver(
    'transformList',
    4,
    collect(2, SIMPLE_NAME, ([when, value]) => ({ when: when!, value: value! })),
  ),
  receiver('transformMap', 3, insertTransformed),
  receiver('transformMap', 4, insertTransformed),
  receiver('transformMapEntry', 3, insertEntry),
  receiver('transformMapEntry', 4, insertEntry),
];

export const optionalMacros: readonly MacroDeclaration[] = [
  receiver(
    'optMap',
    2,
    optional('optMap', (build, bound) => build.call('optional.of', bound)),
  ),
  receiver(
    'optFlatMap',
    2,
    optional('optFlatMap', (_build, bound) => bound),
  ),
];

/** `cel.bind` is not part of Kubernetes' environment; other users of this package may switch it on. */
export const bindingMacros: readonly MacroDeclaration[] = [receiver('bind', 3, celBind)];

/** `list.sortBy(x, key)`: the list is evaluated once, mapped to keys, and sorted by them. */
export const sortByMacro: MacroDeclaration = receiver('sortBy', 2, (build, target, args) => {
  const input = '@__sortBy_input__';
  const keys = collect(1, NOT_IDENTIFIER, ([value]) => ({ value: value! }))(build, build.ident(input), args);
  return bind(build, input, target!, build.memberCall('@sortByAssociatedKeys', build.ident(input), keys!));
});
