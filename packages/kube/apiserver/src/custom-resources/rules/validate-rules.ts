import {
  type Correlated,
  type FieldError,
  fieldError,
  fieldSchema,
  formatFieldError,
  isJsonObject,
  MapList,
  reachableTest,
  type Schema,
  type ValidationRule,
} from '@hypershift-ts/kube-apimachinery';
import { type CompiledRule, compiledRules } from './compiled-rules.ts';
import { selfType } from './expressions.ts';

/** What all rules of one object may cost together. */
export const costBudgetPerObject = 10_000_000;

/** Whether rules stand at or below this schema. */
export const hasRules = reachableTest((schema) => (schema['x-kubernetes-validations']?.length ?? 0) > 0);

/** Whether rules at or below this schema look at the old value, too. */
const judgesTransitions = reachableTest((schema) =>
  (schema['x-kubernetes-validations'] ?? []).some(({ rule, messageExpression }) =>
    `${rule} ${messageExpression ?? ''}`.includes('oldSelf'),
  ),
);

/** Values in which the rules of a schema found no fault. Once stored, a value is frozen, and found again in updates. */
const faultless = new WeakMap<object, Schema>();

export interface RulesVerdict {
  readonly errors: FieldError[];
  /** Failures that were there before and did not change. */
  readonly warnings: string[];
  /** Negative when the budget ran out and rules were left unchecked. */
  readonly remaining: number;
}

export interface RulesInput {
  readonly value: unknown;
  readonly old?: unknown;
  readonly schema: Schema;
  /** True for a whole object, false for a value inside one (a default). */
  readonly isResource: boolean;
  readonly at?: string;
  /** The object beside its old self, on updates; lets unchanged failures pass as warnings. */
  readonly correlated?: Correlated;
  readonly budget?: number;
}

/** Runs every `x-kubernetes-validations` rule that applies to a value. */
export function validateRules(input: RulesInput): RulesVerdict {
  const run = new RulesRun(input);
  if (hasRules(input.schema)) run.visit(input.value, input.old, input.schema, input.isResource);
  return { errors: run.errors, warnings: run.warnings, remaining: run.remaining };
}

/** The part of a schema node that the walk needs: where rules can be below. */
interface Plan {
  readonly fields: ReadonlyMap<string, Schema>;
  readonly values: Schema | undefined;
  readonly items: Schema | undefined;
}

const plans = new WeakMap<Schema, Plan>();

function planOf(schema: Schema): Plan {
  const known = plans.get(schema);
  if (known) return known;
  // Values that expressions cannot see are left out, rules inside them included.
  const isVisible = (child: Schema) => hasRules(child) && selfType(child, isEmbedded(child)) !== undefined;
  const { additionalProperties: values, items } = schema;
  const plan: Plan = {
    fields: new Map(Object.entries(schema.properties ?? {}).filter(([, child]) => isVisible(child))),
    values: typeof values === 'object' && isVisible(values) ? values : undefined,
    items: items && isVisible(items) ? items : undefined,
  };
  plans.set(schema, plan);
  return plan;
}

const isEmbedded = (schema: Schema) => schema['x-kubernetes-embedded-resource'] === true;

class RulesRun {
  readonly errors: FieldError[] = [];
  readonly warnings: string[] = [];
  remaining: number;
  private readonly input: RulesInput;
  /** Where the walk stands; a path text is only made for failures. */
  private readonly steps: (string | number)[] = [];
  private isInsideRemembered = false;

  constructor(input: RulesInput) {
    this.input = input;
    this.remaining = input.budget ?? costBudgetPerObject;
  }

