import { CelCompileError } from '../errors.ts';
import type { CallNode, Node } from '../syntax/ast.ts';
import { childrenOf, Operator } from '../syntax/ast.ts';
import type { CelIssue } from '../syntax/source.ts';
import { locationAt, sortIssues } from '../syntax/source.ts';
import type { CheckedExpression, ResolvedCall } from './checker.ts';
import { qualifiedName } from './checker.ts';
import type { Declarations } from './scope.ts';
import type { CelType } from './type.ts';
import { typeType } from './type.ts';

/**
 * Resolves names without types, as cel-go does for an expression that was parsed but not checked: every name that is
 * neither a type nor bound by a macro is a variable, found or missed at run time, and overloads are chosen by the
 * values. Only functions that no library has are refused, since a call of one can never work.
 */
export function resolveDynamically(source: string, root: Node, declarations: Declarations): CheckedExpression {
  const resolver = new Resolver(source, declarations);
  resolver.visit(root, new Set());
  if (resolver.issues.length > 0) throw new CelCompileError(source, sortIssues(resolver.issues));
  const { types, calls, idents } = resolver;
  return { source, root, types, calls, idents };
}

class Resolver {
  readonly issues: CelIssue[] = [];
  readonly types = new Map<number, CelType>();
  readonly calls = new Map<number, ResolvedCall>();
  readonly idents = new Map<number, { readonly name: string; readonly isType: boolean }>();
  private readonly source: string;
  private readonly declarations: Declarations;

  constructor(source: string, declarations: Declarations) {
    this.source = source;
    this.declarations = declarations;
  }

  visit(node: Node, locals: ReadonlySet<string>): void {
    switch (node.kind) {
      case 'ident':
        if (!this.typeNamed(node.id, node.name, locals)) this.variable(node.id, stripDot(node.name), locals);
        return;
      case 'select': {
        const name = node.testOnly ? undefined : qualifiedName(node);
        if (name === undefined || !this.typeNamed(node.id, name, locals)) this.visit(node.operand, locals);
        return;
      }
      case 'call':
        this.call(node, locals);
        return;
      case 'comprehension': {
        this.visit(node.range, locals);
        this.visit(node.accuInit, locals);
        const withResult = new Set(locals).add(node.accuVar);
        const inner = new Set(withResult).add(node.iterVar);
        if (node.iterVar2 !== undefined) inner.add(node.iterVar2);
        this.visit(node.condition, inner);
        this.visit(node.step, inner);
        this.visit(node.result, withResult);
        return;
      }
      default:
        for (const child of childrenOf(node)) this.visit(child, locals);
    }
  }

  /** What is declared is converted as declared when it is read, e.g. texts that are timestamps. */
  private variable(id: number, name: string, locals: ReadonlySet<string>): void {
    this.idents.set(id, { name, isType: false });
    const declared = locals.has(name) ? undefined : this.declarations.variables.get(name);
    if (declared) this.types.set(id, declared);
  }

  private typeNamed(id: number, written: string, locals: ReadonlySet<string>): boolean {
    const name = stripDot(written);
    if (locals.has(name.split('.', 1)[0]!) || this.declarations.variables.has(name)) return false;
    const type = this.declarations.typeNames.get(name);
    if (!type) return false;
    this.idents.set(id, { name, isType: true });
    this.types.set(id, typeType(type));
    return true;
  }

  private call(node: CallNode, locals: ReadonlySet<string>): void {
    for (const argument of node.args) this.visit(argument, locals);
    if (node.function === Operator.optSelect) {
      this.calls.set(node.id, { name: node.function, target: undefined, overloads: [] });
      return;
    }
    const { target } = node;
    const prefix = target && qualifiedName(target);
    const namespaced = prefix === undefined ? undefined : `${stripDot(prefix)}.${node.function}`;
    if (namespaced !== undefined && this.declarations.functions.has(namespaced)) {
      this.resolve(node, namespaced, undefined);
      return;
    }
    if (target) this.visit(target, locals);
    this.resolve(node, target ? node.function : stripDot(node.function), target);
  }

  private resolve(node: CallNode, name: string, target: Node | undefined): void {
    const arity = node.args.length + (target ? 1 : 0);
    const declared = this.declarations.functions.get(name)?.overloads ?? [];
    const overloads = declared.filter(
      ({ member, params }) => member === (target !== undefined) && params.length === arity,
    );
    const isOperator = name === Operator.and || name === Operator.or;
    if (overloads.length === 0 && !isOperator) {
      const message =
        declared.length === 0
          ? `undeclared reference to '${node.function}' (in container '')`
          : `found no matching overload for '${name}' with ${arity} argument${arity === 1 ? '' : 's'}`;
      this.issues.push({ message, location: locationAt(this.source, node.pos) });
    }
    this.calls.set(node.id, { name, target, overloads });
  }
}

function stripDot(name: string): string {
  return name.startsWith('.') ? name.slice(1) : name;
}
