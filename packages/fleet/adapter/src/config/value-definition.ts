import type { JsonValue } from '@hypershift-ts/kube-apimachinery';
import { isJsonObject } from '@hypershift-ts/kube-apimachinery';

/** A value of a payload that is computed: `{expression, default?}` or `{field, default?}`. */
export interface ValueDefinition {
  readonly expression?: string;
  readonly field?: string;
  readonly default?: JsonValue;
}

/** The definition that a value of a build is, or undefined when it stands for itself. */
export function valueDefinition(value: JsonValue): ValueDefinition | undefined {
  if (!isJsonObject(value)) return undefined;
  const { expression, field, default: fallback } = value;
  const rest = fallback === undefined ? {} : { default: fallback };
  if (typeof expression === 'string') return { expression, ...rest };
  return typeof field === 'string' ? { field, ...rest } : undefined;
}
