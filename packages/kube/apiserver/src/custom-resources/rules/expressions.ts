import type { Schema } from '@hypershift-ts/kube-apimachinery';
import {
  CelCompileError,
  CelOptional,
  type CelType,
  CostLimit,
  createEnvironment,
  type Environment,
  estimateCost,
  minSerializedSize,
  optionalType,
  type Program,
  typeFromSchema,
} from '@hypershift-ts/kube-cel';

/** Largest request a server accepts; bounds how many values one object can hold. */
export const maxRequestBytes = 3 * 1024 * 1024;

/** A compiled rule or message, evaluated on a value and its old self. */
export interface Expression {
  readonly error?: undefined;
  readonly usesOldSelf: boolean;
  /** The most one evaluation can cost, by the sizes the schema allows. */
  readonly maxCost: number;
  evaluate(self: unknown, oldSelf: unknown): Outcome;
}

interface Outcome {
  readonly cost: number;
  readonly value?: unknown;
  readonly error?: string;
  /** The evaluation was stopped because it cost too much. */
  readonly isCostLimit?: boolean;
}

/** What `self` is, as expressions see it. */
export interface SelfType {
  readonly type: CelType;
  readonly minBytes: number;
  readonly environments: { plain?: Environment; optional?: Environment };
}

const plainTypes = new WeakMap<Schema, SelfType | null>();
const resourceTypes = new WeakMap<Schema, SelfType | null>();

/** The type of `self` in rules of this schema, or undefined when expressions cannot see such values. */
export function selfType(schema: Schema, isResource: boolean): SelfType | undefined {
  const cache = isResource ? resourceTypes : plainTypes;
  let known = cache.get(schema);
  if (known === undefined) {
    const type = typeFromSchema(schema, { root: isResource });
    known = type ? { type, minBytes: minSerializedSize(schema, { root: isResource }), environments: {} } : null;
    cache.set(schema, known);
  }
  return known ?? undefined;
}

export interface ExpressionOptions {
  readonly self: SelfType;
  /** `oldSelf` is an optional, and the rule also runs where there is no old value. */
  readonly optionalOldSelf: boolean;
  readonly result: 'bool' | 'string';
}

/** Compiles one expression, or says what is wrong with it in Kubernetes' words. */
export function expressionFor(source: string, options: ExpressionOptions): Expression | { readonly error: string } {
  const { self, optionalOldSelf, result } = options;
  const prefix = result === 'bool' ? '' : 'messageExpression ';
  let program: Program;
  try {
    program = environmentFor(self, optionalOldSelf).compile(source);
  } catch (error) {
    if (!(error instanceof CelCompileError)) throw error;
    return { error: `${prefix}compilation failed: ${error.message}` };
  }
  if (program.type.kind !== result) {
    const wanted =
      result === 'bool' ? 'cel expression must evaluate to a bool' : 'messageExpression must evaluate to a string';
    return { error: wanted };
  }
  return new CompiledExpression(program, optionalOldSelf);
}

function environmentFor(self: SelfType, optionalOldSelf: boolean): Environment {
  const { environments, type } = self;
  if (optionalOldSelf) {
    environments.optional ??= createEnvironment({ variables: { self: type, oldSelf: optionalType(type) } });
    return environments.optional;
  }
  environments.plain ??= createEnvironment({ variables: { self: type, oldSelf: type } });
  return environments.plain;
}

class CompiledExpression implements Expression {
  readonly usesOldSelf: boolean;
  private readonly program: Program;
  private readonly optionalOldSelf: boolean;

  constructor(program: Program, optionalOldSelf: boolean) {
    this.program = program;
    this.usesOldSelf = program.references('oldSelf');
    this.optionalOldSelf = optionalOldSelf;
  }

  /** Only asked when a definition is written, so not worked out before. */
  get maxCost(): number {
    return estimateCost(this.program).max;
  }

  evaluate(self: unknown, oldSelf: unknown): Outcome {
    const bindings = this.usesOldSelf ? { self, oldSelf: this.bindOld(oldSelf) } : { self };
    const result = this.program.evaluate(bindings, { limit: CostLimit.perCall });
    if (result.ok) return result;
    const { cost, error } = result;
    return error.kind === 'cost' ? { cost, error: error.message, isCostLimit: true } : { cost, error: error.message };
  }

  private bindOld(oldSelf: unknown): unknown {
    if (!this.optionalOldSelf) return oldSelf;
    return oldSelf === undefined ? CelOptional.none : CelOptional.of(oldSelf);
  }
}
