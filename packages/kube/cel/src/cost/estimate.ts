import type { CheckedExpression } from '../check/checker.ts';
import type { CelType } from '../check/type.ts';
import { DYN } from '../check/type.ts';
import type { Program } from '../program.ts';
import type { CallNode, ComprehensionNode, Node } from '../syntax/ast.ts';
import { ACCUMULATOR, Operator } from '../syntax/ast.ts';
import { codePointLength } from '../syntax/source.ts';
import type { Operand } from './call-estimate.ts';
import { libraryEstimate, standardEstimate } from './call-estimate.ts';
import type { Range } from './range.ts';
import { exactly, NOTHING, plus, times, UNBOUNDED, union, UNKNOWN } from './range.ts';
import { LIST_CREATE, STRUCT_CREATE } from './runtime-cost.ts';

/** Steps from a variable to a value: field names, `@items`, `@values`, `@keys`. */
type Path = readonly string[];

/** Sizes of what a container made by the expression holds. */
interface EntrySize {
  readonly container: 'list' | 'map';
  readonly key: Range;
  readonly value: Range;
}

interface Local {
  readonly path: Path;
  readonly size: Range | undefined;
  readonly entry: EntrySize | undefined;
}

const MAP_CREATE = 30;
const ONE = exactly(1);
const NO_PATH: Path = [];

/**
 * Bounds of what evaluating a program can cost, given the sizes its variables' schemas allow. Kubernetes refuses a
 * CRD whose rules can cost too much by this measure.
 */
export function estimateCost(program: Program): Range {
  return new Estimator(program.checked, program.variables).cost(program.checked.root);
}

class Estimator {
  private readonly checked: CheckedExpression;
  private readonly variables: ReadonlyMap<string, CelType>;
  private readonly costs = new Map<number, Range>();
  private readonly sizes = new Map<number, Range>();
  private readonly entries = new Map<number, EntrySize>();
  private readonly paths = new Map<number, Path>();
  private readonly locals = new Map<string, Local[]>();

  constructor(checked: CheckedExpression, variables: ReadonlyMap<string, CelType>) {
    this.checked = checked;
    this.variables = variables;
  }

  cost(node: Node): Range {
    // An operand that a macro placed twice costs the same both times.
    let cost = this.costs.get(node.id);
    if (!cost) this.costs.set(node.id, (cost = this.costOf(node)));
    return cost;
  }

  private costOf(node: Node): Range {
    switch (node.kind) {
      case 'literal':
        return NOTHING;
      case 'ident':
        this.paths.set(node.id, this.local(node.name)?.path ?? [node.name]);
        return ONE;
      case 'select': {
        if (this.checked.idents.has(node.id)) return ONE;
        const operand = this.cost(node.operand);
        if (node.testOnly) return operand;
        this.paths.set(node.id, [...this.path(node.operand), node.field]);
        const { kind } = this.type(node.operand);
        return kind === 'map' || kind === 'struct' || kind === 'param' ? plus(operand, ONE) : operand;
      }
      case 'call':
        return this.call(node);
      case 'list':
        return this.list(node.elements, node.id);
      case 'map':
        return this.map(node.entries, node.id);
      case 'struct':
        return plus(exactly(STRUCT_CREATE), ...node.fields.map(({ value }) => this.cost(value)));
      case 'comprehension':
        return isBinding(node) ? this.binding(node) : this.comprehension(node);
      default:
        return node satisfies never;
    }
  }

  private type(node: Node): CelType {
    return this.checked.types.get(node.id) ?? DYN;
  }

  private path(node: Node): Path {
    return (node.kind === 'ident' ? this.local(node.name)?.path : undefined) ?? this.paths.get(node.id) ?? NO_PATH;
  }

  private local(name: string): Local | undefined {
    return this.locals.get(name)?.at(-1);
  }

  private withLocal<T>(name: string, local: Local, body: () => T): T {
    const stack = this.locals.get(name) ?? [];
    this.locals.set(name, stack);
    stack.push(local);
    const result = body();
    stack.pop();
    return result;
  }

  /** Size of a node's value: from the expression, else from the schema, else from its type. */
  private size(node: Node): Range | undefined {
    const known = this.sizes.get(node.id) ?? literalSize(node);
    if (known) return known;
    const declared = this.declaredSize(this.path(node));
    if (declared) {
      this.sizes.set(node.id, declared);
      return declared;
    }
    if (isScalar(this.type(node))) return ONE;
    return node.kind === 'ident' ? this.local(node.name)?.size : undefined;
  }

