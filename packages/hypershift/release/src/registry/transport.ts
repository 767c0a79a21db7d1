import type { Readable } from 'node:stream';
import { rootCertificates } from 'node:tls';
import { Agent, type Dispatcher, EnvHttpProxyAgent, request } from 'undici';

export interface RegistryRequest {
  readonly method: 'GET' | 'HEAD' | 'POST';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
}

export interface RegistryResponse {
  readonly status: number;
  header(name: string): string | undefined;
  readonly body: Readable;
  /** Gives up what was not read of the body; a short rest is read so that the connection stays usable. */
  discard(): void;
}

const worthReading = 64 * 1024;

/** One HTTP exchange, redirects not followed. The seam below which tests and proxies live. */
export interface RegistryTransport {
  send(request: RegistryRequest): Promise<RegistryResponse>;
  close(): Promise<void>;
}

export interface TransportOptions {
  /** PEM certificates trusted in addition to the usual ones. */
  readonly trustBundle?: string;
  readonly idleMs: number;
  /** Where HTTPS_PROXY and NO_PROXY are looked up. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** HTTPS (and HTTP) with kept connections, extra trust, and the proxy of the environment. */
export function httpTransport({ trustBundle, idleMs, env = process.env }: TransportOptions): RegistryTransport {
  const tls = trustBundle ? { ca: [...rootCertificates, trustBundle] } : {};
  const timeouts = { headersTimeout: idleMs, bodyTimeout: idleMs };
  const dispatcher: Dispatcher = proxied(env)
    ? new EnvHttpProxyAgent({ ...timeouts, requestTls: { ...tls, timeout: idleMs } })
    : new Agent({ ...timeouts, connect: { ...tls, timeout: idleMs } });
  return {
    async send({ method, url, headers, body, signal }) {
      const response = await request(url, {
        dispatcher,
        method,
        headers,
        signal,
        ...(body === undefined ? {} : { body }),
      });
      // Whoever reads gets the error from reading; a body that nobody reads any more must not end the process with it.
      response.body.on('error', () => undefined);
      return {
        status: response.statusCode,
        header(name) {
          const value = response.headers[name];
          return Array.isArray(value) ? value.join(', ') : value;
        },
        body: response.body,
        discard() {
          if (response.body.bodyUsed) response.body.destroy();
          else void response.body.dump({ limit: worthReading }).catch(() => undefined);
        },
      };
    },
    close: () => dispatcher.close(),
  };
}

function proxied(env: Readonly<Record<string, string | undefined>>): boolean {
  return ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY'].some((name) => env[name]);
}
