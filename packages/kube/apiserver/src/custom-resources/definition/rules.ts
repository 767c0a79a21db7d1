import { type FieldError, fieldError, type Schema, type ValidationRule } from '@hypershift-ts/kube-apimachinery';
import { compiledRules } from '../rules/compiled-rules.ts';
import { resolveFieldPath } from './field-path.ts';

/** What one rule may cost at most, all its possible runs in one request counted. */
const ruleCostLimit = 10_000_000;
/** What all rules of one schema may cost together. */
const schemaCostLimit = 100_000_000;

const reasons = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];

/** How rules at this place are judged: how often values can occur, and what was spent so far. */
export interface RuleScope {
  /** Undefined when nothing bounds the number of values. */
  readonly cardinality: number | undefined;
  readonly total: CostTotal;
  readonly isResource: boolean;
}

/** Sums estimated costs and remembers the most expensive rules. */
export class CostTotal {
  private sum = 0;
  private readonly expensive: { readonly at: string; readonly cost: number }[] = [];

  add(at: string, cost: number): void {
    this.sum += cost;
    if (cost < schemaCostLimit / 100) return;
    this.expensive.push({ at, cost });
    this.expensive.sort((a, b) => b.cost - a.cost);
    if (this.expensive.length > 4) this.expensive.pop();
  }

  errors(at: string): FieldError[] {
    if (this.sum <= schemaCostLimit) return [];
    const share = 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema';
    const what = 'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema';
    return [
      ...this.expensive.map((rule) => fieldError.forbidden(rule.at, share)),
      fieldError.forbidden(at, overBudget(what, this.sum, schemaCostLimit)),
    ];
  }
}

/** The scope of what lies inside a schema: its elements multiply. */
export function scopeInside(schema: Schema, scope: RuleScope, child: Schema): RuleScope {
  const isResource = child['x-kubernetes-embedded-resource'] === true;
  const elements = maxElements(schema);
  const cardinality =
    scope.cardinality === undefined || elements === undefined ? undefined : scope.cardinality * elements;
  return { cardinality, total: scope.total, isResource };
}

function maxElements(schema: Schema): number | undefined {
  if (schema.type === 'array') return schema.maxItems === undefined ? undefined : Math.max(0, schema.maxItems);
  if (schema.type !== 'object' || schema.additionalProperties === undefined) return 1;
  return schema.maxProperties === undefined ? undefined : Math.max(0, schema.maxProperties);
}

/** The form of the rules of one schema, without compiling them. */
export function validateRuleForm(schema: Schema, at: string): FieldError[] {
  return (schema['x-kubernetes-validations'] ?? []).flatMap((rule, index) =>
    validateOneForm(rule, schema, `${at}.x-kubernetes-validations[${index}]`),
  );
}

const hasLineBreak = (text: string) => /[\n\r]/.test(text);

function validateOneForm(rule: ValidationRule, schema: Schema, at: string): FieldError[] {
  const errors: FieldError[] = [];
  const text = (rule.rule ?? '').trim();
  const message = (rule.message ?? '').trim();
  if (text === '') errors.push(fieldError.required(`${at}.rule`, 'rule is not specified'));
  else if (rule.message && message === '') {
    errors.push(fieldError.invalid(`${at}.message`, rule.message, 'must be non-empty if specified'));
  } else if (hasLineBreak(message)) {
    errors.push(fieldError.invalid(`${at}.message`, rule.message, 'must not contain line breaks'));
  } else if (hasLineBreak(text) && message === '') {
    errors.push(fieldError.required(`${at}.message`, 'message must be specified if rule contains line breaks'));
  }
  if (rule.messageExpression && rule.messageExpression.trim() === '') {
    const detail = 'messageExpression must be non-empty if specified';
    errors.push(fieldError.required(`${at}.messageExpression`, detail));
  }
  if (rule.reason !== undefined && !reasons.includes(rule.reason)) {
    errors.push(fieldError.notSupported(`${at}.reason`, rule.reason, reasons));
  }
  const { fieldPath } = rule;
  if (!fieldPath) return errors;
  if (fieldPath.trim() === '') {
    errors.push(fieldError.invalid(`${at}.fieldPath`, fieldPath, 'must be non-empty if specified'));
  }
  if (hasLineBreak(fieldPath)) {
    errors.push(fieldError.invalid(`${at}.fieldPath`, fieldPath, 'must not contain line breaks'));
  }
  if (resolveFieldPath(fieldPath, schema).error !== undefined) {
    errors.push(fieldError.invalid(`${at}.fieldPath`, fieldPath, 'must be a valid path'));
  }
  return errors;
}

