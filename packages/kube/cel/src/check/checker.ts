import { CelCompileError } from '../errors.ts';
import type { Overload } from '../library/declaration.ts';
import type {
  CallNode,
  ComprehensionNode,
  ListNode,
  LiteralNode,
  MapNode,
  Node,
  SelectNode,
  StructNode,
} from '../syntax/ast.ts';
import { Operator } from '../syntax/ast.ts';
import type { CelIssue } from '../syntax/source.ts';
import { locationAt, sortIssues } from '../syntax/source.ts';
import type { Declarations } from './scope.ts';
import { Scope } from './scope.ts';
import type { CelType } from './type.ts';
import {
  BOOL,
  BYTES,
  DOUBLE,
  DYN,
  ERROR,
  formatType,
  INT,
  listType,
  mapType,
  NULL,
  optionalType,
  paramType,
  sameType,
  STRING,
  typeType,
  UINT,
} from './type.ts';
import { assign, assignAll, Bindings, isDyn, isDynOrError, mostGeneral, substitute, unwrapOptional } from './unify.ts';

/** A call after resolution: its candidates, and whether `a.f()` turned out to be the function named `a.f`. */
export interface ResolvedCall {
  readonly name: string;
  readonly target: Node | undefined;
  readonly overloads: readonly Overload[];
}

/** A name after resolution: a variable, or a type used as a value. */
interface ResolvedIdent {
  readonly name: string;
  readonly isType: boolean;
}

/** A parsed expression with what the checker found out, keyed by node id. */
export interface CheckedExpression {
  readonly source: string;
  readonly root: Node;
  readonly types: ReadonlyMap<number, CelType>;
  readonly calls: ReadonlyMap<number, ResolvedCall>;
  readonly idents: ReadonlyMap<number, ResolvedIdent>;
}

const MAX_ISSUES = 100;

const LITERAL_TYPES: Readonly<Record<LiteralNode['literal']['type'], CelType>> = {
  int: INT,
  uint: UINT,
  double: DOUBLE,
  string: STRING,
  bytes: BYTES,
  bool: BOOL,
  null: NULL,
};

/** Type-checks a parsed expression. Throws `CelCompileError`. */
export function check(source: string, root: Node, declarations: Declarations): CheckedExpression {
  const checker = new Checker(source, declarations);
  checker.check(root);
  if (checker.issues.length > 0) throw new CelCompileError(source, sortIssues(checker.issues));
  return checker.finish(root);
}

class Checker {
  readonly issues: CelIssue[] = [];
  private readonly source: string;
  private readonly declarations: Declarations;
  private readonly types = new Map<number, CelType>();
  private readonly calls = new Map<number, ResolvedCall>();
  private readonly idents = new Map<number, ResolvedIdent>();
  private readonly bindings = new Bindings();
  private scope = new Scope(undefined, new Map());
  private freshCount = 0;

  constructor(source: string, declarations: Declarations) {
    this.source = source;
    this.declarations = declarations;
  }

  finish(root: Node): CheckedExpression {
    const types = new Map<number, CelType>();
    for (const [id, type] of this.types) types.set(id, substitute(this.bindings, type, true));
    return { source: this.source, root, types, calls: this.calls, idents: this.idents };
  }

  check(node: Node): void {
    // Macros may place one operand twice in the same scope; its type is the same both times.
    if (!this.types.has(node.id)) this.types.set(node.id, this.typeOf(node));
  }

  private typeOf(node: Node): CelType {
    switch (node.kind) {
      case 'literal':
        return LITERAL_TYPES[node.literal.type];
      case 'ident':
        return this.resolveIdent(node.id, node.name) ?? this.undeclared(node, node.name);
      case 'select':
        return this.select(node);
      case 'call':
        return this.call(node);
      case 'list':
        return this.list(node);
      case 'map':
        return this.map(node);
      case 'struct':
        return this.struct(node);
      case 'comprehension':
        return this.comprehension(node);
      default:
        return node satisfies never;
    }
  }

  private get(node: Node): CelType {
    return this.types.get(node.id)!;
  }

  private report(node: { readonly pos: number }, message: string): CelType {
    if (this.issues.length < MAX_ISSUES) this.issues.push({ message, location: locationAt(this.source, node.pos) });
    return ERROR;
  }

  private undeclared(node: Node, name: string): CelType {
    return this.report(node, `undeclared reference to '${name}' (in container '')`);
  }

  private mismatch(node: Node, expected: CelType, actual: CelType): CelType {
    return this.report(node, `expected type '${this.format(expected)}' but found '${this.format(actual)}'`);
  }

  private format(type: CelType): string {
    return formatType(substitute(this.bindings, type, false));
  }

