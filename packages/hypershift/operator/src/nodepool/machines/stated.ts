import type { KubeObject, ResourceType } from '@hypershift-ts/kube-apimachinery';
import { isJsonObject, jsonEqual } from '@hypershift-ts/kube-apimachinery';
import type { NewObject } from '@hypershift-ts/kube-client';
import { overlay, type ReconcileContext, type Upserted } from '@hypershift-ts/kube-controller';

/** Without the members that say "absent". */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).filter(([, member]) => member !== null && member !== undefined);
  return Object.fromEntries(entries.map(([key, member]) => [key, withoutNulls(member)]));
}

/**
 * Makes the live object what is stated: other people's members stay, `null` removes one. Writes nothing when it is so.
 */
export async function ensureStated<T extends KubeObject>(
  type: ResourceType<T>,
  live: T | undefined,
  desired: object,
  { client, signal }: ReconcileContext,
): Promise<Upserted<T>> {
  if (!live) {
    const object = await client.create(type, withoutNulls(desired) as NewObject<T>, { signal });
    return { operation: 'created', object };
  }
  const next = overlay(live, desired) as T;
  if (jsonEqual(next, live)) return { operation: 'unchanged', object: live };
  return { operation: 'updated', object: await client.update(type, next as NewObject<T>, { signal }) };
}
