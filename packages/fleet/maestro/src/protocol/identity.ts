import { createHash } from 'node:crypto';

/** The namespace of object identifiers of RFC 4122, as bytes. */
const oidNamespace = Buffer.from('6ba7b8129dad11d180b400c04fd430c8', 'hex');

/**
 * The id of a work: row id at the server, `resourceid` of its events and uid of the ManifestWork. The same source, consumer
 * and name always have the same one.
 */
export function workId(sourceId: string, consumer: string, name: string): string {
  return uuidOf(`${sourceId}-manifestworks.work.open-cluster-management.io-${consumer}-${name}`);
}

/** A UUID of version 5. */
function uuidOf(name: string): string {
  const digest = createHash('sha1').update(oidNamespace).update(name).digest().subarray(0, 16);
  digest.writeUInt8((digest.readUInt8(6) & 0x0f) | 0x50, 6);
  digest.writeUInt8((digest.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = digest.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** What an agent calls the hub at this address; part of the names of its AppliedManifestWorks. */
export function hubHash(address: string): string {
  return createHash('sha256').update(address).digest('hex');
}

/** The name of the object on the cluster that owns everything a work applied. */
export function appliedWorkName(hub: string, id: string): string {
  return `${hub}-${id}`;
}