  private resolveIdent(id: number, written: string): CelType | undefined {
    const name = written.startsWith('.') ? written.slice(1) : written;
    const local = written.startsWith('.') ? undefined : this.scope.find(name);
    const variable = local ?? this.declarations.variables.get(name);
    if (variable) {
      this.idents.set(id, { name, isType: false });
      return variable;
    }
    const named = this.declarations.typeNames.get(name);
    if (!named) return undefined;
    this.idents.set(id, { name, isType: true });
    return typeType(named);
  }

  private select(node: SelectNode): CelType {
    const qualified = node.testOnly ? undefined : qualifiedName(node);
    // A comprehension variable shadows any dotted name that starts like it.
    if (qualified !== undefined && !this.scope.find(qualified.slice(0, qualified.indexOf('.')))) {
      const type = this.resolveIdent(node.id, qualified);
      if (type) return type;
    }
    const result = this.selectField(node, node.operand, node.field, false);
    return node.testOnly ? BOOL : substitute(this.bindings, result, false);
  }

  private selectField(node: Node, operand: Node, field: string, optional: boolean): CelType {
    this.check(operand);
    const { type: target, wasOptional } = unwrapOptional(substitute(this.bindings, this.get(operand), false));
    const result = this.fieldType(node, target, field);
    return wasOptional || optional ? optionalType(result) : result;
  }

  private fieldType(node: Node, target: CelType, field: string): CelType {
    switch (target.kind) {
      case 'map':
        return target.params[1]!;
      case 'struct':
        return target.fields?.get(field)?.type ?? this.report(node, `undefined field '${field}'`);
      case 'param':
        assign(this.bindings, DYN, target);
        return DYN;
      default:
        if (!isDynOrError(target)) this.report(node, `type '${formatType(target)}' does not support field selection`);
        return DYN;
    }
  }

  private call(node: CallNode): CelType {
    if (node.function === Operator.optSelect) return this.optionalSelect(node);
    for (const argument of node.args) this.check(argument);
    const { target } = node;
    if (target) {
      const prefix = qualifiedName(target);
      const namespaced = prefix === undefined ? undefined : `${stripDot(prefix)}.${node.function}`;
      if (namespaced !== undefined && this.declarations.functions.has(namespaced)) {
        return this.resolve(node, namespaced, undefined);
      }
      this.check(target);
    }
    const name = target ? node.function : stripDot(node.function);
    if (!this.declarations.functions.has(name)) return this.undeclared(node, node.function);
    return this.resolve(node, name, target);
  }

  private optionalSelect(node: CallNode): CelType {
    const [operand, field] = node.args as [Node, LiteralNode];
    const result = this.selectField(node, operand, field.literal.value as string, true);
    this.check(field);
    this.calls.set(node.id, { name: Operator.optSelect, target: undefined, overloads: [] });
    return substitute(this.bindings, result, false);
  }

  private resolve(node: CallNode, name: string, target: Node | undefined): CelType {
    const operands = target ? [target, ...node.args] : node.args;
    const argTypes = operands.map((operand) => this.get(operand));
    const { overloads } = this.declarations.functions.get(name)!;
    if (name === Operator.and || name === Operator.or) {
      const wrong = operands.filter((operand, i) => {
        if (assign(this.bindings, argTypes[i]!, BOOL)) return false;
        this.mismatch(operand, BOOL, argTypes[i]!);
        return true;
      });
      this.calls.set(node.id, { name, target, overloads });
      return wrong.length > 0 ? ERROR : BOOL;
    }
    const matching: Overload[] = [];
    let result: CelType | undefined;
    for (const overload of overloads) {
      if (overload.member !== (target !== undefined)) continue;
      const { params, result: declared } = this.instantiate(overload);
      if (!assignAll(this.bindings, argTypes, params)) continue;
      matching.push(overload);
      const type = substitute(this.bindings, declared, false);
      if (!result) result = type;
      else if (!isDyn(result) && !sameType(type, result)) result = DYN;
    }
    if (!result) {
      return this.report(
        node,
        `found no matching overload for '${name}' applied to '${this.signature(argTypes, target !== undefined)}'`,
      );
    }
    this.calls.set(node.id, { name, target, overloads: matching });
    return this.keepListSemantics(matching, argTypes, result);
  }

  /** Adding to a set or map list gives a list of the same sort, so the schema facts must survive. */
  private keepListSemantics(matching: readonly Overload[], argTypes: readonly CelType[], result: CelType): CelType {
    const left = argTypes[0];
    return matching.length === 1 && matching[0]!.id === 'add_list' && left?.schema?.listType ? left : result;
  }

