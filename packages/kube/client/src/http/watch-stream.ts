import type { Readable } from 'node:stream';
import type { Clock, KubeObject } from '@hypershift-ts/kube-apimachinery';
import { deepFreeze, StatusError } from '@hypershift-ts/kube-apimachinery';
import type { WatchEvent } from '../client.ts';
import { LineSplitter } from './line-splitter.ts';
import { wasCut } from './response-body.ts';

export interface WatchLimits {
  readonly clock: Clock;
  readonly maxEventBytes: number;
  /** A server that does not end the watch by then has gone away unnoticed. */
  readonly overtimeMs: number | undefined;
}

const eventTypes = new Set(['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK']);

/** The events of a watch response, one JSON document a line. Ends quietly only when the server ended it properly. */
export async function* watchEvents<T extends KubeObject>(
  body: Readable,
  what: string,
  limits: WatchLimits,
  signal: AbortSignal | undefined,
): AsyncGenerator<WatchEvent<T>> {
  const lost = (why: string, cause?: unknown) =>
    new StatusError(503, 'ServiceUnavailable', `${what}: ${why}`, undefined, { cause });
  const stop = () => void body.destroy();
  signal?.addEventListener('abort', stop, { once: true });
  const cancel = limits.overtimeMs === undefined ? undefined : limits.clock.after(limits.overtimeMs, stop);
  const lines = new LineSplitter(limits.maxEventBytes);
  try {
    for await (const chunk of body) {
      for (const line of lines.push(chunk as Buffer)) {
        yield parseEvent<T>(line, what);
        if (signal?.aborted) return;
      }
    }
  } catch (error) {
    if (signal?.aborted) return;
    throw error instanceof StatusError ? error : lost(error instanceof Error ? error.message : 'broken', error);
  } finally {
    signal?.removeEventListener('abort', stop);
    cancel?.();
    body.destroy();
  }
  if (signal?.aborted) return;
  if (lines.unfinished > 0 || wasCut(body)) throw lost('the connection was lost');
}

function parseEvent<T extends KubeObject>(line: string, what: string): WatchEvent<T> {
  let event: { type?: unknown; object?: unknown };
  try {
    event = JSON.parse(line);
  } catch (error) {
    throw new StatusError(500, 'InternalError', `${what}: an event could not be decoded`, undefined, { cause: error });
  }
  if (typeof event.object === 'object' && event.object !== null) {
    if (event.type === 'ERROR') throw StatusError.fromStatus(event.object);
    const { metadata } = event.object as { metadata?: unknown };
    if (eventTypes.has(event.type as string) && typeof metadata === 'object' && metadata !== null) {
      return deepFreeze(event as WatchEvent<T>);
    }
  }
  throw new StatusError(500, 'InternalError', `${what}: an event of an unknown form arrived`);
}
