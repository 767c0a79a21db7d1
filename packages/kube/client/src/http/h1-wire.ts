import { Pool } from 'undici';
import type { Wire, WireRequest, WireResponse } from './wire.ts';
import { throwIfAborted, WireError } from './wire.ts';

export interface H1Options {
  readonly origin: string;
  readonly tls: {
    readonly ca?: string | undefined;
    readonly cert?: string | undefined;
    readonly key?: string | undefined;
    readonly servername?: string | undefined;
    readonly rejectUnauthorized: boolean;
  };
  readonly connectTimeoutMs: number;
}

/** HTTP/1.1 with keep-alive; a connection per request in flight. */
export class H1Wire implements Wire {
  private readonly pool: Pool;

  constructor({ origin, tls, connectTimeoutMs }: H1Options) {
    const connect: Record<string, unknown> = {
      timeout: connectTimeoutMs,
      keepAlive: true,
      keepAliveInitialDelay: 30_000,
      ALPNProtocols: ['http/1.1'],
    };
    for (const [name, value] of Object.entries(tls)) if (value !== undefined) connect[name] = value;
    this.pool = new Pool(origin, {
      connect,
      // No limit on connections: watches hold theirs for minutes. Time limits are the caller's, on its own clock.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: 30_000,
    });
  }

  async send({ method, path, headers, body, signal }: WireRequest): Promise<WireResponse> {
    throwIfAborted(signal);
    try {
      const answer = await this.pool.request({
        method,
        path,
        headers,
        body: body ?? null,
        ...(signal ? { signal } : {}),
      });
      return { status: answer.statusCode, headers: answer.headers, body: answer.body };
    } catch (error) {
      throwIfAborted(signal);
      const { code, message } = error as NodeJS.ErrnoException;
      const unprocessed = code === 'ECONNREFUSED' || code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ENOTFOUND';
      throw new WireError(message || code || 'connection failed', { cause: error, unprocessed });
    }
  }

  get closed(): boolean {
    return this.pool.closed || this.pool.destroyed;
  }

  retire(): void {
    this.pool.close().catch(() => {});
  }

  async close(): Promise<void> {
    await this.pool.destroy();
  }
}