  visit(value: unknown, old: unknown, schema: Schema, isResource: boolean): void {
    if (value === null || value === undefined || this.remaining < 0) return;
    // The largest parts that are judged by what they say alone are remembered, not every part of them; the object
    // itself is new in every write.
    const isRemembered = !this.isInsideRemembered && this.steps.length > 0 && !judgesTransitions(schema);
    if (!isRemembered || typeof value !== 'object') return this.visitAll(value, old, schema, isResource);
    if (Object.isFrozen(value) && faultless.get(value) === schema) return;
    const found = this.errors.length + this.warnings.length;
    this.isInsideRemembered = true;
    this.visitAll(value, old, schema, isResource);
    this.isInsideRemembered = false;
    if (this.errors.length + this.warnings.length === found && this.remaining >= 0) faultless.set(value, schema);
  }

  private visitAll(value: unknown, old: unknown, schema: Schema, isResource: boolean): void {
    if ((schema['x-kubernetes-validations']?.length ?? 0) > 0)
      this.runRules(value, old ?? undefined, schema, isResource);
    if (this.remaining < 0 || typeof value !== 'object') return;
    const plan = planOf(schema);
    if (Array.isArray(value)) {
      if (plan.items) this.visitItems(value, old, schema, plan.items);
      return;
    }
    const object = value as Record<string, unknown>;
    const before = isJsonObject(old) ? old : undefined;
    if (plan.fields.size === 0 && !plan.values) return;
    for (const name in object) {
      const child = plan.fields.get(name) ?? plan.values;
      if (child === undefined) continue;
      this.steps.push(name);
      this.visit(object[name], before?.[name], child, isEmbedded(child));
      this.steps.pop();
    }
  }

  private visitItems(list: readonly unknown[], old: unknown, schema: Schema, items: Schema): void {
    // Only items of list-type maps are known again.
    const correlates = schema['x-kubernetes-list-type'] === 'map' && Array.isArray(old);
    const before = correlates ? new MapList(schema, old) : undefined;
    for (let i = 0; i < list.length; i++) {
      this.steps.push(i);
      this.visit(list[i], before?.get(list[i]), items, isEmbedded(items));
      this.steps.pop();
    }
  }

  private runRules(value: unknown, old: unknown, schema: Schema, isResource: boolean): void {
    const { rules, typeError } = compiledRules(schema, isResource);
    const type = schema.type ?? '';
    const fail = (detail: string) => this.errors.push(fieldError.invalid(this.path(), type, detail));
    if (typeError !== undefined) {
      fail(`rule compiler initialization error: ${typeError}`);
      return;
    }
    for (const compiled of rules) {
      if (compiled.error !== undefined) {
        fail(`rule compile error: ${compiled.error}`);
        continue;
      }
      if (!compiled.expression) continue;
      // Without an old value there is no transition to judge, unless the rule asks to see that too.
      if (compiled.usesOldSelf && old === undefined && !compiled.rule.optionalOldSelf) continue;
      if (this.remaining <= 0) return this.outOfBudget(type);
      const outcome = compiled.expression.evaluate(value, old);
      if (outcome.cost > this.remaining) return this.outOfBudget(type);
      this.remaining -= outcome.cost;
      if (outcome.error !== undefined) {
        if (!this.reportRuntimeError(outcome.error, outcome.isCostLimit === true, compiled.rule, fail)) return;
      } else if (outcome.value !== true) {
        this.reportFailure(compiled, value, old, schema);
        if (this.remaining < 0) return;
      }
    }
  }

  private outOfBudget(type: string): void {
    const detail = 'validation failed due to running out of cost budget, no further validation rules will be run';
    this.errors.push(fieldError.invalid(this.path(), type, detail));
    this.remaining = -1;
  }

  /** Returns false when nothing more may run. */
  private reportRuntimeError(
    error: string,
    isCostLimit: boolean,
    rule: ValidationRule,
    fail: (detail: string) => void,
  ): boolean {
    if (isCostLimit) {
      const why = 'no further validation rules will be run due to call cost exceeds limit for rule';
      fail(`'${error}': ${why}: ${ruleText(rule)}`);
      this.remaining = -1;
      return false;
    }
    if (error.startsWith('no such overload')) {
      const why = 'call arguments did not match a supported operator, function or macro signature for rule';
      fail(`'${error}': ${why}: ${ruleText(rule)}`);
    } else fail(`${error} evaluating rule: ${ruleText(rule)}`);
    return true;
  }

