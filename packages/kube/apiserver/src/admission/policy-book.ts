import type { Clock, UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import type { Store } from '@hypershift-ts/kube-store';
import { storagePrefix } from '../storage/keys.ts';
import { WatchedObjects } from '../storage/watched-objects.ts';
import type { AdmissionRequest } from './admission.ts';
import type { Lookup } from './lookup.ts';
import { compileCriteria, type Criteria } from './matching/criteria.ts';
import { ResourceIndex } from './matching/resource-index.ts';
import type { PolicyBinding } from './validating-policy/types.ts';

/** A policy with the bindings that put it into force. */
export interface BoundPolicy<T> {
  readonly name: string;
  readonly compiled: T;
  readonly bindings: readonly {
    readonly name: string;
    readonly spec: PolicyBinding['spec'];
    readonly criteria: Criteria;
  }[];
}

export interface PolicyBookOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly lookup: Lookup;
  readonly log: (message: string, error?: unknown) => void;
}

const group = 'admissionregistration.k8s.io';

/** Knows every policy of one kind that is bound, by the resources it is about. */
export class PolicyBook<T extends { readonly criteria: Criteria }> {
  private readonly policies = new Map<string, T>();
  private readonly bindings = new Map<string, BoundPolicy<T>['bindings'][number]>();
  private readonly index: ResourceIndex<BoundPolicy<T>>;
  private readonly watches: readonly WatchedObjects[];
  private stale = false;

  constructor(
    { store, clock, lookup, log }: PolicyBookOptions,
    kind: {
      readonly policies: string;
      readonly bindings: string;
      readonly compile: (policy: UnstructuredObject) => T;
    },
  ) {
    this.index = new ResourceIndex(lookup.catalogue, ({ compiled }) => compiled.criteria);
    const follow = (
      resource: string,
      onSet: (name: string, object: UnstructuredObject) => void,
      known: Map<string, unknown>,
    ) =>
      new WatchedObjects(store, storagePrefix(group, resource), clock, {
        onSet: (object) => {
          const name = object.metadata.name ?? '';
          try {
            onSet(name, object);
          } catch (error) {
            log(`${resource} ${name} cannot be used`, error);
          }
          this.stale = true;
        },
        onGone: ({ metadata }) => {
          known.delete(metadata.name ?? '');
          this.stale = true;
        },
      });
    this.watches = [
      follow(kind.policies, (name, policy) => this.policies.set(name, kind.compile(policy)), this.policies),
      follow(
        kind.bindings,
        (name, binding) => {
          const { spec } = binding as unknown as PolicyBinding;
          this.bindings.set(name, { name, spec, criteria: compileCriteria(spec.matchResources) });
        },
        this.bindings,
      ),
    ];
  }

  async start(): Promise<void> {
    for (const watch of this.watches) await watch.start();
  }

  stop(): void {
    for (const watch of this.watches) watch.stop();
  }

  /** Bound policies that may concern the request, by name. */
  find(request: AdmissionRequest): readonly BoundPolicy<T>[] {
    if (this.stale) this.rebuild();
    return this.index.find(request);
  }

  private rebuild(): void {
    const byPolicy = new Map<string, BoundPolicy<T>['bindings'][number][]>();
    const inOrder = [...this.bindings.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const binding of inOrder) {
      const list = byPolicy.get(binding.spec.policyName);
      if (list) list.push(binding);
      else byPolicy.set(binding.spec.policyName, [binding]);
    }
    const bound: BoundPolicy<T>[] = [];
    for (const [name, compiled] of this.policies) {
      const bindings = byPolicy.get(name);
      if (bindings) bound.push({ name, compiled, bindings });
    }
    this.index.replace(bound.sort((a, b) => (a.name < b.name ? -1 : 1)));
    this.stale = false;
  }
}
