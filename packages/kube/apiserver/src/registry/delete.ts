import {
  deepFreeze,
  formatTime,
  type Status,
  statusErrors,
  type UnstructuredObject,
} from '@hypershift-ts/kube-apimachinery';
import type { Entry } from '@hypershift-ts/kube-store';
import type { Draft } from '../kinds/behaviour.ts';
import type { RequestContext } from '../request/context.ts';
import type { Resource } from '../resource/resource.ts';
import { draftOf } from './draft.ts';
import { hooksOf, keyOfTarget, type Registry, type Stored, servedObject, type Target } from './registry.ts';
import { commitObject, specChanged } from './write.ts';

/** DeleteOptions as a request carries them. */
export interface DeleteRequest {
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan';
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  readonly dryRun: boolean;
}

export type DeleteOutcome =
  /** Gone. */
  | { readonly gone: true; readonly object: UnstructuredObject; readonly status: Status }
  /** Marked for deletion; finalizers or a grace period hold it. */
  | { readonly gone: false; readonly stored: Stored };

const foreground = 'foregroundDeletion';
const orphan = 'orphan';
const attempts = 8;

/** Deletes an object, or marks it and leaves the rest to finalizers, the garbage collector and the kubelet. */
export async function deleteObject(
  registry: Registry,
  context: RequestContext,
  target: Target,
  options: DeleteRequest,
): Promise<DeleteOutcome> {
  for (let attempt = 1; ; attempt++) {
    const { entry } = await registry.store.get(keyOfTarget(target));
    if (!entry) throw statusErrors.notFound(target.resource, target.name);
    const old = await servedObject(target.resource, entry);
    checkPreconditions(target, old, options);
    const request = {
      operation: 'DELETE' as const,
      resource: target.resource,
      subresource: target.subresource,
      namespace: target.namespace,
      name: target.name,
      oldObject: old,
      options: {
        apiVersion: 'meta.k8s.io/v1',
        kind: 'DeleteOptions',
        ...deleteOptionsOf(options),
      } as unknown as UnstructuredObject,
      dryRun: options.dryRun,
    };
    await registry.admission.mutate(request, context);
    await registry.admission.validate(request, context);
    if (isJob(target.resource) && options.propagationPolicy === undefined)
      context.warn(
        'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning',
      );

    const marked = markForDeletion(target.resource, old, options, context.now);
    if (marked === undefined) {
      if (options.dryRun || (await removeEntry(registry, target.resource, entry, old)))
        return { gone: true, object: old, status: deletedStatus(target, old) };
    } else {
      if (marked === old || options.dryRun)
        return {
          gone: false,
          stored: { resource: target.resource, entry, object: deepFreeze(marked) as UnstructuredObject },
        };
      const result = await commitObject(registry, target, marked as Draft, entry.modRevision);
      if (result.ok) return { gone: false, stored: result.stored };
    }
    if (attempt >= attempts) throw statusErrors.modified(target.resource, target.name);
  }
}

/** Removes the entry for good when nobody changed it meanwhile. */
export async function removeEntry(
  registry: Registry,
  resource: Resource,
  entry: Entry,
  object: UnstructuredObject,
): Promise<boolean> {
  const result = await registry.store.commit({ op: 'delete', key: entry.key, expect: entry.modRevision });
  if (!result.ok) return result.current === undefined;
  hooksOf(registry, resource)?.afterDelete?.(object);
  return true;
}

/** True when an object marked for deletion is held by nothing any more. */
export function isFullyReleased(resource: Resource, object: Draft): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds, finalizers } = object['metadata'];
  if (deletionTimestamp === undefined) return false;
  if (finalizers !== undefined && finalizers.length > 0) return false;
  if (namespaceFinalizers(resource, object).length > 0) return false;
  // A pod inside its grace period waits for the kubelet even without finalizers.
  return !(resource.logic.gracePeriod && (deletionGracePeriodSeconds ?? 0) > 0);
}

