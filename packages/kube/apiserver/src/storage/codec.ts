import { deepFreeze, type UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import type { Entry } from '@hypershift-ts/kube-store';

/**
 * Objects are stored as JSON text without resourceVersion, which is the entry's revision. The text begins with
 * apiVersion, kind and metadata, so that the resourceVersion can be spliced in without parsing: most reads
 * never look inside.
 */

const metadataStart = '"metadata":{';

export function encodeStored(object: UnstructuredObject): string {
  const { apiVersion, kind, metadata, ...rest } = object;
  const { resourceVersion: _, ...storedMetadata } = metadata;
  return JSON.stringify({ apiVersion, kind, metadata: storedMetadata, ...rest });
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
      ? {
          ...memo.object,
          metadata: { ...memo.object.metadata, resourceVersion: String(entry.modRevision) },
        }
      : (JSON.parse(wireText(entry)) as UnstructuredObject),
  );
  entry.memo = new WeakRef(object);
  return object;
}
