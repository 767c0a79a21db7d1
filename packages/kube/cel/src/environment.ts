import type { CheckedExpression } from './check/checker.ts';
import { check } from './check/checker.ts';
import { resolveDynamically } from './check/dynamic.ts';
import type { Declarations } from './check/scope.ts';
import type { CelType } from './check/type.ts';
import { formatType, sameType } from './check/type.ts';
import { validate } from './check/validate.ts';
import type { CompileStage } from './errors.ts';
import { CelCompileError, EvalFailure } from './errors.ts';
import type { Evaluate } from './eval/frame.ts';
import { compile } from './eval/compile.ts';
import type { FunctionDeclaration } from './library/declaration.ts';
import { librariesFor, merge } from './library/kubernetes.ts';
import type { Extension, LibrarySet } from './library/kubernetes.ts';
import { Program } from './program.ts';
import { parse } from './syntax/parser.ts';

/** The Kubernetes minor release whose CEL this package follows unless told otherwise. */
export const DEFAULT_KUBERNETES_VERSION = '1.37';

export interface EnvironmentOptions {
  readonly variables: Readonly<Record<string, CelType>>;
  /** `major.minor`; decides which libraries exist. */
  readonly kubernetesVersion?: string;
  /** Libraries Kubernetes itself does not enable. */
  readonly extensions?: readonly Extension[];
  /** Kubernetes forbids lists and maps of mixed element types; set to false for plain CEL. */
  readonly homogeneousLiterals?: boolean;
  /** Functions of the caller's own, beside those of the libraries. */
  readonly functions?: readonly FunctionDeclaration[];
  /**
   * Do not check types: names are looked up among the bindings and overloads chosen by the values when an expression
   * runs, as cel-go does with expressions that are only parsed.
   */
  readonly dynamic?: boolean;
}

export interface CompileOptions {
  /** The type the expression must have; dyn is accepted for any. */
  readonly expect?: CelType;
}

/** Declared variables and libraries: everything an expression may refer to. */
export class Environment {
  private readonly libraries: LibrarySet;
  private readonly declarations: Declarations;
  private readonly homogeneous: boolean;
  private readonly dynamic: boolean;

  constructor(options: EnvironmentOptions) {
    this.libraries = librariesFor(options.kubernetesVersion ?? DEFAULT_KUBERNETES_VERSION, options.extensions ?? []);
    this.homogeneous = options.homogeneousLiterals ?? true;
    this.dynamic = options.dynamic ?? false;
    const functions = new Map(this.libraries.functions);
    for (const declaration of options.functions ?? []) merge(functions, declaration);
    this.declarations = {
      variables: new Map(Object.entries(options.variables)),
      functions,
      typeNames: this.libraries.typeNames,
    };
  }

  get variables(): ReadonlyMap<string, CelType> {
    return this.declarations.variables;
  }

  /** Parses, checks and compiles. Throws `CelCompileError`. */
  compile(source: string, options: CompileOptions = {}): Program {
    const { macros, optionals, literalValidators } = this.libraries;
    const root = parse(source, { macros, optionalSyntax: optionals });
    const checked = (this.dynamic ? resolveDynamically : check)(source, root, this.declarations);
    if (!this.dynamic) validate(checked, { literals: literalValidators, homogeneous: this.homogeneous });
    const program = new Program(checked, evaluator(checked), this.declarations.variables);
    const { expect } = options;
    if (expect && program.type.kind !== 'dyn' && !sameType(program.type, expect)) {
      throw refusal(source, `must evaluate to ${formatType(expect)}`, 'result-type');
    }
    return program;
  }
}

function refusal(source: string, message: string, stage: CompileStage): CelCompileError {
  return new CelCompileError(source, [{ message, location: { line: -1, column: -1 } }], stage);
}

/** The closures; a constant subexpression that fails while being folded makes the whole expression unusable. */
function evaluator(checked: CheckedExpression): Evaluate {
  try {
    return compile(checked).run;
  } catch (error) {
    if (error instanceof EvalFailure) throw refusal(checked.source, error.message, 'program');
    throw error;
  }
}

export function createEnvironment(options: EnvironmentOptions): Environment {
  return new Environment(options);
}
