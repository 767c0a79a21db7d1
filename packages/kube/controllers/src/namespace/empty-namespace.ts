import { errorMessage, isNotFound, StatusError } from '@hypershift-ts/kube-apimachinery';
import type { Client, DiscoveredResource } from '@hypershift-ts/kube-client';
import type { Findings } from './remaining-content.ts';

interface Counts {
  readonly errors: string[];
  readonly remaining: Map<string, number>;
  readonly finalizers: Map<string, number>;
}

/** Types emptied at the same time: enough to be quick, few enough to leave the server to others. */
const parallel = 8;

/** Deletes everything in the namespace, pods before all else, and tells what is still there. */
export async function emptyNamespace(
  client: Client,
  namespace: string,
  types: readonly DiscoveredResource[],
  signal: AbortSignal,
): Promise<Findings> {
  const counts: Counts = { errors: [], remaining: new Map(), finalizers: new Map() };
  const isPods = (type: DiscoveredResource) => type.group === '' && type.resource === 'pods';
  await emptyAll(client, namespace, types.filter(isPods), counts, signal);
  // Pods still need their secrets, volumes and policies while they shut down.
  if (counts.remaining.size === 0) {
    const others = types.filter((type) => !isPods(type));
    await emptyAll(client, namespace, others, counts, signal);
  }
  return { deletionErrors: counts.errors, remaining: counts.remaining, finalizers: counts.finalizers };
}

async function emptyAll(
  client: Client,
  namespace: string,
  types: readonly DiscoveredResource[],
  counts: Counts,
  signal: AbortSignal,
): Promise<void> {
  for (let i = 0; i < types.length && !signal.aborted; i += parallel) {
    await Promise.all(types.slice(i, i + parallel).map((type) => emptyOne(client, namespace, type, counts)));
  }
}

async function emptyOne(client: Client, namespace: string, type: DiscoveredResource, counts: Counts): Promise<void> {
  try {
    const before = await client.list(type, { namespace });
    if (before.items.length === 0) return;
    await deleteAll(client, namespace, type, before.items);
    const { items } = await client.list(type, { namespace });
    if (items.length === 0) return;
    counts.remaining.set(type.group ? `${type.resource}.${type.group}` : type.resource, items.length);
    for (const { metadata } of items) {
      for (const finalizer of metadata.finalizers ?? []) {
        counts.finalizers.set(finalizer, (counts.finalizers.get(finalizer) ?? 0) + 1);
      }
    }
  } catch (error) {
    // A type that vanished meanwhile took its objects with it.
    if (isNotFound(error) || (error instanceof StatusError && error.code === 405)) return;
    counts.errors.push(errorMessage(error));
  }
}

async function deleteAll(
  client: Client,
  namespace: string,
  type: DiscoveredResource,
  items: readonly { readonly metadata: { readonly name?: string } }[],
): Promise<void> {
  const options = { propagationPolicy: 'Background' } as const;
  if (type.verbs.includes('deletecollection')) return client.deleteCollection(type, { namespace }, options);
  for (const { metadata } of items) {
    try {
      await client.delete(type, { namespace, name: metadata.name ?? '' }, options);
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
}
