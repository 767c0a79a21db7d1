import type { KubeObject, ObjectKey, ResourceType } from '@hypershift-ts/kube-apimachinery';
import { apiVersionOf, isNotFound, jsonEqual, keyOf } from '@hypershift-ts/kube-apimachinery';
import type { ApplyObject, ApplyOptions, Client, DeleteOptions, NewObject } from '@hypershift-ts/kube-client';
import { derives } from './derives.ts';
import type { LoopDetector } from './loop-detector.ts';
import { overlay } from './overlay.ts';
import { applyEntryOf, ownsExactly } from './owned-fields.ts';

export type UpsertOperation = 'created' | 'updated' | 'unchanged';

export interface Upserted<T extends KubeObject> {
  readonly operation: UpsertOperation;
  readonly object: T;
}

export interface UpsertOptions<T extends KubeObject> {
  /** The live object when the caller knows it already (from a cache); `null` means known to be absent. */
  readonly live?: T | null | undefined;
  readonly loops?: LoopDetector;
  readonly signal?: AbortSignal;
}

/**
 * Makes the object what `desired` states with a create or an update, and writes nothing when it is so already.
 * Server-set fields and other people's labels, annotations, finalizers and owners stay. A function gets the live
 * object (or undefined) and answers the whole object it wants, so it can also remove things.
 */
export async function createOrUpdate<T extends KubeObject>(
  client: Client,
  type: ResourceType<T>,
  key: ObjectKey,
  desired: NewObject<T> | ((live: T | undefined) => NewObject<T>),
  options: UpsertOptions<T> = {},
): Promise<Upserted<T>> {
  const signal = options.signal ? { signal: options.signal } : {};
  const live = options.live === null ? undefined : (options.live ?? (await getIfPresent(client, type, key, signal)));
  const name = key.namespace ? `${key.namespace}/${key.name}` : key.name;
  const wanted = typeof desired === 'function' ? desired(live) : desired;
  if (!live) {
    options.loops?.settled(type, name);
    return { operation: 'created', object: await client.create(type, wanted, signal) };
  }
  const next = typeof desired === 'function' ? wanted : (overlay(live, withUnions(wanted, live)) as NewObject<T>);
  if (typeof desired === 'function' ? isSame(next, live) : derives(withUnions(wanted, live), live)) {
    options.loops?.settled(type, name);
    return { operation: 'unchanged', object: live };
  }
  const object = await client.update(type, next, signal);
  // The server may find that nothing changed after all (defaults, normalised values).
  if (object.metadata.resourceVersion === live.metadata.resourceVersion) {
    options.loops?.settled(type, name);
    return { operation: 'unchanged', object };
  }
  options.loops?.updated(type, name, live, object);
  return { operation: 'updated', object };
}

/** Servers store empty labels and lists of metadata as nothing. */
const metadataDroppedWhenEmpty = ['labels', 'annotations', 'finalizers', 'ownerReferences'] as const;

function isSame<T extends KubeObject>(wanted: NewObject<T>, live: T): boolean {
  return jsonEqual(storedForm(wanted), storedForm(live));
}

function storedForm(object: NewObject<KubeObject>): object {
  const metadata: Record<string, unknown> = { ...object.metadata };
  for (const field of metadataDroppedWhenEmpty)
    if (Object.keys(metadata[field] ?? {}).length === 0) delete metadata[field];
  return { ...object, metadata };
}

/** Finalizers and owners are shared lists: ours are added to what is there instead of replacing it. */
function withUnions<T extends KubeObject>(wanted: NewObject<T>, live: T): NewObject<T> {
  const { finalizers, ownerReferences } = wanted.metadata;
  if (!finalizers && !ownerReferences) return wanted;
  const owners = ownerReferences ?? [];
  return {
    ...wanted,
    metadata: {
      ...wanted.metadata,
      ...(finalizers ? { finalizers: [...new Set([...(live.metadata.finalizers ?? []), ...finalizers])] } : {}),
      ...(ownerReferences
        ? {
            ownerReferences: [
              ...(live.metadata.ownerReferences ?? []).map((old) => owners.find((own) => own.uid === old.uid) ?? old),
              ...owners.filter((own) => !live.metadata.ownerReferences?.some((old) => old.uid === own.uid)),
            ],
          }
        : {}),
    },
  };
}

/** What this process applied last, for live objects whose managedFields were dropped by a cache. */
const lastApplied = new WeakMap<Client, Map<string, { readonly desired: object; readonly uid: string | undefined }>>();

/**
 * Server-side apply that writes nothing when the live object already has the desired values and the field manager
 * already owns exactly the desired fields. `force` defaults to true, as for every controller that means what it says.
 */
export async function applyIfChanged<T extends KubeObject>(
  client: Client,
  type: ResourceType<T>,
  desired: ApplyObject,
  options: ApplyOptions & UpsertOptions<T>,
): Promise<Upserted<T>> {
  const { live: known, loops, ...rest } = options;
  const key: ObjectKey = desired.metadata;
  const name = keyOf(desired);
  const signal = options.signal ? { signal: options.signal } : {};
  const live = known === null ? undefined : (known ?? (await getIfPresent(client, type, key, signal)));
  const memory = lastApplied.get(client) ?? new Map<string, { desired: object; uid: string | undefined }>();
  lastApplied.set(client, memory);
  const memoryKey = `${type.group}/${type.resource}/${name}/${options.fieldManager}/${options.subresource ?? ''}`;
  if (live && derives(desired, live) && isOwner()) {
    loops?.settled(type, name);
    return { operation: 'unchanged', object: live };
  }
  const object = await client.apply(type, desired, { force: true, ...rest });
  if (object.metadata.managedFields) memory.delete(memoryKey);
  else memory.set(memoryKey, { desired, uid: object.metadata.uid });
  if (!live) return { operation: 'created', object };
  if (object.metadata.resourceVersion === live.metadata.resourceVersion) {
    loops?.settled(type, name);
    return { operation: 'unchanged', object };
  }
  loops?.updated(type, name, live, object);
  return { operation: 'updated', object };

  function isOwner(): boolean {
    if (!live?.metadata.managedFields) {
      const last = memory.get(memoryKey);
      return last !== undefined && last.uid === live?.metadata.uid && jsonEqual(last.desired, desired);
    }
    const entry = applyEntryOf(live, options.fieldManager, apiVersionOf(type), options.subresource);
    return entry !== undefined && ownsExactly(entry, desired);
  }
}

/** The object, or undefined when there is none. */
export async function getIfPresent<T extends KubeObject>(
  client: Client,
  type: ResourceType<T>,
  key: ObjectKey,
  options: { readonly signal?: AbortSignal } = {},
): Promise<T | undefined> {
  try {
    return await client.get(type, key, options);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** Deletes the object; answers false when it was not there. Known to be absent or terminating costs no request. */
export async function deleteIfPresent<T extends KubeObject>(
  client: Client,
  type: ResourceType<T>,
  key: ObjectKey,
  options: DeleteOptions & { readonly live?: T | null | undefined } = {},
): Promise<boolean> {
  const { live, ...rest } = options;
  if (live === null) return false;
  if (live?.metadata.deletionTimestamp) return true;
  try {
    await client.delete(type, key, rest);
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}
