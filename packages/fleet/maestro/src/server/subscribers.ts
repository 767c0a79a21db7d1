import type { CloudEvent } from '@hypershift-ts/fleet-cloud-events';

/** Takes one event. */
export type Deliver = (event: CloudEvent) => void;

/** Who listens, by what they listen to. */
export class Subscribers {
  private readonly byKey = new Map<string, Set<Deliver>>();

  add(key: string, deliver: Deliver): () => void {
    const group = this.byKey.get(key) ?? new Set();
    this.byKey.set(key, group.add(deliver));
    return () => {
      group.delete(deliver);
      if (group.size === 0 && this.byKey.get(key) === group) this.byKey.delete(key);
    };
  }

  has(key: string): boolean {
    return this.byKey.has(key);
  }

  keys(): readonly string[] {
    return [...this.byKey.keys()];
  }

  send(key: string, event: CloudEvent): void {
    for (const deliver of this.byKey.get(key) ?? []) deliver(event);
  }
}
