import type { Readable } from 'node:stream';

export interface WireRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body?: string | Uint8Array;
  readonly signal?: AbortSignal;
}

export interface WireResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Must be read to the end or destroyed. */
  readonly body: Readable;
}

/** One way of carrying requests to one server. */
export interface Wire {
  send(request: WireRequest): Promise<WireResponse>;
  /** True when it will carry nothing any more and must be dialled anew. */
  readonly closed: boolean;
  /** Lets what is under way end and carries nothing new. */
  retire(): void;
  /** Ends everything at once. */
  close(): Promise<void>;
}

/** The request got no answer. */
export class WireError extends Error {
  override readonly name = 'WireError';
  /** True when the server cannot have acted on the request, so that even a write may be repeated. */
  readonly unprocessed: boolean;

  constructor(message: string, options: { readonly cause?: unknown; readonly unprocessed?: boolean } = {}) {
    super(message, { cause: options.cause });
    this.unprocessed = options.unprocessed ?? false;
  }
}

/** Throws what the signal was aborted with. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw signal.reason;
}

/** The promise, or what the signal was aborted with if that comes first. The work itself goes on for others. */
export function orAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) return stop();
    signal.addEventListener('abort', stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
