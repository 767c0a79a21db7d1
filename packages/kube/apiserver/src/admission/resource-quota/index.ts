import { type Clock, statusErrors, type UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import { prefixEnd, type Store, type WatchHandle } from '@hypershift-ts/kube-store';
import type { Draft } from '../../kinds/behaviour.ts';
import type { AdmissionPlugin, AdmissionRequest } from '../admission.ts';
import { nameForErrors } from '../error-name.ts';
import type { Lookup } from '../lookup.ts';
import type { Amounts } from '../pod-resources.ts';
import { WatchedByNamespace } from '../watched-by-namespace.ts';
import { QuotaExceeded, QuotaLedger, specOf } from './ledger.ts';
import { inScope } from './scopes.ts';
import { countedBy, unstated, usageOf } from './usage.ts';

export interface ResourceQuotaOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly lookup: Lookup;
  readonly log: (message: string, error?: unknown) => void;
}

const recountDelayMs = 250;
const everything = '/registry/';
/** Only these take more or less of a quota by being changed. */
const changeable = new Set(['/services', '/persistentvolumeclaims']);
const quotaKeys = '/registry/core/resourcequotas/';

/**
 * Holds namespaces to their quotas. Writes are charged before they are stored, against the quota's stored version, so
 * that two of them never share the last unit; what goes away is found by counting again soon after.
 */
export class ResourceQuotas {
  readonly plugin: AdmissionPlugin;
  private readonly options: ResourceQuotaOptions;
  private readonly quotas: WatchedByNamespace;
  private readonly ledger: QuotaLedger;
  private readonly pending = new Map<string, () => void>();
  private handle: WatchHandle | undefined;
  private stopped = false;

  constructor(options: ResourceQuotaOptions) {
    this.options = options;
    this.ledger = new QuotaLedger(options.store, options.lookup);
    this.quotas = new WatchedByNamespace(options.store, options.clock, '', 'resourcequotas', (namespace) =>
      this.quotaChanged(namespace),
    );
    this.plugin = {
      name: 'ResourceQuota',
      handles: ({ operation, resource, subresource, namespace }) =>
        subresource === '' &&
        this.quotas.in(namespace).length > 0 &&
        (operation === 'CREATE' ||
          (operation === 'UPDATE' && changeable.has(`${resource.group}/${resource.resource}`))),
      validate: (request) => this.check(request),
    };
  }

  start(): Promise<void> {
    return this.quotas.start();
  }

  stop(): void {
    this.stopped = true;
    this.quotas.stop();
    this.handle?.close();
    for (const cancel of this.pending.values()) cancel();
    this.pending.clear();
  }

  private async check(request: AdmissionRequest): Promise<void> {
    const { resource, object, oldObject, namespace, dryRun } = request;
    const counted = { group: resource.group, resource: resource.resource };
    const usage = increase(usageOf(counted, object!), oldObject && usageOf(counted, oldObject));
    for (const quota of this.quotas.in(namespace)) {
      const spec = specOf(quota);
      const hard = Object.keys(spec.hard ?? {});
      if (!hard.some((name) => usage.has(name) || isAbout(name, counted)) || !inScope(spec, resource.resource, object!))
        continue;
      const missing = isAbout('pods', counted) ? unstated((object!['spec'] ?? {}) as Draft, hard) : undefined;
      if (missing) throw this.refuse(request, `failed quota: ${quota.metadata.name}: must specify ${missing}`);
      try {
        await this.ledger.charge(quota, usage, dryRun);
      } catch (error) {
        throw error instanceof QuotaExceeded ? this.refuse(request, error.message) : error;
      }
    }
  }

  private refuse(request: AdmissionRequest, why: string) {
    // A later quota may refuse what an earlier one was charged for.
    this.schedule(request.namespace);
    return statusErrors.forbidden(request.resource, nameForErrors(request), why);
  }

  private quotaChanged(namespace: string): void {
    if (this.quotas.isEmpty) {
      this.handle?.close();
      this.handle = undefined;
      return;
    }
    if (this.quotas.in(namespace).some(isUncounted)) this.schedule(namespace);
    if (!this.handle && !this.stopped) void this.follow();
  }

  /** Any change in a namespace with a quota may change what is used; nothing is watched while there are none. */
  private async follow(): Promise<void> {
    const { store, log } = this.options;
    try {
      const afterRevision = await store.currentRevision();
      if (this.handle || this.stopped) return;
      this.handle = store.watch({
        start: everything,
        end: prefixEnd(everything),
        afterRevision,
        onEvents: (events) => {
          for (const event of events) this.changed(event.type === 'put' ? event.entry.key : event.key);
        },
        onEnd: () => {
          this.handle = undefined;
          if (!this.stopped) this.options.clock.after(1000, () => void this.follow());
        },
      });
    } catch (error) {
      log('resource quotas cannot follow changes', error);
    }
  }

  private changed(key: string): void {
    if (key.startsWith(quotaKeys)) return;
    // `/registry/<group>/<resource>/<namespace>/<name>`
    const namespace = key.split('/')[4];
    if (namespace !== undefined && this.quotas.in(namespace).length > 0) this.schedule(namespace);
  }

  private schedule(namespace: string): void {
    if (this.pending.has(namespace) || this.stopped) return;
    const recount = (): void => {
      this.pending.delete(namespace);
      for (const quota of this.quotas.in(namespace))
        this.ledger.recount(quota).catch((error: unknown) => {
          if (!this.stopped) this.options.log(`quota ${namespace}/${quota.metadata.name} cannot be counted`, error);
        });
    };
    this.pending.set(namespace, this.options.clock.after(recountDelayMs, recount));
  }
}

/** A quota whose status does not speak of what it limits now. */
function isUncounted(quota: UnstructuredObject): boolean {
  const { hard = {} } = specOf(quota);
  const status = (quota['status'] ?? {}) as { hard?: object };
  return JSON.stringify(status.hard ?? {}) !== JSON.stringify(hard);
}

function isAbout(name: string, { group, resource }: { group: string; resource: string }): boolean {
  const counted = countedBy(name);
  return counted?.group === group && counted.resource === resource;
}

function increase(usage: Amounts, before: Amounts | undefined): Amounts {
  if (!before) return usage;
  const more: Amounts = new Map();
  for (const [name, amount] of usage) {
    const old = before.get(name);
    const difference = old ? amount.subtract(old) : amount;
    if (difference.sign > 0) more.set(name, difference);
  }
  return more;
}