  private declaredSize(path: Path): Range | undefined {
    const type = path.length === 0 ? undefined : this.declaredType(path);
    if (!type || (type.kind === 'dyn' && !type.schema)) return undefined;
    return { min: 0, max: type.schema?.maxElements ?? 0 };
  }

  private declaredType(path: Path): CelType | undefined {
    // Upstream drops the first step of a path without looking: what has no variable before it is sized like `self`.
    let type = this.variables.get(path[0]!) ?? this.variables.get('self');
    for (const step of path.slice(1)) {
      if (!type) return undefined;
      if (step === '@items' || step === '@values')
        type = type.kind === 'list' ? type.params[0] : type.kind === 'map' ? type.params[1] : undefined;
      else if (step === '@keys') type = type.kind === 'map' ? type.params[0] : undefined;
      else type = type.fields?.get(step)?.type;
    }
    return type;
  }

  private entry(node: Node): EntrySize | undefined {
    return this.entries.get(node.id) ?? (node.kind === 'ident' ? this.local(node.name)?.entry : undefined);
  }

  private list(elements: readonly Node[], id: number): Range {
    let item: Range = { min: elements.length === 0 ? 0 : UNBOUNDED, max: 0 };
    const costs = elements.map((element) => {
      const cost = this.cost(element);
      item = union(item, this.size(element) ?? UNKNOWN);
      return cost;
    });
    this.entries.set(id, { container: 'list', key: ONE, value: item });
    return plus(exactly(LIST_CREATE), ...costs);
  }

  private map(entries: readonly { readonly key: Node; readonly value: Node }[], id: number): Range {
    const start: Range = { min: entries.length === 0 ? 0 : UNBOUNDED, max: 0 };
    let [keySize, valueSize] = [start, start];
    const costs = entries.map(({ key, value }) => {
      const cost = plus(this.cost(key), this.cost(value));
      keySize = union(keySize, this.size(key) ?? UNKNOWN);
      valueSize = union(valueSize, this.size(value) ?? UNKNOWN);
      return cost;
    });
    this.entries.set(id, { container: 'map', key: keySize, value: valueSize });
    return plus(exactly(MAP_CREATE), ...costs);
  }

  private operand(node: Node): Operand {
    const path = this.path(node);
    return this.operandAt(node, this.type(node), this.size(node), path[0] === ACCUMULATOR ? NO_PATH : path);
  }

  private operandAt(node: Node | undefined, type: CelType, size: Range | undefined, path: Path): Operand {
    return {
      node,
      type,
      size: size ?? this.declaredSize(path),
      item: () => {
        const [item] = type.params;
        if (!item) return undefined;
        return this.operandAt(undefined, item, undefined, path.length > 0 ? [...path, '@items'] : NO_PATH);
      },
    };
  }

  private call(node: CallNode): Range {
    const { name, target, overloads } = this.checked.calls.get(node.id)!;
    if (name === 'dyn') {
      const cost = plus(ONE, this.cost(node.args[0]!));
      this.copySizes(node, node.args[0]!);
      return cost;
    }
    const argCosts = node.args.map((argument) => this.cost(argument));
    const args = node.args.map((argument) => this.operand(argument));
    const ids = name === Operator.optSelect ? ['select_optional_field'] : overloads.map(({ id }) => id);
    const targetCost = target ? this.cost(target) : NOTHING;
    const targetOperand = target && this.operand(target);
    let total: Range = { min: UNBOUNDED, max: 0 };
    let result: Range | undefined;
    for (const overload of ids) {
      const estimate = this.overloadCost(node, { name, overload, target: targetOperand, args }, argCosts);
      total = union(total, estimate.cost);
      if (estimate.resultSize) result = result ? union(result, estimate.resultSize) : estimate.resultSize;
      if (overload === 'index_list' || overload === 'index_map') result = this.indexResult(node, overload);
      result ??= this.size(node);
    }
    if (result) this.sizes.set(node.id, result);
    return plus(targetCost, total);
  }

  /** Indexing leads on into the schema. */
  private indexResult(node: CallNode, overload: 'index_list' | 'index_map'): Range | undefined {
    const [container] = node.args as [Node];
    this.paths.set(node.id, [...this.path(container), overload === 'index_list' ? '@items' : '@values']);
    return this.entry(container)?.value;
  }

