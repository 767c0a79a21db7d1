import {
  deepFreeze,
  type FieldError,
  fieldError,
  formatTime,
  jsonEqual,
  nameIsDNS1035Label,
  nameIsDNSLabel,
  nameIsDNSSubdomain,
  nameIsPathSegment,
  statusErrors,
  type UnstructuredObject,
  validateObjectMeta,
} from '@hypershift-ts/kube-apimachinery';
import type { Put } from '@hypershift-ts/kube-store';
import type { Draft, WriteScope } from '../kinds/behaviour.ts';
import type { RequestContext } from '../request/context.ts';
import type { Resource, Verdict } from '../resource/resource.ts';
import { encodeStored, Uncommitted } from '../storage/codec.ts';
import { keyOfTarget, type Registry, type Stored, servedObject, type Target, type WriteOptions } from './registry.ts';

/** Steps that create and update share. */

export function scopeOf(context: RequestContext, target: Target, options: WriteOptions): WriteScope {
  return {
    now: context.now,
    user: context.user,
    dryRun: options.dryRun,
    ...(target.namespace === '' ? {} : { namespace: target.namespace }),
  };
}

/** Who owns the fields of this write when the request does not say. */
export function managerOf(options: WriteOptions, context: RequestContext): string {
  if (options.fieldManager !== '') return options.fieldManager;
  const { userAgent } = context;
  const slash = userAgent.indexOf('/');
  const product = (slash < 0 ? userAgent : userAgent.slice(0, slash)).trim();
  return product === '' ? 'unknown' : product.slice(0, 128);
}

/** Throws 422 with every error, or passes the warnings on. */
export function settle(resource: Resource, name: string, verdict: Verdict, context: RequestContext): void {
  for (const warning of verdict.warnings) context.warn(warning);
  if (verdict.errors.length > 0) throw statusErrors.invalid(resource, name, verdict.errors);
}

const nameRules = {
  subdomain: nameIsDNSSubdomain,
  label: nameIsDNSLabel,
  dns1035: nameIsDNS1035Label,
  path: nameIsPathSegment,
  none: () => [],
};

export function validateMetadataForCreate(resource: Resource, object: UnstructuredObject): FieldError[] {
  const { namespaced, logic } = resource;
  const errors = validateObjectMeta(object.metadata, { namespaced, name: nameRules[logic.nameRule] });
  if (object.metadata.finalizers) errors.push(...validateFinalizerNames(resource, object));
  return errors;
}

const standardFinalizers = new Set(['kubernetes', 'orphan', 'foregroundDeletion']);
/** Their validation does not stand on that of the core group. */
const otherGroups = new Set(['admissionregistration.k8s.io', 'apiextensions.k8s.io', 'apiregistration.k8s.io']);

/** Finalizers of built-in kinds are standard ones or carry a domain. */
export function validateFinalizerNames(resource: Resource, { metadata }: UnstructuredObject): Verdict['errors'] {
  if (resource.custom || otherGroups.has(resource.group)) return [];
  return (metadata.finalizers ?? []).flatMap((name, index) =>
    name.includes('/') || standardFinalizers.has(name)
      ? []
      : [
          fieldError.invalid(
            `metadata.finalizers[${index}]`,
            name,
            'name is neither a standard finalizer name nor is it fully qualified',
          ),
        ],
  );
}

/** Fills in what the server alone decides about a new object. */
export function stampNewObject(registry: Registry, draft: Draft, context: RequestContext): void {
  const metadata = draft['metadata'];
  metadata.uid = registry.newUid();
  metadata.creationTimestamp = formatTime(context.now);
}

/** What an update may not touch is taken from the stored object. */
export function carryOverMetadata(draft: Draft, old: UnstructuredObject): void {
  const metadata = draft['metadata'];
  const stored = old.metadata;
  metadata.creationTimestamp = stored.creationTimestamp;
  if (metadata.uid === undefined || metadata.uid === '') metadata.uid = stored.uid;
  for (const field of ['deletionTimestamp', 'deletionGracePeriodSeconds', 'generation'] as const) {
    if (stored[field] === undefined) delete metadata[field];
    else metadata[field] = stored[field];
  }
  delete metadata.selfLink;
}

/** True when something that generation counts has changed. */
export function specChanged(resource: Resource, next: Draft, old: UnstructuredObject): boolean {
  const ignoreStatus = resource.logic.hasStatus;
  for (const key of new Set([...Object.keys(next), ...Object.keys(old)])) {
    if (key === 'metadata' || key === 'apiVersion' || key === 'kind' || (ignoreStatus && key === 'status')) continue;
    if (!jsonEqual(next[key], old[key])) return true;
  }
  return false;
}

/** Equal apart from resourceVersion and the bookkeeping of managedFields times. */
export function isNoOp(next: Draft, old: UnstructuredObject): boolean {
  const { metadata: nextMetadata, ...nextRest } = next;
  const { metadata: oldMetadata, ...oldRest } = old;
  if (!jsonEqual(nextRest, oldRest)) return false;
  return jsonEqual({ ...nextMetadata, resourceVersion: undefined }, { ...oldMetadata, resourceVersion: undefined });
}

/** Commits an object in its served version: only when the key is at `expect` (0: absent). */
export async function commitObject(
  registry: Registry,
  target: Target,
  draft: Draft,
  expect: number,
): Promise<{ readonly ok: true; readonly stored: Stored } | { readonly ok: false }> {
  const { resource, namespace } = target;
  const convert = resource.storage.toStorage;
  const served = draft as unknown as UnstructuredObject;
  const object = convert ? (await convert([served]))[0]! : served;
  const put: Put = {
    op: 'put',
    key: keyOfTarget({ resource, namespace, name: object.metadata.name ?? '' }),
    value: encodeStored(object),
    expect,
    memo: new Uncommitted(object),
  };
  const result = await registry.store.commit(
    isEvent(resource) ? { ...put, ttlSeconds: registry.eventTtlSeconds } : put,
  );
  if (!result.ok) return { ok: false };
  const entry = result.entry!;
  const answer = servedObject(resource, entry);
  return { ok: true, stored: { resource, entry, object: answer instanceof Promise ? await answer : answer } };
}

function isEvent(resource: Resource): boolean {
  return resource.kind === 'Event' && (resource.group === '' || resource.group === 'events.k8s.io');
}

/** The answer to a dry run: what would have been stored. */
export function asIfStored(resource: Resource, draft: Draft): Stored {
  return { resource, object: deepFreeze(draft) as unknown as UnstructuredObject };
}
