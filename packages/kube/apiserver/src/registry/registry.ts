import type { Clock, UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import { statusErrors } from '@hypershift-ts/kube-apimachinery';
import type { Entry, Store } from '@hypershift-ts/kube-store';
import type { AdmissionChain } from '../admission/admission.ts';
import type { Catalogue } from '../resource/catalogue.ts';
import type { Resource } from '../resource/resource.ts';
import { decodeStored } from '../storage/codec.ts';
import { storageKey } from '../storage/keys.ts';

/** What the verbs need of the server they run in. */
export interface Registry {
  readonly store: Store;
  readonly catalogue: Catalogue;
  readonly admission: AdmissionChain;
  readonly clock: Clock;
  /** A fresh RFC 4122 uid. */
  readonly newUid: () => string;
  /** In [0, 1); for generated names. */
  readonly random: () => number;
  /** Effects that belong to a kind and need more than its object (cluster IPs, CRD acceptance). */
  readonly hooks: ReadonlyMap<string, ResourceHooks>;
  /** Seconds an Event is kept. */
  readonly eventTtlSeconds: number;
}

/** Work around a write of one resource, keyed by `resource.group`. */
export interface ResourceHooks {
  /** After admission and preparation, before validation; may edit the draft. Returns an undo for a failed or dry-run commit. */
  readonly beforeCreate?: (draft: Record<string, unknown>) => Undo | Promise<Undo>;
  readonly beforeUpdate?: (draft: Record<string, unknown>, old: UnstructuredObject) => Undo | Promise<Undo>;
  readonly afterUpdate?: (object: UnstructuredObject, old: UnstructuredObject) => void;
  readonly afterDelete?: (object: UnstructuredObject) => void;
}

export type Undo = (() => void) | undefined;

/** What a request points at. */
export interface Target {
  readonly resource: Resource;
  /** Empty for cluster-scoped resources and requests over all namespaces. */
  readonly namespace: string;
  readonly name: string;
  readonly subresource: string;
}

/** Query options of a write. */
export interface WriteOptions {
  readonly dryRun: boolean;
  readonly fieldManager: string;
  readonly fieldValidation: 'Strict' | 'Warn' | 'Ignore';
  /** Server-side apply only. */
  readonly force: boolean;
}

/** An object as it is answered: decoded when needed, or sent as the stored text. */
export interface Stored {
  readonly resource: Resource;
  /** Absent when nothing was committed (dry run). */
  readonly entry?: Entry;
  /** In the served version, frozen. */
  readonly object: UnstructuredObject;
}

export function keyOfTarget({ resource, namespace, name }: Pick<Target, 'resource' | 'namespace' | 'name'>): string {
  return storageKey(resource.storage.prefix, resource.namespaced ? namespace : undefined, name);
}

/** Objects of entries in the version the resource is served in. */
export async function servedObjects(resource: Resource, entries: readonly Entry[]): Promise<UnstructuredObject[]> {
  const stored = entries.map(decodeStored);
  const convert = resource.storage.fromStorage;
  return convert ? await convert(stored) : stored;
}

/** The same for one; at once when stored and served versions are the same. */
export function servedObject(resource: Resource, entry: Entry): UnstructuredObject | Promise<UnstructuredObject> {
  const convert = resource.storage.fromStorage;
  return convert ? Promise.resolve(convert([decodeStored(entry)])).then(([object]) => object!) : decodeStored(entry);
}

/** The current version of an object; 404 when there is none. */
export async function getStored(registry: Registry, target: Target): Promise<Stored> {
  const { entry } = await registry.store.get(keyOfTarget(target));
  if (!entry) throw statusErrors.notFound(target.resource, target.name);
  return { resource: target.resource, entry, object: await servedObject(target.resource, entry) };
}

export function hooksOf(registry: Registry, resource: Resource): ResourceHooks | undefined {
  return registry.hooks.get(resource.group === '' ? resource.resource : `${resource.resource}.${resource.group}`);
}
