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
  /** Ends every connection, used or not. */
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
  const connect = { ...tls, timeout: idleMs };
  const proxy = proxyOf(env);
  // What NO_PROXY lets through is connected to directly, with `connect`; the rest inside a tunnel, with `requestTls`.
  const dispatcher: Dispatcher = proxy
    ? new EnvHttpProxyAgent({ ...timeouts, ...proxy, connect, requestTls: connect, proxyTls: connect })
    : new Agent({ ...timeouts, connect });
  let closing: Promise<void> | undefined;
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
    close() {
      closing ??= dispatcher.destroy();
      return closing;
    },
  };
}

function proxyOf(env: Readonly<Record<string, string | undefined>>) {
  const value = (name: string) => env[name] || env[name.toUpperCase()];
  const [httpProxy, httpsProxy, noProxy] = [value('http_proxy'), value('https_proxy'), value('no_proxy')];
  if (!httpProxy && !httpsProxy) return undefined;
  return { ...(httpProxy ? { httpProxy } : {}), ...(httpsProxy ? { httpsProxy } : {}), noProxy: noProxy ?? '' };
}
