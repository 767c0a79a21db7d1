import type { JsonObject, JsonValue } from '@hypershift-ts/kube-apimachinery';
import { isJsonObject } from '@hypershift-ts/kube-apimachinery';

/** What `condition(name)` gives; empty values when the resource has no such condition. */
export interface ConditionView {
  readonly status: string;
  readonly observed_generation: number;
  readonly last_updated_time: string;
  readonly last_transition_time: string;
  readonly reason: string;
  readonly message: string;
}

export function conditionView(resource: JsonObject, name: string): ConditionView {
  const status = isJsonObject(resource['status']) ? resource['status'] : {};
  const list: readonly unknown[] = Array.isArray(status['conditions']) ? status['conditions'] : [];
  const condition = list.filter(isJsonObject).find(({ type }) => type === name) ?? {};
  const text = (key: string): string => (typeof condition[key] === 'string' ? condition[key] : '');
  return {
    status: text('status'),
    observed_generation: numberOf(condition['observed_generation']),
    last_updated_time: text('last_updated_time'),
    last_transition_time: text('last_transition_time'),
    reason: text('reason'),
    message: text('message'),
  };
}

export function numberOf(value: JsonValue | undefined): number {
  return typeof value === 'number' ? value : 0;
}
