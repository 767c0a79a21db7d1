import type { Clock } from '@hypershift-ts/kube-apimachinery';
import { delay, errorMessage, StatusError } from '@hypershift-ts/kube-apimachinery';
import type { Random } from '../back-off.ts';
import type { ClusterConfig } from './cluster-config.ts';
import type { Credentials } from './credentials.ts';
import { CredentialReader } from './credentials.ts';
import { dial } from './dial.ts';
import { errorFrom, readText } from './response-body.ts';
import type { RequestRate } from './token-bucket.ts';
import { TokenBucket } from './token-bucket.ts';
import type { Wire, WireResponse } from './wire.ts';
import { orAborted, throwIfAborted, WireError } from './wire.ts';

export interface RequesterOptions {
  readonly config: ClusterConfig;
  readonly clock: Clock;
  readonly random: Random;
  readonly userAgent: string;
  readonly protocol: 'auto' | 'h1';
  readonly connectTimeoutMs: number;
  /** For answers that end; watches and logs have no limit. */
  readonly requestTimeoutMs: number;
  readonly maxResponseBytes: number;
  /** Client-side limit; none without it, the server's own fairness then decides. */
  readonly rate?: RequestRate | undefined;
  /** Told about every answer and failure (code 0), for metrics. */
  readonly onRequest?: ((request: { method: string; code: number; host: string }) => void) | undefined;
}

export interface PlainRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | Uint8Array | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface PlainAnswer {
  readonly response: WireResponse;
  readonly text: string;
}

const maxRetries = 10;
const maxConnectionRetries = 3;
const longestRetryAfterMs = 30_000;

/** Sends requests with fresh credentials, time limits and the retries that cannot do harm. */
export class Requester {
  private readonly options: RequesterOptions;
  private readonly credentials: CredentialReader;
  private readonly prefix: string;
  private readonly host: string;
  private wire: { readonly tlsVersion: number; readonly ready: Promise<Wire> } | undefined;
  private closed = false;
  private readonly bucket: TokenBucket | undefined;

  constructor(options: RequesterOptions) {
    this.options = options;
    const url = new URL(options.config.server);
    this.host = url.host;
    this.prefix = url.pathname === '/' ? '' : url.pathname.replace(/\/+$/, '');
    this.credentials = new CredentialReader(options.config, options.clock);
    this.bucket = options.rate ? new TokenBucket(options.rate, options.clock) : undefined;
  }

  /** The whole answer; StatusError for 400 and above and for everything that goes wrong on the way. */
  request(request: PlainRequest): Promise<PlainAnswer> {
    return this.withTimeLimit(request, async (limited) => {
      const response = await this.answerOf(limited);
      const text = await readText(response, this.options.maxResponseBytes);
      return { response, text };
    });
  }

  /** An answer whose body goes on: watches, logs. StatusError for 400 and above. */
  async open(request: PlainRequest): Promise<WireResponse> {
    try {
      return await this.answerOf(request);
    } catch (error) {
      throw asStatusError(error, request);
    }
  }

  async close(): Promise<void> {
    this.closed = true;
    const wire = this.wire;
    this.wire = undefined;
    await wire?.ready.then(
      (open) => open.close(),
      () => {},
    );
  }

  /** Headers a hand-made connection (WebSocket) needs, with the TLS material. */
  async current(): Promise<{ credentials: Credentials; prefix: string }> {
    return { credentials: await this.credentials.get(), prefix: this.prefix };
  }

  /** Below 400, after retries. */
  private async answerOf(request: PlainRequest): Promise<WireResponse> {
    const { clock, random, maxResponseBytes } = this.options;
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    let lost = 0;
    let refused = false;
    for (let attempt = 0; ; attempt++) {
      const queued = this.bucket?.reserve() ?? 0;
      if (queued > 0) await delay(clock, queued, request.signal);
      let response: WireResponse;
      try {
        response = await this.send(request);
      } catch (error) {
        const again = error instanceof WireError && (isRead || error.unprocessed) && !isUnreachable(error);
        if (!again || ++lost > maxConnectionRetries) throw error;
        await delay(clock, 10 * 2 ** lost * (1 + random()), request.signal);
        continue;
      }
      if (response.status < 400) return response;
      const text = await readText(response, Math.min(maxResponseBytes, 1 << 20));
      if (response.status === 401 && !refused && this.credentials.refused()) {
        refused = true;
        continue;
      }
      const wait = attempt < maxRetries ? retryAfterMs(response, isRead) : undefined;
      if (wait === undefined) throw errorFrom(response, text, `${request.method} ${pathOnly(request.path)}`);
      await delay(clock, wait, request.signal);
      throwIfAborted(request.signal);
    }
  }

