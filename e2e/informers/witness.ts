import type { KubeObject } from '@hypershift-ts/kube-apimachinery';
import { keyOf } from '@hypershift-ts/kube-apimachinery';
import type { Informer } from '@hypershift-ts/kube-client';

/** Rebuilds the state from what handlers are told and notes everything that does not add up. */
export class Witness<T extends KubeObject> {
  readonly state = new Map<string, T>();
  readonly faults: string[] = [];
  events = 0;

  constructor(informer: Informer<T>) {
    informer.addHandler({
      added: (object) => {
        this.events++;
        if (this.state.has(keyOf(object))) this.faults.push(`${keyOf(object)} was added twice`);
        this.state.set(keyOf(object), object);
      },
      updated: (previous, next) => {
        this.events++;
        const known = this.state.get(keyOf(next));
        if (known !== previous) this.faults.push(`${keyOf(next)} was updated from a version never told`);
        if (revision(next) <= revision(previous)) this.faults.push(`${keyOf(next)} went back or repeated itself`);
        this.state.set(keyOf(next), next);
      },
      deleted: (object) => {
        this.events++;
        if (!this.state.delete(keyOf(object))) this.faults.push(`${keyOf(object)} was deleted without being there`);
      },
    });
  }

  versions(): Record<string, string> {
    return versionsOf(this.state.values());
  }
}

export function versionsOf(objects: Iterable<KubeObject>): Record<string, string> {
  const pairs = [...objects].map((object) => [
    keyOf(object),
    `${object.metadata.uid} ${object.metadata.resourceVersion}`,
  ]);
  return Object.fromEntries(pairs.sort(([a = ''], [b = '']) => (a < b ? -1 : 1)));
}

function revision(object: KubeObject): number {
  return Number(object.metadata.resourceVersion);
}
