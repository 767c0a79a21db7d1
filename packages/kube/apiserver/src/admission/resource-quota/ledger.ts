import {
  jsonEqual,
  parseQuantity,
  type Quantity,
  tryParseQuantity,
  type UnstructuredObject,
} from '@hypershift-ts/kube-apimachinery';
import type { Store } from '@hypershift-ts/kube-store';
import type { Draft } from '../../kinds/behaviour.ts';
import { decodeStored, encodeStored, Uncommitted } from '../../storage/codec.ts';
import { storageKey, storagePrefix } from '../../storage/keys.ts';
import type { Lookup } from '../lookup.ts';
import { addAmounts, type Amounts, amountsOf } from '../pod-resources.ts';
import { inScope, type QuotaSpec } from './scopes.ts';
import { countedBy, usageOf } from './usage.ts';

const prefix = storagePrefix('', 'resourcequotas');
const attempts = 16;
const zero = parseQuantity('0');

export const specOf = (quota: UnstructuredObject): QuotaSpec => (quota['spec'] ?? {}) as QuotaSpec;

/** Why a quota does not let something in. */
export class QuotaExceeded extends Error {}

/** Reads and writes what quotas say is used, always against the version it read. */
export class QuotaLedger {
  private readonly store: Store;
  private readonly lookup: Lookup;

  constructor(store: Store, lookup: Lookup) {
    this.store = store;
    this.lookup = lookup;
  }

  /** Takes the amounts from the quota, or throws QuotaExceeded. Nothing is written for a dry run. */
  async charge(quota: UnstructuredObject, amounts: Amounts, dryRun: boolean): Promise<void> {
    await this.rewrite(quota, async (current) => {
      const { hard = {} } = specOf(current);
      const used = await this.usedBy(current);
      const asked: Amounts = new Map([...amounts].filter(([name]) => hard[name] !== undefined));
      const next: Amounts = new Map(used);
      addAmounts(next, asked);
      const over = [...asked.keys()].filter((name) => next.get(name)!.compare(parseQuantity(hard[name]!)) > 0).sort();
      if (over.length > 0)
        throw new QuotaExceeded(
          `exceeded quota: ${current.metadata.name}, requested: ${texts(over, asked)}, used: ${texts(over, used)}, limited: ${texts(over, amountsOf(hard))}`,
        );
      return dryRun ? undefined : next;
    });
  }

  /** Counts again what is really there. */
  async recount(quota: UnstructuredObject): Promise<void> {
    await this.rewrite(quota, (current) => this.count(current));
  }

  private async rewrite(
    quota: UnstructuredObject,
    next: (current: UnstructuredObject) => Promise<Amounts | undefined>,
  ): Promise<void> {
    const key = storageKey(prefix, quota.metadata.namespace, quota.metadata.name ?? '');
    for (let attempt = 0; attempt < attempts; attempt++) {
      const { entry } = await this.store.get(key);
      if (!entry) return;
      const current = decodeStored(entry);
      const used = await next(current);
      if (!used) return;
      const status = statusOf(current, used);
      if (jsonEqual(status, current['status'])) return;
      const object: UnstructuredObject = { ...current, status };
      const memo = new Uncommitted(object);
      const result = await this.store.commit({
        op: 'put',
        key,
        value: encodeStored(object),
        expect: entry.modRevision,
        memo,
      });
      if (result.ok) return;
    }
    throw new QuotaExceeded(`quota ${quota.metadata.name} is changing too fast, try again`);
  }

  /** What the status says is used; counted when it does not say. */
  private async usedBy(quota: UnstructuredObject): Promise<Amounts> {
    const names = Object.keys(specOf(quota).hard ?? {});
    const used = amountsOf((quota['status'] as { used?: unknown } | undefined)?.used);
    return names.every((name) => used.has(name) || !countedBy(name)) ? used : this.count(quota);
  }

  private async count(quota: UnstructuredObject): Promise<Amounts> {
    const spec = specOf(quota);
    const names = Object.keys(spec.hard ?? {});
    const total: Amounts = new Map();
    const sources = new Map(
      names.flatMap((name) => {
        const counted = countedBy(name);
        return counted ? [[`${counted.group}/${counted.resource}`, counted] as const] : [];
      }),
    );
    for (const counted of sources.values())
      for (const object of await this.lookup.list(counted.group, counted.resource, quota.metadata.namespace))
        if (inScope(spec, counted.resource, object as Draft)) addAmounts(total, usageOf(counted, object));
    return new Map(names.map((name): [string, Quantity] => [name, total.get(name) ?? zero]));
  }
}

function statusOf(quota: UnstructuredObject, used: Amounts): object {
  const { hard = {} } = specOf(quota);
  const counted = Object.fromEntries(
    Object.keys(hard).map((name) => [name, (used.get(name) ?? tryParseQuantity('0')!).toString()]),
  );
  return { hard, used: counted };
}

function texts(names: readonly string[], amounts: Amounts): string {
  return names.map((name) => `${name}=${(amounts.get(name) ?? zero).toString()}`).join(',');
}
