import {
  isAlreadyExists,
  isConflict,
  isJsonObject,
  type KubeObject,
  type ObjectKey,
  type ResourceType,
} from '@hypershift-ts/kube-apimachinery';
import type { NewObject } from '@hypershift-ts/kube-client';
import { createOrUpdate, overlay, type ReconcileContext } from '@hypershift-ts/kube-controller';

/**
 * Makes an object of a watched type what it should be, from what is in memory. That may lag behind what this process
 * just wrote; the server refuses a write made from such a view, and it is made again from a fresh one.
 */
export async function upsertSeen<T extends KubeObject>(
  type: ResourceType<T>,
  key: ObjectKey,
  desired: (live: T | undefined) => NewObject<T>,
  { cache, client, signal }: Pick<ReconcileContext, 'cache' | 'client' | 'signal'>,
): Promise<T> {
  const live = cache.get(type, key) ?? null;
  try {
    return (await createOrUpdate(client, type, key, desired, { live, signal })).object;
  } catch (error) {
    if (!isConflict(error) && !isAlreadyExists(error)) throw error;
    return (await createOrUpdate(client, type, key, desired, { signal })).object;
  }
}

/** Without the members that say "absent". */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).filter(([, member]) => member !== null && member !== undefined);
  return Object.fromEntries(entries.map(([key, member]) => [key, withoutNulls(member)]));
}

/** The live object with what is stated put over it: other people's members stay, `null` removes one. */
export const stated = <T extends KubeObject>(live: T | undefined, desired: object): NewObject<T> =>
  (live ? overlay(live, desired) : withoutNulls(desired)) as NewObject<T>;
