import { renderIssues } from './syntax/source.ts';
import type { CelIssue } from './syntax/source.ts';

/**
 * Where an expression was refused: in its text and types, because it has another type than asked for, or because a
 * constant in it can never work. Kubernetes words the three differently.
 */
export type CompileStage = 'check' | 'result-type' | 'program';

/** The expression cannot be used. At stage `check`, `message` has cel-go's layout, one block per issue. */
export class CelCompileError extends Error {
  override readonly name = 'CelCompileError';
  readonly issues: readonly CelIssue[];
  readonly stage: CompileStage;

  constructor(source: string, issues: readonly CelIssue[], stage: CompileStage = 'check') {
    super(stage === 'check' ? renderIssues(source, issues) : issues.map(({ message }) => message).join('\n'));
    this.issues = issues;
    this.stage = stage;
  }
}

/** Why an evaluation gave no value. `cost` errors mean a limit was hit and must never be ignored. */
export type CelFailureKind = 'evaluation' | 'cost';

/** An evaluation failed; part of a result, not thrown by `evaluate`. */
export class CelRuntimeError extends Error {
  override readonly name = 'CelRuntimeError';
  readonly kind: CelFailureKind;

  constructor(message: string, kind: CelFailureKind = 'evaluation') {
    super(message);
    this.kind = kind;
  }
}

/**
 * Travels inside the evaluator instead of `CelRuntimeError`: errors are ordinary in CEL (`&&` and `||` absorb
 * them), so throwing one must not pay for a stack trace.
 */
export class EvalFailure {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

/** Thrown when the cost limit is exceeded; unlike `EvalFailure` it is never absorbed. */
export class CostExceeded {
  readonly message = 'operation cancelled: actual cost limit exceeded';
}

export function fail(message: string): never {
  throw new EvalFailure(message);
}

export function noSuchOverload(): never {
  throw new EvalFailure('no such overload');
}