  private overloadCost(
    node: CallNode,
    call: Parameters<typeof libraryEstimate>[0],
    argCosts: readonly Range[],
  ): { cost: Range; resultSize?: Range } {
    const fromLibrary = libraryEstimate(call);
    if (fromLibrary) return { ...fromLibrary, cost: plus(fromLibrary.cost, ...argCosts) };
    switch (call.overload) {
      case 'logical_or':
      case 'logical_and':
        return { cost: { min: argCosts[0]!.min, max: plus(...argCosts).max } };
      case 'conditional':
        return this.conditional(node, call.args, argCosts);
      case 'add_list':
      case 'add_string':
      case 'add_bytes':
        this.joinEntries(node, node.args[0]!, node.args[1]!);
        break;
      default:
    }
    const estimate = standardEstimate(call);
    return { ...estimate, cost: plus(estimate.cost, ...argCosts) };
  }

  private conditional(
    node: CallNode,
    args: readonly Operand[],
    argCosts: readonly Range[],
  ): { cost: Range; resultSize: Range } {
    this.joinEntries(node, node.args[1]!, node.args[2]!);
    return {
      cost: plus(argCosts[0]!, union(argCosts[1]!, argCosts[2]!)),
      resultSize: union(args[1]!.size ?? UNKNOWN, args[2]!.size ?? UNKNOWN),
    };
  }

  private joinEntries(node: Node, a: Node, b: Node): void {
    const [first, second] = [this.entry(a), this.entry(b)];
    if (!first || !second) return;
    const joined = {
      container: first.container,
      key: union(first.key, second.key),
      value: union(first.value, second.value),
    };
    this.entries.set(node.id, joined);
  }

  private copySizes(to: Node, from: Node): void {
    const [size, entry] = [this.size(from), this.entry(from)];
    if (size) this.sizes.set(to.id, size);
    if (entry) this.entries.set(to.id, entry);
  }

  private accumulator(node: ComprehensionNode): Local {
    return { path: this.path(node.accuInit), size: this.size(node.accuInit), entry: this.entry(node.accuInit) };
  }

  private binding(node: ComprehensionNode): Range {
    const before = plus(this.cost(node.range), this.cost(node.accuInit));
    const result = this.withLocal(node.accuVar, this.accumulator(node), () => this.cost(node.result));
    this.copySizes(node, node.result);
    return plus(before, result);
  }

  private comprehension(node: ComprehensionNode): Range {
    const before = plus(this.cost(node.range), this.cost(node.accuInit));
    const count = this.size(node.range) ?? UNKNOWN;
    const { step, result } = this.withLocal(node.accuVar, this.accumulator(node), () => {
      const perItem = this.withLoopVariables(node, () => plus(this.cost(node.condition), this.cost(node.step)));
      return { step: perItem, result: this.cost(node.result) };
    });
    if (node.accuInit.kind === 'literal') {
      const size = this.size(node.accuInit);
      if (size) this.sizes.set(node.id, size);
    } else {
      this.sizes.set(node.id, count);
      const entry = this.entry(node.step);
      if (entry) this.entries.set(node.id, entry);
    }
    return plus(before, result, times(count, step));
  }

  private withLoopVariables<T>(node: ComprehensionNode, body: () => T): T {
    const entry = this.entry(node.range);
    const isList = (entry?.container ?? this.type(node.range).kind) === 'list';
    const path = this.path(node.range);
    const at = (step: string, size: Range | undefined): Local => ({ path: [...path, step], size, entry: undefined });
    if (node.iterVar2 === undefined) {
      return this.withLocal(node.iterVar, isList ? at('@items', entry?.value) : at('@keys', entry?.key), body);
    }
    return this.withLocal(node.iterVar, at(isList ? '@indices' : '@keys', entry?.key), () =>
      this.withLocal(node.iterVar2!, at(isList ? '@items' : '@values', entry?.value), body),
    );
  }
}

function isBinding({ range, condition, accuVar }: ComprehensionNode): boolean {
  return (
    range.kind === 'list' &&
    range.elements.length === 0 &&
    condition.kind === 'literal' &&
    condition.literal.value === false &&
    accuVar !== ACCUMULATOR
  );
}

function literalSize(node: Node): Range | undefined {
  if (node.kind === 'list') return exactly(node.elements.length);
  if (node.kind === 'map') return exactly(node.entries.length);
  if (node.kind !== 'literal') return undefined;
  const { value } = node.literal;
  if (typeof value === 'string') return exactly(codePointLength(value));
  return value instanceof Uint8Array ? exactly(value.length) : ONE;
}

function isScalar(type: CelType): boolean {
  switch (type.kind) {
    case 'bool':
    case 'double':
    case 'duration':
    case 'int':
    case 'timestamp':
    case 'uint':
      return true;
    default:
      return type.name === 'optional_type' && isScalar(type.params[0]!);
  }
}