/** The object marked for deletion; the same object when it already is; undefined when it can go at once. */
function markForDeletion(
  resource: Resource,
  old: UnstructuredObject,
  options: DeleteRequest,
  now: number,
): Draft | UnstructuredObject | undefined {
  const finalizers = nextFinalizers(old, options.propagationPolicy ?? defaultPolicy(resource));
  const grace = resource.logic.gracePeriod?.(old, options.gracePeriodSeconds) ?? 0;
  const held = finalizers.length > 0 || namespaceFinalizers(resource, old).length > 0 || grace > 0;
  if (!held) return undefined;

  const { deletionTimestamp, deletionGracePeriodSeconds } = old.metadata;
  const next = draftOf(old);
  const metadata = next['metadata'];
  metadata.finalizers = finalizers;
  if (finalizers.length === 0) delete metadata.finalizers;
  if (deletionTimestamp === undefined || grace < (deletionGracePeriodSeconds ?? 0)) {
    metadata.deletionTimestamp = formatTime(now + grace * 1000);
    // A namespace is deleted in its own way, which has no grace period.
    if (!isNamespace(resource)) metadata.deletionGracePeriodSeconds = grace;
  }
  if (isNamespace(resource)) next['status'] = { ...next['status'], phase: 'Terminating' };
  const unchanged =
    metadata.deletionTimestamp === deletionTimestamp &&
    metadata.deletionGracePeriodSeconds === deletionGracePeriodSeconds &&
    JSON.stringify(metadata.finalizers) === JSON.stringify(old.metadata.finalizers);
  if (unchanged) return old;
  // Marking counts as a change of intent, as upstream does it, so that observers by generation notice.
  if (resource.logic.tracksGeneration && (deletionTimestamp === undefined || specChanged(resource, next, old)))
    metadata.generation = (old.metadata.generation ?? 0) + 1;
  return next;
}

/** Jobs are older than garbage collection and still leave their pods behind when the request does not say. */
function defaultPolicy(resource: Resource): DeleteRequest['propagationPolicy'] {
  return isJob(resource) ? 'Orphan' : undefined;
}

function isJob(resource: Resource): boolean {
  return resource.group === 'batch' && resource.resource === 'jobs';
}

function nextFinalizers(old: UnstructuredObject, policy: DeleteRequest['propagationPolicy']): string[] {
  const current = old.metadata.finalizers ?? [];
  if (policy === undefined) return [...current];
  const others = current.filter((finalizer) => finalizer !== foreground && finalizer !== orphan);
  if (policy === 'Foreground') return [...others, foreground];
  if (policy === 'Orphan') return [...others, orphan];
  return others;
}

function isNamespace(resource: Resource): boolean {
  return resource.group === '' && resource.resource === 'namespaces';
}

function namespaceFinalizers(resource: Resource, object: Draft | UnstructuredObject): readonly string[] {
  if (!isNamespace(resource)) return [];
  return ((object as Draft)['spec']?.finalizers as string[] | undefined) ?? [];
}

function checkPreconditions(target: Target, old: UnstructuredObject, { preconditions }: DeleteRequest): void {
  const { uid, resourceVersion } = preconditions ?? {};
  // Upstream names the kind here, not the resource.
  const kind = { group: target.resource.group, resource: target.resource.kind };
  if (uid !== undefined && uid !== old.metadata.uid)
    throw statusErrors.conflict(
      kind,
      target.name,
      `the UID in the precondition (${uid}) does not match the UID in record (${old.metadata.uid}). The object might have been deleted and then recreated`,
    );
  if (resourceVersion !== undefined && resourceVersion !== old.metadata.resourceVersion)
    throw statusErrors.conflict(
      kind,
      target.name,
      `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${old.metadata.resourceVersion}). The object might have been modified`,
    );
}

function deleteOptionsOf({ dryRun, ...rest }: DeleteRequest): object {
  return dryRun ? { ...rest, dryRun: ['All'] } : rest;
}

function deletedStatus({ resource, name }: Target, object: UnstructuredObject): Status {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: {
      name,
      ...(resource.group === '' ? {} : { group: resource.group }),
      kind: resource.resource,
      ...(object.metadata.uid ? { uid: object.metadata.uid } : {}),
    },
  };
}