/** Compiles the rules of one schema and judges what they could cost. */
export function validateRuleMeaning(
  schema: Schema,
  scope: RuleScope,
  uncorrelatable: string | undefined,
  at: string,
): FieldError[] {
  const place = `${at}.x-kubernetes-validations`;
  const { rules, typeError, maxCardinality } = compiledRules(schema, scope.isResource);
  if (typeError !== undefined) {
    const why = 'internal error: failed to construct type information for x-kubernetes-validations rules';
    return [fieldError.internal(place, `${why}: ${typeError}`)];
  }
  const errors: FieldError[] = [];
  const times = scope.cardinality ?? maxCardinality;
  rules.forEach((compiled, index) => {
    const { rule } = compiled;
    const ruleAt = `${place}[${index}].rule`;
    const cost = (compiled.expression?.maxCost ?? 0) * times;
    if (cost > ruleCostLimit) {
      errors.push(fieldError.forbidden(ruleAt, overBudget('estimated rule cost', cost, ruleCostLimit)));
    }
    scope.total.add(ruleAt, cost);
    if (compiled.error !== undefined) errors.push(invalidRule(ruleAt, rule, compiled.error));
    const messageAt = `${place}[${index}].messageExpression`;
    if (compiled.messageError !== undefined) errors.push(invalidRule(messageAt, rule, compiled.messageError));
    else if (compiled.message) {
      const { maxCost } = compiled.message;
      if (maxCost > ruleCostLimit) {
        const detail = overBudget('estimated messageExpression cost', maxCost, ruleCostLimit);
        errors.push(fieldError.forbidden(messageAt, detail));
      }
      scope.total.add(messageAt, maxCost);
    }
    if (compiled.usesOldSelf) {
      if (uncorrelatable !== undefined) {
        const detail = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelatable}`;
        errors.push(fieldError.invalid(ruleAt, rule.rule, detail));
      }
    } else if (rule.optionalOldSelf !== undefined) {
      const detail = 'may not be set if oldSelf is not used in rule';
      errors.push(fieldError.invalid(`${place}[${index}].optionalOldSelf`, rule.optionalOldSelf, detail));
    }
  });
  return errors;
}

function overBudget(what: string, cost: number, limit: number): string {
  const times = cost / limit;
  const factor = times > 100 ? 'more than 100x' : times < 1.5 ? `${times.toFixed(6)}x` : `${times.toFixed(1)}x`;
  const advice =
    'try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared';
  return `${what} exceeds budget by factor of ${factor} (${advice})`;
}

/** The rule is shown with the names of the Go struct it is decoded into. */
function invalidRule(at: string, rule: ValidationRule, detail: string): FieldError {
  const shown = {
    Rule: rule.rule,
    Message: rule.message ?? '',
    MessageExpression: rule.messageExpression ?? '',
    Reason: rule.reason ?? null,
    FieldPath: rule.fieldPath ?? '',
    OptionalOldSelf: rule.optionalOldSelf ?? null,
  };
  // Go writes these characters escaped in JSON, and rules are full of them.
  const json = JSON.stringify(shown).replaceAll(/[<>&]/g, (char) => `\\u00${char.charCodeAt(0).toString(16)}`);
  return { type: 'FieldValueInvalid', field: at, message: `Invalid value: ${json}: ${detail}` };
}