  private async send({ method, path, headers, body, signal }: PlainRequest): Promise<WireResponse> {
    throwIfAborted(signal);
    if (this.closed) throw new WireError('the client is closed');
    const pending = this.credentials.get();
    const credentials = pending instanceof Promise ? await orAborted(pending, signal) : pending;
    const wire = await this.wireFor(credentials, signal);
    let code = 0;
    try {
      const response = await wire.send({
        method,
        path: this.prefix + path,
        headers: { 'user-agent': this.options.userAgent, ...credentials.headers, ...headers },
        ...(body === undefined ? {} : { body }),
        ...(signal ? { signal } : {}),
      });
      code = response.status;
      return response;
    } finally {
      if (wire.closed) this.wire = undefined;
      this.options.onRequest?.({ method, code, host: this.host });
    }
  }

  private async wireFor(credentials: Credentials, signal: AbortSignal | undefined): Promise<Wire> {
    if (this.wire && this.wire.tlsVersion !== credentials.tlsVersion) {
      // Certificates rotated: what is under way may end on the old connection.
      const old = this.wire;
      this.wire = undefined;
      void old.ready.then(
        (wire) => wire.retire(),
        () => {},
      );
    }
    if (!this.wire) {
      const { config, clock, connectTimeoutMs, protocol } = this.options;
      const ready = dial({ config, credentials, clock, connectTimeoutMs, protocol });
      const made = { tlsVersion: credentials.tlsVersion, ready };
      this.wire = made;
      ready.catch(() => {
        // The next request dials again.
        if (this.wire === made) this.wire = undefined;
      });
    }
    return orAborted(this.wire.ready, signal);
  }

  private async withTimeLimit<R>(request: PlainRequest, run: (limited: PlainRequest) => Promise<R>): Promise<R> {
    const { clock, requestTimeoutMs } = this.options;
    const limit = new AbortController();
    const stop = () => limit.abort(request.signal?.reason);
    if (request.signal?.aborted) throw request.signal.reason;
    request.signal?.addEventListener('abort', stop, { once: true });
    const cancel = clock.after(requestTimeoutMs, () => {
      const what = `${request.method} ${pathOnly(request.path)}`;
      limit.abort(new StatusError(504, 'Timeout', `${what}: no complete answer within ${requestTimeoutMs} ms`));
    });
    try {
      return await run({ ...request, signal: limit.signal });
    } catch (error) {
      if (limit.signal.aborted) throw limit.signal.reason;
      throw asStatusError(error, request);
    } finally {
      cancel();
      request.signal?.removeEventListener('abort', stop);
    }
  }
}

/** Nothing listens there: repeating at once only delays the news. */
function isUnreachable(error: WireError): boolean {
  const code = (error.cause as NodeJS.ErrnoException | undefined)?.code;
  return code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === 'ETIMEDOUT' || code === 'EHOSTUNREACH';
}

/** How long the server asks to wait before the same request; undefined when it must not be repeated. */
function retryAfterMs(response: WireResponse, isRead: boolean): number | undefined {
  const seconds = Number(response.headers['retry-after']);
  if (!Number.isFinite(seconds) || seconds < 0) return undefined;
  // A 429 was turned away at the door; after a 5xx a write may have happened.
  if (response.status !== 429 && !(isRead && response.status >= 500)) return undefined;
  return Math.min(seconds * 1000, longestRetryAfterMs);
}

function pathOnly(path: string): string {
  const query = path.indexOf('?');
  return query < 0 ? path : path.slice(0, query);
}

function asStatusError(error: unknown, request: PlainRequest): unknown {
  if (error instanceof StatusError || request.signal?.aborted) return error;
  const why = errorMessage(error);
  const message = `${request.method} ${pathOnly(request.path)}: ${why}`;
  return new StatusError(503, 'ServiceUnavailable', message, undefined, { cause: error });
}
