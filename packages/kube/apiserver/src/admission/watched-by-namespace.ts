import type { Clock, UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import type { Store } from '@hypershift-ts/kube-store';
import { storagePrefix } from '../storage/keys.ts';
import { WatchedObjects } from '../storage/watched-objects.ts';

const none: readonly UnstructuredObject[] = [];

/** The objects of a resource by namespace, at hand: for kinds few namespaces have and every write must ask about. */
export class WatchedByNamespace {
  private readonly watch: WatchedObjects;
  private readonly namespaces = new Map<string, readonly UnstructuredObject[]>();

  constructor(
    store: Store,
    clock: Clock,
    group: string,
    resource: string,
    onChange: (namespace: string) => void = () => {},
  ) {
    const without = ({ metadata }: UnstructuredObject): readonly UnstructuredObject[] =>
      this.in(metadata.namespace ?? '').filter((other) => other.metadata.name !== metadata.name);
    this.watch = new WatchedObjects(store, storagePrefix(group, resource), clock, {
      onSet: (object) => {
        const all = [...without(object), object];
        all.sort((a, b) => ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1));
        this.namespaces.set(object.metadata.namespace ?? '', all);
        onChange(object.metadata.namespace ?? '');
      },
      onGone: (object) => {
        const rest = without(object);
        if (rest.length > 0) this.namespaces.set(object.metadata.namespace ?? '', rest);
        else this.namespaces.delete(object.metadata.namespace ?? '');
        onChange(object.metadata.namespace ?? '');
      },
    });
  }

  /** By name. */
  in(namespace: string): readonly UnstructuredObject[] {
    return this.namespaces.get(namespace) ?? none;
  }

  /** True when no namespace has any. */
  get isEmpty(): boolean {
    return this.namespaces.size === 0;
  }

  start(): Promise<void> {
    return this.watch.start();
  }

  stop(): void {
    this.watch.stop();
  }
}
