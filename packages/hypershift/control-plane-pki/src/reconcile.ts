import type { OwnerReference } from '@hypershift-ts/kube-apimachinery';
import { corev1 } from '@hypershift-ts/kube-apimachinery';
import type { Client, InformerCache, NewObject, Scope } from '@hypershift-ts/kube-client';
import { createOrUpdate } from '@hypershift-ts/kube-controller';
import type { KeySource, KeyType } from '@hypershift-ts/kube-pki';
import { inParallel } from './in-parallel.ts';
import type { Ownership } from './desired.ts';
import { desiredPki } from './desired.ts';
import type { PkiFacts, PkiTuning } from './facts.ts';
import { issuePki } from './issue.ts';
import { type PkiState, rememberWritten } from './material.ts';
import type { PkiPlan } from './plan.ts';
import { planPki } from './plan.ts';

export interface ReconcilePkiOptions extends Ownership {
  readonly client: Client;
  /** Reads come from here when given; informers of Secrets and ConfigMaps must exist under `scope`. */
  readonly cache?: InformerCache;
  readonly scope?: Scope;
  /** What exists, when the caller knows already; then nothing is read. */
  readonly state?: PkiState;
  readonly owner?: OwnerReference;
  readonly facts: PkiFacts;
  /** Where keys come from; a KeyPool's `take`, so that RSA is ready before it is asked for. */
  readonly keys: KeySource;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly tuning?: PkiTuning;
  readonly keyType?: KeyType;
  /** Requests at the same time; 8 when absent. */
  readonly concurrency?: number;
  readonly signal?: AbortSignal;
}

export interface ReconciledPki {
  readonly plan: PkiPlan;
  /** Objects created or updated; 0 when everything was right already. */
  readonly writes: number;
}

/** Makes the PKI of one control plane right: reads once, decides, writes what differs. Settled, it writes nothing. */
export async function reconcilePki(options: ReconcilePkiOptions): Promise<ReconciledPki> {
  const { client, facts, keys, now, tuning, keyType, concurrency = 8, signal } = options;
  const state = options.state ?? (await readState(options));
  const plan = planPki(facts, state, now, tuning);
  const contents = await issuePki(plan, state, {
    keys,
    now,
    ...(tuning ? { tuning } : {}),
    ...(keyType ? { keyType } : {}),
  });
  const desired = desiredPki(facts, contents, state, options);
  const made = new Map([...plan.create, ...plan.renew].map((item) => [item.name, item]));
  let writes = 0;

  const secrets = (objects: readonly NewObject<corev1.Secret>[]) =>
    inParallel(objects, concurrency, async (object) => {
      const live = state.secrets.get(object.metadata.name ?? '') ?? null;
      const written = await createOrUpdate(client, corev1.secrets, keyOf(object), object, upsertOptions(live));
      count(written);
      const item = made.get(object.metadata.name ?? '');
      if (item && item.kind !== 'signing-key') rememberWritten(written.object, item.kind, item.spec);
    });
  const upsertOptions = <T>(live: T) => ({ live, ...(signal ? { signal } : {}) });
  const count = ({ operation }: { readonly operation: string }) => {
    if (operation !== 'unchanged') writes++;
  };

  // Signers first: if somebody else was faster, their creation fails here and nothing signed by ours gets out.
  // Trust before identities, so that no certificate is presented to somebody who cannot know its CA.
  await secrets(desired.authorities);
  await inParallel(desired.bundles, concurrency, async (object) => {
    const live = state.configMaps.get(object.metadata.name ?? '') ?? null;
    count(await createOrUpdate(client, corev1.configmaps, keyOf(object), object, upsertOptions(live)));
  });
  await secrets(desired.leaves);
  await secrets(desired.kubeconfigs);
  return { plan, writes };
}

function keyOf({ metadata }: NewObject<corev1.Secret | corev1.ConfigMap>) {
  return { namespace: metadata.namespace ?? '', name: metadata.name ?? '' };
}

async function readState({ client, cache, scope, facts, signal }: ReconcilePkiOptions): Promise<PkiState> {
  const { namespace } = facts;
  const byName = <T extends corev1.Secret | corev1.ConfigMap>(items: readonly T[]) =>
    new Map(items.map((item) => [item.metadata.name ?? '', item]));
  if (cache) {
    return {
      secrets: byName(cache.list(corev1.secrets, namespace, scope)),
      configMaps: byName(cache.list(corev1.configmaps, namespace, scope)),
    };
  }
  const options = { namespace, ...(signal ? { signal } : {}) };
  const [secrets, configMaps] = await Promise.all([
    client.list(corev1.secrets, options),
    client.list(corev1.configmaps, options),
  ]);
  return { secrets: byName(secrets.items), configMaps: byName(configMaps.items) };
}
