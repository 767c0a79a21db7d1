import type { JsonValue } from '@hypershift-ts/kube-apimachinery';
import { isJsonObject } from '@hypershift-ts/kube-apimachinery';
import type { Bindings } from '@hypershift-ts/kube-cel';
import { toJson } from '@hypershift-ts/kube-cel';
import type { ValueDefinition } from '../config/value-definition.ts';
import { valueDefinition } from '../config/value-definition.ts';
import type { RunContext } from './context.ts';
import { fieldValue } from './field-path.ts';

/** Builds the JSON that a payload describes. An expression that fails gives its default, or null. */
export function buildPayload(context: RunContext, build: JsonValue): JsonValue {
  return new Builder(context).value(build, []);
}

class Builder {
  private readonly context: RunContext;
  private readonly bindings: Bindings;

  constructor(context: RunContext) {
    this.context = context;
    this.bindings = context.bindings();
  }

  value(build: JsonValue, path: readonly string[]): JsonValue {
    const definition = valueDefinition(build);
    if (definition) return this.conditionStatus(this.computed(definition), path);
    if (typeof build === 'string') return this.context.render(build);
    if (Array.isArray(build)) return (build as readonly JsonValue[]).map((item) => this.value(item, [...path, '*']));
    if (!isJsonObject(build)) return build;
    return Object.fromEntries(
      Object.entries(build).map(([key, item]) => {
        const name = this.context.render(key);
        return [name, item === undefined ? null : this.value(item, [...path, name])];
      }),
    );
  }

  private computed({ expression, field, default: fallback = null }: ValueDefinition): JsonValue {
    const value = expression === undefined ? this.field(field ?? '') : this.expression(expression);
    return value === undefined || value === null ? fallback : value;
  }

  private expression(source: string): JsonValue | undefined {
    const result = this.context.adapter.texts.expression(source).evaluate(this.bindings);
    if (result.ok) return toJson(result.value);
    this.context.log('debug', `an expression of a payload has no value: ${result.message}`, {
      expression: source.trim(),
    });
    return undefined;
  }

  private field(path: string): JsonValue | undefined {
    const resources = Object.fromEntries(this.context.resources) as Record<string, unknown> as JsonValue;
    const adapter = this.context.state.view(this.context.adapter.config.adapter);
    return fieldValue({ ...this.context.templateData(), resources, adapter }, path);
  }

  /** The API knows a condition's status as a text only. */
  private conditionStatus(value: JsonValue, path: readonly string[]): JsonValue {
    const isStatus = path.length === 3 && path[0] === 'conditions' && path[2] === 'status';
    return isStatus && typeof value === 'boolean' ? (value ? 'True' : 'False') : value;
  }
}