  private instantiate(overload: Overload): { params: readonly CelType[]; result: CelType } {
    const names = typeParameters(overload);
    if (names.length === 0) return overload;
    const fresh = new Bindings();
    for (const name of names) fresh.set(name, this.freshType());
    return {
      params: overload.params.map((param) => substitute(fresh, param, false)),
      result: substitute(fresh, overload.result, false),
    };
  }

  private signature(argTypes: readonly CelType[], isMember: boolean): string {
    const shown = argTypes.map((type) => formatType(substitute(this.bindings, type, true)));
    if (!isMember) return `(${shown.join(', ')})`;
    return `${shown[0]}.(${shown.slice(1).join(', ')})`;
  }

  private freshType(): CelType {
    return paramType(`_var${this.freshCount++}`);
  }

  /** The type of an element, unwrapped when it is written as `?x`. */
  private entryType(node: Node, optional: boolean): CelType {
    this.check(node);
    const type = this.get(node);
    if (!optional) return type;
    const { type: inner, wasOptional } = unwrapOptional(type);
    if (!wasOptional && !isDyn(inner)) this.mismatch(node, optionalType(inner), inner);
    return inner;
  }

  private join(previous: CelType | undefined, current: CelType): CelType {
    if (!previous) return current;
    if (assign(this.bindings, previous, current)) return mostGeneral(previous, current);
    return DYN;
  }

  private list(node: ListNode): CelType {
    let element: CelType | undefined;
    node.elements.forEach((item, i) => {
      element = this.join(element, this.entryType(item, node.optionals.has(i)));
    });
    return listType(element ?? this.freshType());
  }

  private map(node: MapNode): CelType {
    let keyType: CelType | undefined;
    let valueType: CelType | undefined;
    for (const { key, value, optional } of node.entries) {
      keyType = this.join(keyType, this.entryType(key, false));
      valueType = this.join(valueType, this.entryType(value, optional));
    }
    return mapType(keyType ?? this.freshType(), valueType ?? this.freshType());
  }

  private struct(node: StructNode): CelType {
    return this.undeclared(node, node.typeName);
  }

  private comprehension(node: ComprehensionNode): CelType {
    this.check(node.range);
    this.check(node.accuInit);
    const range = substitute(this.bindings, this.get(node.range), false);
    const accumulator = this.get(node.accuInit);
    const outer = this.scope;
    const resultScope = new Scope(outer, new Map([[node.accuVar, accumulator]]));
    this.scope = new Scope(resultScope, this.loopVariables(node, range));
    this.check(node.condition);
    this.assertType(node.condition, BOOL);
    this.check(node.step);
    this.assertType(node.step, accumulator);
    this.scope = resultScope;
    this.check(node.result);
    this.scope = outer;
    return substitute(this.bindings, this.get(node.result), false);
  }

  private loopVariables(node: ComprehensionNode, range: CelType): Map<string, CelType> {
    const { iterVar, iterVar2 } = node;
    const bind = (first: CelType, second: CelType): Map<string, CelType> =>
      new Map(
        iterVar2 === undefined
          ? [[iterVar, first]]
          : [
              [iterVar, first],
              [iterVar2, second],
            ],
      );
    switch (range.kind) {
      case 'list':
        return iterVar2 === undefined ? bind(range.params[0]!, DYN) : bind(INT, range.params[0]!);
      case 'map':
        return bind(range.params[0]!, range.params[1]!);
      case 'dyn':
      case 'error':
      case 'param':
        assign(this.bindings, DYN, range);
        return bind(DYN, DYN);
      default:
        this.report(
          node.range,
          `expression of type '${formatType(range)}' cannot be range of a comprehension (must be list, map, or dynamic)`,
        );
        return bind(ERROR, ERROR);
    }
  }

  private assertType(node: Node, type: CelType): void {
    if (!assign(this.bindings, type, this.get(node))) this.mismatch(node, type, this.get(node));
  }
}

function stripDot(name: string): string {
  return name.startsWith('.') ? name.slice(1) : name;
}

/** `a.b.c` as text when the node is nothing but names. */
export function qualifiedName(node: Node): string | undefined {
  if (node.kind === 'ident') return node.name;
  if (node.kind !== 'select' || node.testOnly) return undefined;
  const prefix = qualifiedName(node.operand);
  return prefix === undefined ? undefined : `${prefix}.${node.field}`;
}

const parameterNames = new WeakMap<Overload, readonly string[]>();

function typeParameters(overload: Overload): readonly string[] {
  let names = parameterNames.get(overload);
  if (!names) {
    const found = new Set<string>();
    const visit = (type: CelType): void => {
      if (type.kind === 'param') found.add(type.name);
      type.params.forEach(visit);
    };
    overload.params.forEach(visit);
    visit(overload.result);
    names = [...found];
    parameterNames.set(overload, names);
  }
  return names;
}
