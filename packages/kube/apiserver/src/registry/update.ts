import {
  deepFreeze,
  fieldError,
  statusErrors,
  type UnstructuredObject,
  validateObjectMetaUpdate,
} from '@hypershift-ts/kube-apimachinery';
import type { Entry } from '@hypershift-ts/kube-store';
import type { AdmissionRequest } from '../admission/admission.ts';
import type { Draft } from '../kinds/behaviour.ts';
import type { RequestContext } from '../request/context.ts';
import type { Resource, Verdict } from '../resource/resource.ts';
import { agreeWithPath } from './body.ts';
import { isFullyReleased, removeEntry } from './delete.ts';
import { draftOf, edited, unshare } from './draft.ts';
import { trackFields } from './managed-fields.ts';
import {
  hooksOf,
  keyOfTarget,
  type Registry,
  type Stored,
  servedObject,
  type Target,
  type WriteOptions,
} from './registry.ts';
import {
  asIfStored,
  carryOverMetadata,
  commitObject,
  isNoOp,
  managerOf,
  scopeOf,
  settle,
  specChanged,
  validateFinalizerNames,
} from './write.ts';

/** How the new version comes from the current one. */
export interface Change {
  /** Makes a fresh draft; called again with the newer version when the write lost a race it may repeat. */
  readonly next: (current: UnstructuredObject) => Draft | Promise<Draft>;
  /** What to do when the object does not exist; absent: 404. */
  readonly create?: () => Promise<Stored>;
  /** A lost race is repeated (PATCH, apply, subresources), not answered with 409 (PUT). */
  readonly repeatable: boolean;
  /** The server's own doing (binding a pod): nobody comes to own it, and no generation counts it. */
  readonly untracked?: boolean;
  /** The change came by server-side apply, which has already settled managedFields. */
  readonly managedFieldsSettled?: boolean;
  /** Which rules the change is judged by: those of the whole object, of /status, or only metadata's and `validate`. */
  readonly as?: 'status' | 'main' | 'custom';
  /** The name of the options kind admission sees. */
  readonly optionsKind?: 'UpdateOptions' | 'PatchOptions';
  /** Extra rules of a subresource (approval, finalize), after preparation. */
  readonly validate?: (
    object: UnstructuredObject,
    old: UnstructuredObject,
  ) => readonly ReturnType<typeof fieldError.invalid>[];
}

/** Every lost race is somebody's progress, so giving up early would only make clients ask again; it only has to end. */
const attempts = 1024;

/** Reads, changes and writes one object, or deletes it when the change removed its last finalizer. */
export async function updateObject(
  registry: Registry,
  context: RequestContext,
  target: Target,
  change: Change,
  options: WriteOptions,
): Promise<Stored> {
  for (let attempt = 1; ; attempt++) {
    const { entry } = await registry.store.get(keyOfTarget(target));
    if (!entry) {
      if (change.create) return change.create();
      throw statusErrors.notFound(target.resource, target.name);
    }
    const outcome = await tryUpdate(registry, context, target, change, options, entry);
    if (outcome) return outcome;
    if (!change.repeatable || attempt >= attempts) throw statusErrors.modified(target.resource, target.name);
  }
}

/** One attempt; undefined when somebody else wrote first. */
async function tryUpdate(
  registry: Registry,
  context: RequestContext,
  target: Target,
  change: Change,
  options: WriteOptions,
  entry: Entry,
): Promise<Stored | undefined> {
  const { resource } = target;
  const old = await servedObject(resource, entry);
  let draft = await change.next(old);
  agreeWithPath(resource, draft, target);
  checkVersion(target, draft, old, change);
  carryOverMetadata(draft, old);
  checkUid(target, draft, old);

  const asStatus = change.as === 'status';
  const scope = scopeOf(context, target, options);
  if (asStatus) draft = statusDraft(resource, draft, old);
  else if (resource.logic.hasStatus && change.as !== 'custom') keepStatus(draft, old);
  resource.logic.complete?.(draft);
  edited(draft, resource.logic.defaults);
  // What admission and preparation change belongs to nobody.
  if (!change.managedFieldsSettled && !change.untracked)
    trackFields(resource, old, draft, managerOf(options, context), target.subresource, context.now);

  const request: AdmissionRequest = {
    operation: 'UPDATE',
    resource,
    subresource: target.subresource,
    namespace: target.namespace,
    name: target.name,
    object: draft,
    oldObject: old,
    options: {
      apiVersion: 'meta.k8s.io/v1',
      kind: change.optionsKind ?? 'UpdateOptions',
    } as unknown as UnstructuredObject,
    dryRun: options.dryRun,
  };
  await mutate(registry, request, context);
  draft = request.object!;
  if (asStatus) edited(draft, (status) => resource.logic.prepareForStatus(status, old, scope));
  else if (change.as !== 'custom') edited(draft, (next) => resource.logic.prepareForUpdate(next, old, scope));
  if (resource.logic.tracksGeneration && !asStatus && !change.untracked && specChanged(resource, draft, old))
    draft['metadata'].generation = (old.metadata.generation ?? 0) + 1;

  const undo = await hooksOf(registry, resource)?.beforeUpdate?.(draft, old);
  try {
    const object = draft as unknown as UnstructuredObject;
    const verdict = judge(resource, change, object, old);
    settle(
      resource,
      target.name,
      {
        errors: [
          ...validateObjectMetaUpdate(object.metadata, old.metadata),
          ...validateFinalizerNames(resource, object),
          ...verdict.errors,
          ...(change.validate?.(object, old) ?? []),
        ],
        warnings: verdict.warnings,
      },
      context,
    );
    await registry.admission.validate(request, context);
    if (options.dryRun) {
      undo?.();
      return asIfStored(resource, draft);
    }
    const outcome = await commitUpdate(registry, target, draft, old, entry);
    if (!outcome) undo?.();
    return outcome;
  } catch (error) {
    undo?.();
    throw error;
  }
}

