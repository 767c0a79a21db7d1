import {
  createMergePatch,
  isNotFound,
  type JsonObject,
  type KubeObject,
  type ResourceType,
} from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';
import { syncFinalizer } from '../conversion/names.ts';
import type { PlatformConversion } from '../conversion/platform-conversion.ts';
import type { DeletionStep } from '../sync/deletion/step.ts';
import { type PassScope, typeOf } from './scope.ts';

interface WithStatus extends KubeObject {
  readonly status?: object;
}

export const keyOfObject = ({ metadata: { name = '', namespace = '' } }: KubeObject) => ({ name, namespace });

async function unlessGone<T>(write: Promise<T>): Promise<T | undefined> {
  try {
    return await write;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** Changes metadata of the object as it was read; a change in between is a conflict, and the object may be gone. */
export function patchMetadata(
  client: Client,
  platform: PlatformConversion,
  object: KubeObject,
  metadata: object,
): Promise<KubeObject | undefined> {
  const { resourceVersion } = object.metadata;
  const body = { metadata: { ...metadata, resourceVersion } };
  return unlessGone(client.patch(typeOf(object, platform), keyOfObject(object), { type: 'merge', body }));
}

/** Holds every copy until the other is gone. True when a finalizer was missing: the next event brings the next pass. */
export async function ensureSyncFinalizers(
  { client, settings }: PassScope,
  objects: readonly (KubeObject | undefined)[],
): Promise<boolean> {
  const missing = objects.filter(
    (object) =>
      object && !object.metadata.deletionTimestamp && !(object.metadata.finalizers ?? []).includes(syncFinalizer),
  ) as readonly KubeObject[];
  for (const object of missing)
    await patchMetadata(client, settings.platform, object, {
      finalizers: [...(object.metadata.finalizers ?? []), syncFinalizer],
    });
  return missing.length > 0;
}

/** A new copy is held from the start. */
export function held<T extends KubeObject>(object: T): T {
  const { finalizers = [] } = object.metadata;
  return { ...object, metadata: { ...object.metadata, finalizers: [...finalizers, syncFinalizer] } };
}

/** Turns the status into the desired one, fields that it lacks included, or writes nothing when it is so already. */
export async function patchStatus<T extends WithStatus>(
  client: Client,
  type: ResourceType<T>,
  stored: T,
  desired: object,
): Promise<T> {
  const patch = createMergePatch((stored.status ?? {}) as JsonObject, desired as JsonObject);
  if (Object.keys(patch).length === 0) return stored;
  const { resourceVersion } = stored.metadata;
  return client.patch(
    type,
    keyOfObject(stored),
    { type: 'merge', body: { metadata: { resourceVersion }, status: patch } },
    { subresource: 'status' },
  );
}

/** Deletes this very object, and with `asRead` only as it was when it was read. */
export async function deleteObject(
  client: Client,
  platform: PlatformConversion,
  object: KubeObject,
  { asRead }: { readonly asRead: boolean } = { asRead: false },
): Promise<void> {
  const { uid, resourceVersion } = object.metadata;
  const preconditions = {
    ...(uid === undefined ? {} : { uid }),
    ...(asRead && resourceVersion !== undefined ? { resourceVersion } : {}),
  };
  await unlessGone(client.delete(typeOf(object, platform), keyOfObject(object), { preconditions }));
}

/** Does what a deletion asks for next. */
export async function applyDeletion(
  step: DeletionStep,
  { client, settings: { platform }, log }: PassScope,
  deleteTemplates: () => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  switch (step.kind) {
    case 'delete':
      for (const object of step.objects) await deleteObject(client, platform, object);
      return;
    case 'release':
      for (const { object, finalizers } of step.objects)
        await patchMetadata(client, platform, object, {
          finalizers: (object.metadata.finalizers ?? []).filter((finalizer) => !finalizers.includes(finalizer)),
        });
      return;
    case 'delete-templates':
      return deleteTemplates();
    case 'wait':
      log.debug({ for: step.for }, 'a deletion waits');
      return;
    default:
      step satisfies never;
  }
}
