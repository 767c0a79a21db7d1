import { status as code, type ServiceError } from '@grpc/grpc-js';
import { type Clock, systemClock } from '@hypershift-ts/kube-apimachinery';
import { refused } from '../resident-store.ts';
import {
  CompactedError,
  type CommitResult,
  type Delete,
  type Entry,
  FutureRevisionError,
  type Put,
  type RangeOptions,
  type RangeResult,
  type Store,
  StoreUnavailableError,
  type WatchHandle,
  type WatchOptions,
} from '../store.ts';
import { EtcdConnection, type EtcdTls } from './connection.ts';
import { EventFeed } from './event-feed.ts';
import { LeasePool } from './lease-pool.ts';
import { entryOf, keyBytes, type RangeResponse, type StatusResponse, type TxnResponse } from './wire.ts';

export interface EtcdStoreOptions {
  readonly endpoints: readonly string[];
  readonly tls?: EtcdTls;
  readonly clock?: Clock;
  readonly timeoutMs?: number;
}

/** What one server says about itself; `error` when it does not answer. */
export interface EtcdEndpointStatus {
  readonly endpoint: string;
  readonly version?: string;
  readonly hasLeader: boolean;
  readonly bytes?: number;
  readonly error?: string;
}

/** A store kept by a real etcd v3. */
export interface EtcdStore extends Store {
  status(): Promise<EtcdEndpointStatus[]>;
}

/** Keys fetched by one request: large lists come in several, so that no answer is a gigabyte. */
const pageSize = 5_000;

/** Connects to an etcd cluster. Does not wait for it: the first use tells when it is not there. */
export function createEtcdStore(options: EtcdStoreOptions): EtcdStore {
  return new RemoteStore(options.clock ?? systemClock, options);
}

class RemoteStore implements EtcdStore {
  readonly #connection: EtcdConnection;
  readonly #clock: Clock;
  readonly #feed: EventFeed;
  readonly #leases: LeasePool;
  #closed = false;
  #knownCompacted = 1;
  #size = { bytes: 0, atMs: Number.NEGATIVE_INFINITY };

  constructor(clock: Clock, { endpoints, tls, timeoutMs = 10_000 }: EtcdStoreOptions) {
    this.#clock = clock;
    this.#connection = new EtcdConnection({ endpoints, clock, timeoutMs, ...(tls ? { tls } : {}) });
    this.#leases = new LeasePool(this.#connection, clock);
    const currentRevision = () => this.currentRevision();
    this.#feed = new EventFeed({ connection: this.#connection, clock, currentRevision });
  }

  async currentRevision(): Promise<number> {
    const { header } = await this.#read({ key: keyBytes(''), count_only: true });
    return header.revision;
  }

  async get(key: string, revision = 0): Promise<{ readonly entry?: Entry; readonly revision: number }> {
    const { header, kvs } = await this.#read({ key: keyBytes(key), revision });
    return kvs[0] ? { entry: entryOf(kvs[0]), revision: header.revision } : { revision: header.revision };
  }

  async range({ start, end, limit = 0, revision = 0 }: RangeOptions): Promise<RangeResult> {
    const entries: Entry[] = [];
    let key = keyBytes(start);
    let first: RangeResponse | undefined;
    for (;;) {
      const most = limit > 0 ? Math.min(pageSize, limit - entries.length) : pageSize;
      const at = revision > 0 ? revision : (first?.header.revision ?? 0);
      const page = await this.#read({ key, range_end: Buffer.from(end), limit: most, revision: at });
      first ??= page;
      for (const kv of page.kvs) entries.push(entryOf(kv));
      const last = page.kvs.at(-1);
      if (!page.more || !last || (limit > 0 && entries.length >= limit)) break;
      key = Buffer.concat([last.key, Buffer.from([0])]);
    }
    return { entries, count: first.count, revision: first.header.revision };
  }

  async commit(operation: Put | Delete): Promise<CommitResult> {
    this.#requireOpen();
    const key = keyBytes(operation.key);
    if (operation.op === 'delete' && operation.expect === 0) {
      // Only when absent there is nothing to delete: refused either way.
      const { entry, revision } = await this.get(operation.key);
      return refused(revision, entry);
    }
    const compare = comparison(operation);
    const request = {
      compare: compare ? [{ key, target: 'MOD', target_union: 'mod_revision', ...compare }] : [],
      success: [await this.#change(operation, key)],
      failure: [{ request: 'request_range', request_range: { key } }],
    };
    const { header, succeeded, responses } = await this.#translated(() =>
      this.#connection.write<TxnResponse>('KV', 'Txn', request),
    );
    const { revision } = header;
    const [response] = responses;
    if (!succeeded) {
      const kv = response?.response_range?.kvs[0];
      return refused(revision, kv && entryOf(kv));
    }
    const kv = response?.response_put?.prev_kv ?? response?.response_delete_range?.prev_kvs[0];
    const previous = kv && entryOf(kv);
    const before = previous ? { previous } : {};
    if (operation.op === 'delete') return { ok: true, revision, ...before };
    const { value, memo } = operation;
    const createRevision = previous?.createRevision ?? revision;
    const entry = this.#feed.share({ key: operation.key, value, modRevision: revision, createRevision, memo });
    return { ok: true, revision, entry, ...before };
  }

