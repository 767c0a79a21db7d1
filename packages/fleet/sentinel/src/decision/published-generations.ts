import type { JsonObject } from '@hypershift-ts/kube-apimachinery';
import type { ConditionView } from './condition.ts';
import { conditionView, numberOf } from './condition.ts';

/**
 * Remembers the generations that events were published for. The API writes Reconciled with the current generation at
 * every change, so a decision that compares the two would never see a change; here the condition has observed only
 * what adapters were told about, and a new or changed resource is published at the next poll instead of after the
 * debounce.
 */
export class PublishedGenerations {
  private readonly generations = new Map<string, number>();

  /** The condition as decisions should see it. */
  readonly view = (resource: JsonObject, name: string): ConditionView => {
    const condition = conditionView(resource, name);
    if (name !== 'Reconciled') return condition;
    const observed_generation = Math.min(condition.observed_generation, this.known(resource, condition));
    return { ...condition, observed_generation };
  };

  private known(resource: JsonObject, { status }: ConditionView): number {
    const published = this.generations.get(idOf(resource));
    const generation = numberOf(resource['generation']);
    // What is reconciled was published by somebody; what is not may have been lost in a restart.
    if (status === 'True') return generation;
    return published ?? generation - 1;
  }

  record(resource: JsonObject): void {
    this.generations.set(idOf(resource), numberOf(resource['generation']));
  }

  /** Forgets resources that do not exist any more. */
  keepOnly(ids: ReadonlySet<string>): void {
    for (const id of this.generations.keys()) if (!ids.has(id)) this.generations.delete(id);
  }
}

export function idOf(resource: JsonObject): string {
  return typeof resource['id'] === 'string' ? resource['id'] : '';
}
