import type { KubeObject, ResourceType } from '@hypershift-ts/kube-apimachinery';
import { apiextensionsv1, hasConditionStatus, isAlreadyExists } from '@hypershift-ts/kube-apimachinery';
import type { Client, NewObject } from '@hypershift-ts/kube-client';
import { guestCrds } from './kinds.ts';

const crds = apiextensionsv1.customresourcedefinitions;
const nameOf = ({ metadata }: { readonly metadata: { readonly name?: string } }): string => metadata.name ?? '';
const isServed = ({ status }: apiextensionsv1.CustomResourceDefinition): boolean =>
  hasConditionStatus(status?.conditions, 'Established', 'True');

/**
 * Puts in what is missing of the kinds a hosted cluster is configured by, and waits until all are served. The release
 * brings most of them; a watch on a kind that nobody serves would only fail and be retried.
 */
export async function ensureGuestKinds(client: Client, signal?: AbortSignal): Promise<void> {
  const options = signal ? { signal } : {};
  const { items, metadata } = await client.list(crds, options);
  const served = new Set(items.filter(isServed).map(nameOf));
  const present = new Set(items.map(nameOf));
  const awaited = new Set(guestCrds().map(nameOf));
  for (const crd of guestCrds()) {
    if (served.has(nameOf(crd))) awaited.delete(nameOf(crd));
    if (!present.has(nameOf(crd))) await createIfAbsent(client, crds, crd as never, options);
  }
  if (awaited.size === 0) return;
  const { resourceVersion } = metadata;
  for await (const { object } of client.watch(crds, { ...(resourceVersion ? { resourceVersion } : {}), ...options })) {
    if (isServed(object)) awaited.delete(nameOf(object));
    if (awaited.size === 0 || signal?.aborted) return;
  }
}

async function createIfAbsent<T extends KubeObject>(
  client: Client,
  type: ResourceType<T>,
  object: NewObject<T>,
  options: { readonly signal?: AbortSignal },
): Promise<void> {
  try {
    await client.create(type, object, options);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
}
