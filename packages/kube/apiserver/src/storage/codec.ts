import { deepFreeze, type Mutable, type ObjectMeta, type UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import type { Entry } from '@hypershift-ts/kube-store';

/**
 * Objects are stored as JSON text without resourceVersion, which is the entry's revision. The text begins with
 * apiVersion, kind and metadata, so that the resourceVersion can be spliced in without parsing: most reads
 * never look inside.
 */

const metadataStart = '"metadata":{';

export function encodeStored(object: UnstructuredObject): string {
  // Written out, because a rest pattern costs more than the copy it makes.
  const { apiVersion, kind, metadata } = object;
  const stored: Record<string, unknown> = { apiVersion, kind, metadata: withoutVersion(metadata) };
  for (const field in object)
    if (field !== 'apiVersion' && field !== 'kind' && field !== 'metadata') stored[field] = object[field];
  return JSON.stringify(stored);
}

function withoutVersion(metadata: ObjectMeta): object {
  return metadata.resourceVersion === undefined ? metadata : { ...metadata, resourceVersion: undefined };
}

/** The object as JSON text for the wire, in its stored version; a deleted one carries the revision of its deletion. */
export function wireText(entry: Entry, revision = entry.modRevision): string {
  const text = entry.value;
  const at = text.indexOf(metadataStart) + metadataStart.length;
  const comma = text.charCodeAt(at) === 0x7d /* } */ ? '' : ',';
  return `${text.slice(0, at)}"resourceVersion":"${revision}"${comma}${text.slice(at)}`;
}

/**
 * An object on its way into the store, carried as the entry's memo: whoever reads the entry first (often a
 * watcher, before the writer itself) adds the resourceVersion instead of parsing the text.
 */
export class Uncommitted {
  readonly object: UnstructuredObject;

  constructor(object: UnstructuredObject) {
    this.object = object;
  }
}

/** The frozen object of an entry; decoded once while anybody still holds it. */
export function decodeStored(entry: Entry): UnstructuredObject {
  const memo = entry.memo;
  const known = memo instanceof WeakRef ? (memo.deref() as UnstructuredObject | undefined) : undefined;
  if (known !== undefined) return known;
  const object = deepFreeze(
    memo instanceof Uncommitted
      ? committed(memo.object, String(entry.modRevision))
      : (JSON.parse(wireText(entry)) as UnstructuredObject),
  );
  entry.memo = new WeakRef(object);
  return object;
}

/** The writer has let go of its draft, so it becomes the object itself. */
function committed(object: UnstructuredObject, resourceVersion: string): UnstructuredObject {
  if (Object.isFrozen(object) || Object.isFrozen(object.metadata))
    return { ...object, metadata: { ...object.metadata, resourceVersion } };
  (object.metadata as Mutable<ObjectMeta>).resourceVersion = resourceVersion;
  return object;
}
