import { type CloudEvent, EventFormatError } from '@hypershift-ts/fleet-cloud-events';
import { formatEventType, workDataType } from './event-type.ts';
import type { HeldHashes, HeldVersions } from './payloads.ts';

/** Hashes are asked for in batches, so that a question of a large fleet fits a broker's packet. */
export const hashesPerRequest = 1000;

export interface ResyncRequest {
  readonly subresource: 'spec' | 'status';
  readonly source: string;
  /** Empty: all consumers. */
  readonly consumer: string;
  /** Empty: all sources. */
  readonly originalSource?: string;
  readonly data: HeldVersions | HeldHashes;
}

export function encodeResync(request: ResyncRequest, id: string, time: string): CloudEvent {
  return {
    id,
    source: request.source,
    type: formatEventType({ dataType: workDataType, subresource: request.subresource, action: 'resync_request' }),
    time,
    datacontenttype: 'application/json',
    extensions: { clustername: request.consumer, originalsource: request.originalSource ?? '' },
    data: request.data,
  };
}

/** What the other side holds, by id. */
export function heldVersions({ data }: CloudEvent): ReadonlyMap<string, number> {
  return new Map(
    listIn(data, 'resourceVersions').map((item) => {
      const { resourceID, resourceVersion } = item as Partial<HeldVersions['resourceVersions'][number]>;
      if (typeof resourceID !== 'string' || !Number.isInteger(resourceVersion))
        throw new EventFormatError('an item of resourceVersions has no resourceID or resourceVersion');
      return [resourceID, resourceVersion as number];
    }),
  );
}

export function heldHashes({ data }: CloudEvent): ReadonlyMap<string, string> {
  return new Map(
    listIn(data, 'statusHashes').map((item) => {
      const { resourceID, statusHash } = item as Partial<HeldHashes['statusHashes'][number]>;
      if (typeof resourceID !== 'string' || typeof statusHash !== 'string')
        throw new EventFormatError('an item of statusHashes has no resourceID or statusHash');
      return [resourceID, statusHash];
    }),
  );
}

function listIn(data: unknown, field: string): readonly object[] {
  const list = (data as Readonly<Record<string, unknown>> | null | undefined)?.[field] ?? [];
  if (!Array.isArray(list) || list.some((item) => typeof item !== 'object' || item === null))
    throw new EventFormatError(`${field} of the request is no list of objects`);
  return list;
}

/** What a server has of one work. */
export interface StoredWork {
  readonly id: string;
  readonly version: number;
  readonly isDeleting: boolean;
}

/** What a server answers to an agent that says what it holds. */
export interface SpecAnswer {
  readonly send: readonly string[];
  /** What the agent holds and the server never knew, or no more: it is to go, at the version that the agent has. */
  readonly forget: readonly { readonly id: string; readonly version: number }[];
}

export function answerSpecResync(stored: Iterable<StoredWork>, held: ReadonlyMap<string, number>): SpecAnswer {
  const send: string[] = [];
  const unknown = new Map(held);
  for (const { id, version, isDeleting } of stored) {
    unknown.delete(id);
    if (isDeleting || version === 0 || version > (held.get(id) ?? -1)) send.push(id);
  }
  return { send, forget: [...unknown].map(([id, version]) => ({ id, version })) };
}

/** The works whose status the asking side lacks: all when it says nothing, otherwise those it knows with another hash. */
export function answerStatusResync(
  known: Iterable<{ readonly id: string; readonly statusHash: string }>,
  held: ReadonlyMap<string, string>,
): readonly string[] {
  const wanted: string[] = [];
  for (const { id, statusHash } of known) {
    const theirs = held.get(id);
    if (held.size === 0 || (theirs !== undefined && theirs !== statusHash)) wanted.push(id);
  }
  return wanted;
}
