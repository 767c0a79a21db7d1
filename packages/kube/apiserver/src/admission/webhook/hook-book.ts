import type { Clock } from '@hypershift-ts/kube-apimachinery';
import type { Store } from '@hypershift-ts/kube-store';
import { storagePrefix } from '../../storage/keys.ts';
import { WatchedObjects } from '../../storage/watched-objects.ts';
import type { AdmissionRequest } from '../admission.ts';
import { type CompiledCondition, compileConditions } from '../expressions/match-conditions.ts';
import type { Lookup } from '../lookup.ts';
import { compileCriteria, type Criteria } from '../matching/criteria.ts';
import { ResourceIndex } from '../matching/resource-index.ts';
import type { Webhook, WebhookConfiguration } from './types.ts';

/** A webhook ready to be matched and called. */
export interface Hook {
  readonly configuration: string;
  readonly webhook: Webhook;
  readonly criteria: Criteria;
  readonly conditions: readonly CompiledCondition[];
}

export interface HookBookOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly lookup: Lookup;
  readonly log: (message: string, error?: unknown) => void;
}

/** Knows the webhooks of one kind of configuration: by name of the configuration, then as listed in it. */
export class HookBook {
  private readonly configurations = new Map<string, readonly Hook[]>();
  private readonly index: ResourceIndex<Hook>;
  private readonly watch: WatchedObjects;
  private stale = false;

  constructor({ store, clock, lookup, log }: HookBookOptions, resource: string) {
    this.index = new ResourceIndex(lookup.catalogue, ({ criteria }) => criteria);
    this.watch = new WatchedObjects(store, storagePrefix('admissionregistration.k8s.io', resource), clock, {
      onSet: (object) => {
        const name = object.metadata.name ?? '';
        try {
          this.configurations.set(name, hooksOf(name, object as unknown as WebhookConfiguration));
        } catch (error) {
          log(`${resource} ${name} cannot be used`, error);
        }
        this.stale = true;
      },
      onGone: ({ metadata }) => {
        this.configurations.delete(metadata.name ?? '');
        this.stale = true;
      },
    });
  }

  start(): Promise<void> {
    return this.watch.start();
  }

  stop(): void {
    this.watch.stop();
  }

  find(request: AdmissionRequest): readonly Hook[] {
    if (this.stale) {
      const names = [...this.configurations.keys()].sort();
      this.index.replace(names.flatMap((name) => this.configurations.get(name)!));
      this.stale = false;
    }
    return this.index.find(request);
  }
}

function hooksOf(configuration: string, { webhooks = [] }: WebhookConfiguration): readonly Hook[] {
  return webhooks.map((webhook) => ({
    configuration,
    webhook,
    // A webhook without rules is called for nothing, while a binding without rules means everything.
    criteria: {
      ...compileCriteria({
        resourceRules: webhook.rules ?? [],
        namespaceSelector: webhook.namespaceSelector ?? {},
        objectSelector: webhook.objectSelector ?? {},
        matchPolicy: webhook.matchPolicy ?? 'Equivalent',
      }),
      anyResource: false,
    },
    conditions: compileConditions(webhook.matchConditions, { params: false, authorizer: true }),
  }));
}
