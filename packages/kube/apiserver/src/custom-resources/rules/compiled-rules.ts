import type { Schema, ValidationRule } from '@hypershift-ts/kube-apimachinery';
import { resolveFieldPath } from '../definition/field-path.ts';
import { type Expression, expressionFor, maxRequestBytes, selfType } from './expressions.ts';

/** One `x-kubernetes-validations` entry, ready to run; or why it is not. */
export interface CompiledRule {
  readonly rule: ValidationRule;
  /** Absent when the rule is empty or does not compile. */
  readonly expression?: Expression;
  readonly error?: string;
  readonly usesOldSelf: boolean;
  readonly message?: Expression;
  readonly messageError?: string;
  /** Where a failure is reported, below the schema's own place: `spec.name`, or nothing. */
  readonly fieldPath: string;
}

export interface CompiledRules {
  readonly rules: readonly CompiledRule[];
  /** How many values of this schema fit into one request when nothing bounds them. */
  readonly maxCardinality: number;
  /** Set when expressions cannot see values of this schema at all. */
  readonly typeError?: string;
}

const plain = new WeakMap<Schema, CompiledRules>();
const roots = new WeakMap<Schema, CompiledRules>();

/** The rules of one schema node. `isResource` marks roots of resources, where metadata is visible to rules. */
export function compiledRules(schema: Schema, isResource: boolean): CompiledRules {
  const cache = isResource ? roots : plain;
  const known = cache.get(schema);
  if (known) return known;
  const compiled = compile(schema, isResource);
  cache.set(schema, compiled);
  return compiled;
}

function compile(schema: Schema, isResource: boolean): CompiledRules {
  const rules = schema['x-kubernetes-validations'] ?? [];
  const self = selfType(schema, isResource);
  if (!self) {
    return { rules: [], maxCardinality: 0, typeError: 'unable to convert structural schema to CEL declarations' };
  }
  return {
    rules: rules.map((rule) => compileRule(rule, schema, self)),
    // One comma at least stands between two values.
    maxCardinality: Math.floor(maxRequestBytes / (self.minBytes + 1)),
  };
}

type SelfType = NonNullable<ReturnType<typeof selfType>>;

function compileRule(rule: ValidationRule, schema: Schema, self: SelfType): CompiledRule {
  const resolved = rule.fieldPath ? resolveFieldPath(rule.fieldPath, schema) : undefined;
  const base = { rule, usesOldSelf: false, fieldPath: resolved?.error === undefined ? (resolved?.path ?? '') : '' };
  if ((rule.rule ?? '').trim() === '') return base;
  const optionalOldSelf = rule.optionalOldSelf === true;
  const main = expressionFor(rule.rule, { self, optionalOldSelf, result: 'bool' });
  if (main.error !== undefined) return { ...base, error: main.error };
  const compiled = { ...base, expression: main, usesOldSelf: main.usesOldSelf };
  if (!rule.messageExpression) return compiled;
  const message = expressionFor(rule.messageExpression, { self, optionalOldSelf, result: 'string' });
  return message.error !== undefined ? { ...compiled, messageError: message.error } : { ...compiled, message };
}
