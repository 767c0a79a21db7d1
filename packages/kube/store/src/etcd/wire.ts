import type { Entry, StoreEvent } from '../store.ts';

/** Messages of etcd as the codecs hand them out: every field present, numbers as numbers, names as on the wire. */

interface Header {
  readonly revision: number;
}

export interface KeyValue {
  readonly key: Buffer;
  readonly create_revision: number;
  readonly mod_revision: number;
  readonly value: Buffer;
}

export interface RangeResponse {
  readonly header: Header;
  readonly kvs: readonly KeyValue[];
  readonly more: boolean;
  readonly count: number;
}

export interface TxnResponse {
  readonly header: Header;
  readonly succeeded: boolean;
  readonly responses: readonly {
    readonly response_range?: RangeResponse | null;
    readonly response_put?: { readonly prev_kv: KeyValue | null } | null;
    readonly response_delete_range?: { readonly prev_kvs: readonly KeyValue[] } | null;
  }[];
}

export interface WatchResponse {
  readonly header: Header;
  readonly created: boolean;
  readonly canceled: boolean;
  readonly compact_revision: number;
  readonly cancel_reason: string;
  readonly fragment: boolean;
  readonly events: readonly WireEvent[];
}

export interface WireEvent {
  readonly type: 'PUT' | 'DELETE';
  readonly kv: KeyValue;
  readonly prev_kv: KeyValue | null;
}

export interface StatusResponse {
  readonly version: string;
  readonly dbSize: number;
  readonly dbSizeInUse: number;
  readonly leader: number;
  readonly errors: readonly string[];
}

/** Bytes of a key; etcd knows no empty key, and nothing sorts before a zero byte. */
export function keyBytes(key: string): Buffer {
  return Buffer.from(key === '' ? '\0' : key);
}

export function entryOf(kv: KeyValue, memo?: unknown): Entry {
  return {
    key: kv.key.toString(),
    value: kv.value.toString(),
    modRevision: kv.mod_revision,
    createRevision: kv.create_revision,
    memo,
  };
}

export function eventOf({ type, kv, prev_kv }: WireEvent): StoreEvent {
  const before = prev_kv ? { previous: entryOf(prev_kv) } : {};
  const revision = kv.mod_revision;
  if (type === 'DELETE') return { type: 'delete', revision, key: kv.key.toString(), ...before };
  return { type: 'put', revision, entry: entryOf(kv), ...before };
}
