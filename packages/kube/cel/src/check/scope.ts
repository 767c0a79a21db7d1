import type { FunctionDeclaration } from '../library/declaration.ts';
import type { CelType } from './type.ts';

/** What the checker may resolve names against. */
export interface Declarations {
  readonly variables: ReadonlyMap<string, CelType>;
  readonly functions: ReadonlyMap<string, FunctionDeclaration>;
  /** Type names usable as values, e.g. `int` or `google.protobuf.Timestamp`. */
  readonly typeNames: ReadonlyMap<string, CelType>;
}

/** Variables of enclosing comprehensions, innermost first. */
export class Scope {
  private readonly outer: Scope | undefined;
  private readonly variables: ReadonlyMap<string, CelType>;

  constructor(outer: Scope | undefined, variables: ReadonlyMap<string, CelType>) {
    this.outer = outer;
    this.variables = variables;
  }
  find(name: string): CelType | undefined {
    return this.variables.get(name) ?? this.outer?.find(name);
  }
}
