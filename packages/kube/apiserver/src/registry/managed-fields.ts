import {
  applyConfiguration,
  type ConvertVersion,
  type FieldSet,
  fieldSetOf,
  keepTimestamps,
  type ManagedFieldsEntry,
  trackUpdate,
  type UnstructuredObject,
} from '@hypershift-ts/kube-apimachinery';
import type { Draft } from '../kinds/behaviour.ts';
import type { Resource } from '../resource/resource.ts';
import { draftFrom } from './draft.ts';
import type { Target, WriteOptions } from './registry.ts';

const statusFields = fieldSetOf([['status']]);
const everythingButStatus = fieldSetOf([
  ['spec'],
  ['data'],
  ['metadata', 'labels'],
  ['metadata', 'annotations'],
  ['metadata', 'finalizers'],
  ['metadata', 'ownerReferences'],
]);
const noFields = fieldSetOf([]);

/** What the endpoint ignores, and nobody can therefore own through it. */
function resetFields(resource: Resource, subresource: string): FieldSet {
  if (subresource === 'status') return everythingButStatus;
  return resource.logic.hasStatus ? statusFields : noFields;
}

/** Records in the draft which fields this create, update or patch changed. */
export function trackFields(
  resource: Resource,
  old: UnstructuredObject | undefined,
  draft: Draft,
  manager: string,
  subresource: string,
  now: number,
): void {
  const entries = trackUpdate({
    live: old,
    updated: draft,
    schema: resource.logic.schema,
    manager,
    apiVersion: resource.apiVersion,
    subresource,
    now,
    resetFields: resetFields(resource, subresource),
    convert: versionOf(resource),
  });
  setEntries(draft, keepTimestamps(entries, old?.metadata.managedFields));
}

/** The object after server-side apply, with managedFields settled; 409 when others own what it wants to change. */
export function appliedConfiguration(
  target: Target,
  live: UnstructuredObject | undefined,
  config: Draft,
  options: WriteOptions,
  now: number,
): Draft {
  const { resource, subresource } = target;
  const { object } = applyConfiguration({
    live,
    config,
    schema: resource.logic.schema,
    manager: options.fieldManager,
    force: options.force,
    apiVersion: resource.apiVersion,
    kind: resource.kind,
    subresource,
    now,
    resetFields: resetFields(resource, subresource),
    convert: versionOf(resource),
  });
  return draftFrom(object, live, 'lent');
}

/** Fields recorded under another version are read with that version's schema where the names are the same. */
function versionOf(resource: Resource): ConvertVersion {
  return (object, apiVersion) => {
    if (apiVersion !== resource.apiVersion && !resource.custom) return undefined;
    return { object: { ...object, apiVersion }, schema: resource.logic.schema };
  };
}

function setEntries(draft: Draft, entries: readonly ManagedFieldsEntry[] | undefined): void {
  if (entries === undefined || entries.length === 0) delete draft['metadata'].managedFields;
  else draft['metadata'].managedFields = entries;
}
