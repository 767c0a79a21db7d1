import { type Clock, jsonEqual, type UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import type { Store } from '@hypershift-ts/kube-store';
import { decodeStored, encodeStored, Uncommitted } from '../../storage/codec.ts';
import { storageKey, storagePrefix } from '../../storage/keys.ts';
import type { Lookup } from '../lookup.ts';
import { typeCheck } from './type-check.ts';
import type { PolicySpec } from './types.ts';

export interface PolicyStatusOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly lookup: Lookup;
  readonly log: (message: string, error?: unknown) => void;
}

const prefix = storagePrefix('admissionregistration.k8s.io', 'validatingadmissionpolicies');
/** A definition the policy is about often comes in the same moment. */
const delayMs = 50;

/** Tells authors what was found in their policy: `status.observedGeneration` and `status.typeChecking`. */
export class PolicyStatus {
  private readonly options: PolicyStatusOptions;
  private readonly pending = new Map<string, () => void>();

  constructor(options: PolicyStatusOptions) {
    this.options = options;
  }

  /** Looks at a policy soon, unless this version of it has been looked at. */
  observe({ metadata, ...policy }: UnstructuredObject): void {
    const name = metadata.name ?? '';
    const status = policy['status'] as { observedGeneration?: number } | undefined;
    if (status?.observedGeneration === metadata.generation || this.pending.has(name)) return;
    const check = (): void => {
      this.pending.delete(name);
      this.write(name).catch((error: unknown) => this.options.log(`policy ${name} cannot be checked`, error));
    };
    this.pending.set(name, this.options.clock.after(delayMs, check));
  }

  stop(): void {
    for (const cancel of this.pending.values()) cancel();
    this.pending.clear();
  }

  private async write(name: string): Promise<void> {
    const { store, lookup } = this.options;
    const key = storageKey(prefix, undefined, name);
    const { entry } = await store.get(key);
    if (!entry) return;
    const policy = decodeStored(entry);
    const warnings = typeCheck((policy['spec'] ?? {}) as PolicySpec, lookup.catalogue);
    const status = {
      ...(policy['status'] as object | undefined),
      observedGeneration: policy.metadata.generation ?? 0,
      typeChecking: warnings.length > 0 ? { expressionWarnings: warnings } : {},
    };
    if (jsonEqual(status, policy['status'])) return;
    const object: UnstructuredObject = { ...policy, status };
    // Whoever wrote in between is observed again, so losing is fine.
    await store.commit({
      op: 'put',
      key,
      value: encodeStored(object),
      expect: entry.modRevision,
      memo: new Uncommitted(object),
    });
  }
}