  watch(options: WatchOptions): WatchHandle {
    this.#requireOpen();
    return this.#feed.watch(options);
  }

  async compact(revision: number): Promise<void> {
    try {
      await this.#translated(() => this.#connection.write('KV', 'Compact', { revision }));
    } catch (error) {
      if (error instanceof CompactedError) return;
      throw error;
    }
    this.#knownCompacted = Math.max(this.#knownCompacted, revision);
    this.#feed.compacted(revision);
  }

  /** etcd has no question for it, so the oldest readable revision is searched, from the last one known. */
  async compactedRevision(): Promise<number> {
    let low = this.#knownCompacted;
    let high = await this.currentRevision();
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (await this.#isReadable(middle)) high = middle;
      else low = middle + 1;
    }
    this.#knownCompacted = low;
    return low;
  }

  async snapshot(): Promise<Uint8Array> {
    this.#requireOpen();
    return this.#translated(async () => {
      const chunks: Buffer[] = [];
      for await (const message of await this.#connection.download()) chunks.push((message as { blob: Buffer }).blob);
      return Buffer.concat(chunks);
    });
  }

  /** The size of the server's database when last asked; asked again in the background twice a minute at most. */
  size(): number {
    if (!this.#closed && this.#clock.now() - this.#size.atMs > 30_000) {
      this.#size = { ...this.#size, atMs: this.#clock.now() };
      void this.#refreshSize();
    }
    return this.#size.bytes;
  }

  status(): Promise<EtcdEndpointStatus[]> {
    const ask = async (endpoint: string): Promise<EtcdEndpointStatus> => {
      try {
        const found = await this.#connection.ask<StatusResponse>(endpoint, 'Maintenance', 'Status');
        const trouble = found.errors.length > 0 ? { error: found.errors.join('; ') } : {};
        return { endpoint, version: found.version, hasLeader: found.leader !== 0, bytes: found.dbSize, ...trouble };
      } catch (error) {
        return { endpoint, hasLeader: false, error: (error as Error).message };
      }
    };
    return Promise.all(this.#connection.urls.map(ask));
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#feed.close(new StoreUnavailableError('the store was closed'));
    this.#connection.close();
  }

  async #refreshSize(): Promise<void> {
    try {
      const { dbSize, dbSizeInUse } = await this.#connection.read<StatusResponse>('Maintenance', 'Status', {});
      this.#size = { ...this.#size, bytes: dbSizeInUse || dbSize };
    } catch {
      // A metric keeps its last value; requests tell the trouble.
    }
  }

  async #change(operation: Put | Delete, key: Buffer): Promise<object> {
    if (operation.op === 'delete') {
      return { request: 'request_delete_range', request_delete_range: { key, prev_kv: true } };
    }
    const { value, ttlSeconds } = operation;
    const lease = ttlSeconds === undefined ? 0 : await this.#translated(() => this.#leases.leaseFor(ttlSeconds));
    return { request: 'request_put', request_put: { key, value: Buffer.from(value), lease, prev_kv: true } };
  }

  async #isReadable(revision: number): Promise<boolean> {
    try {
      await this.#connection.read('KV', 'Range', { key: keyBytes(''), count_only: true, revision });
      return true;
    } catch (error) {
      if ((error as Partial<ServiceError>).details?.includes('compacted')) return false;
      throw error;
    }
  }

  #read(request: object): Promise<RangeResponse> {
    return this.#translated(() => this.#connection.read<RangeResponse>('KV', 'Range', request));
  }

  /** etcd's refusals in the store's own words. */
  async #translated<T>(call: () => Promise<T>): Promise<T> {
    this.#requireOpen();
    try {
      return await call();
    } catch (error) {
      const { code: found, details = '' } = error as Partial<ServiceError>;
      if (found === undefined) throw error;
      if (found === code.OUT_OF_RANGE && details.includes('compacted')) {
        throw new CompactedError(await this.compactedRevision());
      }
      if (found === code.OUT_OF_RANGE && details.includes('future revision')) {
        throw new FutureRevisionError(await this.currentRevision());
      }
      throw new StoreUnavailableError(`etcd refused: ${details}`, { cause: error });
    }
  }

  #requireOpen(): void {
    if (this.#closed) throw new StoreUnavailableError('the store was closed');
  }
}

function comparison({ op, expect }: Put | Delete): { result: string; mod_revision: number } | undefined {
  if (expect !== undefined) return { result: 'EQUAL', mod_revision: expect };
  return op === 'delete' ? { result: 'NOT_EQUAL', mod_revision: 0 } : undefined;
}