  private reportFailure(compiled: CompiledRule, value: unknown, old: unknown, schema: Schema): void {
    const own = this.path();
    const path = compiled.fieldPath === '' ? own : own === '' ? compiled.fieldPath : `${own}.${compiled.fieldPath}`;
    const message = compiled.message ? this.evaluateMessage(compiled, value, old) : undefined;
    const error =
      message?.fatal !== undefined
        ? fieldError.invalid(path, schema.type ?? '', message.fatal)
        : ruleFailure(compiled.rule, path, value, schema, message?.text ?? defaultMessage(compiled.rule));
    if (!compiled.usesOldSelf && this.isRatcheted()) this.warnings.push(formatFieldError(error));
    else this.errors.push(error);
  }

  /** The text of a messageExpression; nothing when it fails, then the static message serves. */
  private evaluateMessage(compiled: CompiledRule, value: unknown, old: unknown): { text?: string; fatal?: string } {
    const outcome = compiled.message!.evaluate(value, old);
    const source = JSON.stringify(compiled.rule.messageExpression);
    if (outcome.cost > this.remaining) {
      this.remaining = -1;
      return {
        fatal:
          'messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run',
      };
    }
    if (outcome.isCostLimit) {
      this.remaining = -1;
      const why = 'no further validation rules will be run due to call cost exceeds limit for messageExpression';
      return { fatal: `${why}: ${source}` };
    }
    this.remaining -= outcome.cost;
    if (outcome.error !== undefined || typeof outcome.value !== 'string') return {};
    const text = outcome.value.trim();
    const isUsable = text !== '' && !text.includes('\n') && Buffer.byteLength(text) <= maxMessageBytes;
    return isUsable ? { text } : {};
  }

  /** Whether this place, or the nearest place above that can be compared, is unchanged. */
  private isRatcheted(): boolean {
    let { correlated } = this.input;
    if (!correlated) return false;
    if (this.steps.length === 1 && (this.steps[0] === 'apiVersion' || this.steps[0] === 'kind')) return false;
    for (const step of this.steps) {
      const next: Correlated | undefined = typeof step === 'number' ? correlated.index(step) : correlated.key(step);
      if (!next) break;
      correlated = next;
    }
    return correlated.unchanged();
  }

  private path(): string {
    let text = this.input.at ?? '';
    let schema: Schema | undefined = this.input.schema;
    for (const step of this.steps) {
      if (typeof step === 'number') {
        text += `[${step}]`;
        schema = schema?.items;
      } else {
        const child: Schema | undefined = schema && fieldSchema(schema, step);
        if (child !== undefined && child === schema?.additionalProperties) text += `[${step}]`;
        else text += text === '' ? step : `.${step}`;
        schema = child;
      }
    }
    return text;
  }
}

const maxMessageBytes = 5 * 1024;

function ruleText(rule: ValidationRule): string {
  return (rule.message || rule.rule).trim();
}

function defaultMessage(rule: ValidationRule): string {
  return rule.message ? rule.message.trim() : `failed rule: ${rule.rule.trim()}`;
}

function ruleFailure(rule: ValidationRule, path: string, value: unknown, schema: Schema, detail: string): FieldError {
  const isComposite = schema.type === 'object' || schema.type === 'array';
  switch (rule.reason) {
    case 'FieldValueForbidden':
      return fieldError.forbidden(path, detail);
    case 'FieldValueRequired':
      return fieldError.required(path, detail);
    case 'FieldValueDuplicate':
      return isComposite
        ? { type: 'FieldValueDuplicate', field: path, message: 'Duplicate value' }
        : fieldError.duplicate(path, value);
    default:
      return isComposite ? fieldError.invalidOmitted(path, detail) : fieldError.invalid(path, value, detail);
  }
}
