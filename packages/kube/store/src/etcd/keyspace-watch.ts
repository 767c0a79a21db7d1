import { type Clock, delay } from '@hypershift-ts/kube-apimachinery';
import { CompactedError, type StoreEvent } from '../store.ts';
import type { EtcdConnection } from './connection.ts';
import { eventOf, type WatchResponse, type WireEvent } from './wire.ts';

export interface KeyspaceWatchOptions {
  readonly connection: EtcdConnection;
  readonly clock: Clock;
  readonly afterRevision: number;
  /** Whole revisions in order. */
  onEvents(events: readonly StoreEvent[]): void;
  /** Only for what cannot be mended by connecting again: the revisions to continue from are compacted. */
  onCompacted(error: CompactedError): void;
}

const firstBackoffMs = 100;
const longestBackoffMs = 5_000;

/**
 * An etcd watch of all keys that never misses one: after any failure it connects again, to another server when there
 * is one, and continues after the last revision it has handed over.
 *
 * All keys, because every revision then shows up: how far the watch has come needs no progress notification, which
 * older servers send ahead of the events.
 */
export function watchKeyspace(options: KeyspaceWatchOptions): { close(): void } {
  const abort = new AbortController();
  void follow(options, abort.signal);
  return { close: () => abort.abort() };
}

async function follow(options: KeyspaceWatchOptions, signal: AbortSignal): Promise<void> {
  const { connection, clock } = options;
  let position = options.afterRevision;
  let backoffMs = firstBackoffMs;
  while (!signal.aborted && !connection.closed) {
    try {
      await stream(options, position, signal, (events) => {
        backoffMs = firstBackoffMs;
        position = (events.at(-1) as StoreEvent).revision;
        options.onEvents(events);
      });
    } catch (error) {
      if (signal.aborted || connection.closed) return;
      if (error instanceof CompactedError) {
        options.onCompacted(error);
        return;
      }
      await delay(clock, backoffMs, signal);
      backoffMs = Math.min(backoffMs * 2, longestBackoffMs);
    }
  }
}

/** One stream; rejects when it breaks, for whatever reason. */
async function stream(
  { connection }: KeyspaceWatchOptions,
  afterRevision: number,
  signal: AbortSignal,
  onEvents: (events: readonly StoreEvent[]) => void,
): Promise<never> {
  const { stream: call, failed } = await connection.watchStream();
  return new Promise((_, reject) => {
    let parts: WireEvent[] = [];
    const stop = (error: Error) => {
      signal.removeEventListener('abort', onAbort);
      call.removeAllListeners('data');
      call.cancel();
      reject(error);
    };
    const onAbort = () => stop(new Error('closed'));
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
    call.on('error', (error) => {
      failed();
      stop(error);
    });
    call.on('end', () => stop(new Error('the stream ended')));
    call.on('data', (message: unknown) => {
      const response = message as WatchResponse;
      if (response.canceled) {
        const { compact_revision: compacted, cancel_reason: reason } = response;
        stop(compacted > 0 ? new CompactedError(compacted) : new Error(`the server ended the watch: ${reason}`));
        return;
      }
      // A large response comes in parts, which may cut a revision in two.
      for (const event of response.events) parts.push(event);
      if (response.fragment || parts.length === 0) return;
      const events = parts.map(eventOf);
      parts = [];
      onEvents(events);
    });
    const create = { key: Buffer.from([0]), range_end: Buffer.from([0]), start_revision: afterRevision + 1 };
    call.write({ create_request: { ...create, prev_kv: true, fragment: true } });
  });
}
