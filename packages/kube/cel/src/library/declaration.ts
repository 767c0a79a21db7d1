import type { CelType } from '../check/type.ts';
import type { CelValue } from '../values/value.ts';
import type { MacroDeclaration } from '../syntax/macro.ts';

/** Takes exactly the parameters its overload declares; the evaluator, not TypeScript, guarantees their types. */
// oxlint-disable-next-line typescript/no-explicit-any -- narrowed by the declared signature
export type Implementation = (...args: any[]) => CelValue;

/** One typed signature of a function and what it does. A member overload's first parameter is the receiver. */
export interface Overload {
  readonly id: string;
  readonly member: boolean;
  readonly params: readonly CelType[];
  readonly result: CelType;
  readonly run: Implementation;
}

export interface FunctionDeclaration {
  readonly name: string;
  readonly overloads: readonly Overload[];
}

/** A named set of functions, macros and type names an environment may include. */
export interface Library {
  readonly functions: readonly FunctionDeclaration[];
  readonly macros?: readonly MacroDeclaration[];
  readonly types?: readonly CelType[];
}

export function declare(name: string, ...overloads: Overload[]): FunctionDeclaration {
  return { name, overloads };
}

export function global(id: string, params: readonly CelType[], result: CelType, run: Implementation): Overload {
  return { id, member: false, params, result, run };
}

export function member(id: string, params: readonly CelType[], result: CelType, run: Implementation): Overload {
  return { id, member: true, params, result, run };
}