/** Plugins edit in place, like any editor of a draft. */
async function mutate({ admission }: Registry, request: AdmissionRequest, context: RequestContext): Promise<void> {
  try {
    await admission.mutate(request, context);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    unshare(request.object!);
    await admission.mutate(request, context);
  }
}

function judge(resource: Resource, change: Change, object: UnstructuredObject, old: UnstructuredObject): Verdict {
  if (change.as === 'status') return resource.logic.validateStatus(object, old);
  if (change.as === 'custom') return { errors: [], warnings: [] };
  return resource.logic.validateUpdate(object, old);
}

async function commitUpdate(
  registry: Registry,
  target: Target,
  draft: Draft,
  old: UnstructuredObject,
  entry: Entry,
): Promise<Stored | undefined> {
  const { resource } = target;
  if (isFullyReleased(resource, draft)) {
    const removed = await removeEntry(registry, resource, entry, old);
    return removed ? { resource, object: deepFreeze(draft) as unknown as UnstructuredObject } : undefined;
  }
  if (isNoOp(draft, old)) return { resource, entry, object: old };
  const result = await commitObject(registry, target, draft, entry.modRevision);
  if (!result.ok) return undefined;
  hooksOf(registry, resource)?.afterUpdate?.(result.stored.object, old);
  return result.stored;
}

function checkVersion(target: Target, draft: Draft, old: UnstructuredObject, change: Change): void {
  const { resource } = target;
  const wanted = draft['metadata'].resourceVersion;
  if (wanted === undefined || wanted === '') {
    if (!resource.logic.unconditionalUpdate && !change.repeatable)
      throw statusErrors.invalid(resource, target.name, [
        fieldError.invalid('metadata.resourceVersion', 0, 'must be specified for an update'),
      ]);
  } else if (wanted === '0' && resource.logic.unconditionalUpdate) {
    // Kubernetes reads "0" as unset.
  } else if (!/^[0-9]+$/.test(wanted)) {
    throw statusErrors.invalid(resource, target.name, [
      fieldError.invalid(
        'metadata.resourceVersion',
        wanted,
        `strconv.ParseUint: parsing ${JSON.stringify(wanted)}: invalid syntax`,
      ),
    ]);
  } else if (wanted !== old.metadata.resourceVersion) throw statusErrors.modified(resource, target.name);
  draft['metadata'].resourceVersion = old.metadata.resourceVersion;
}

function checkUid(target: Target, draft: Draft, old: UnstructuredObject): void {
  if (draft['metadata'].uid !== old.metadata.uid)
    throw statusErrors.conflict(
      target.resource,
      target.name,
      `StorageError: invalid object, Code: 4, Key: ${keyOfTarget(target)}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${draft['metadata'].uid}, UID in object meta: ${old.metadata.uid}`,
    );
}

/** /status takes only status (and managedFields); the rest is what is stored. */
function statusDraft(resource: Resource, draft: Draft, old: UnstructuredObject): Draft {
  const next = draftOf(old);
  if (draft['status'] === undefined) delete next['status'];
  else next['status'] = draft['status'];
  for (const field of resource.logic.statusTakes ?? []) takeMetadata(field, next, draft);
  if (draft['metadata'].managedFields !== undefined) next['metadata'].managedFields = draft['metadata'].managedFields;
  return next;
}

function takeMetadata(field: 'labels' | 'annotations', next: Draft, draft: Draft): void {
  const given = draft['metadata'][field];
  if (given === undefined) delete next['metadata'][field];
  else next['metadata'][field] = given;
}

function keepStatus(draft: Draft, old: UnstructuredObject): void {
  if (old['status'] === undefined) delete draft['status'];
  else draft['status'] = old['status'];
}
