import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

interface ListenOptions {
  readonly host: string;
  readonly port: number;
  readonly tls?: { readonly certFile: string; readonly keyFile: string };
  /** How long a client may take to send its request. */
  readonly readTimeoutMs: number;
}

/** A server that listens. */
export interface Listening {
  readonly port: number;
  readonly url: string;
  /** Takes no more connections and resolves when the last request is answered; after `graceMs` it cuts off. */
  close(graceMs: number): Promise<void>;
}

/** Texts of 16 KiB in the URL, and as much in headers. */
const maxHeaderSize = 32 * 1024;

export async function listen(listener: RequestListener, options: ListenOptions): Promise<Listening> {
  const { host, port, tls, readTimeoutMs } = options;
  const common = {
    maxHeaderSize,
    headersTimeout: readTimeoutMs,
    requestTimeout: readTimeoutMs,
    // Looks for slow clients often enough for short limits.
    connectionsCheckingInterval: Math.min(readTimeoutMs, 5000),
  };
  let closing = false;
  const handle: RequestListener = (incoming, outgoing) => {
    // A client that keeps its connection for later must not hold up the end.
    outgoing.once('close', () => {
      if (closing) setImmediate(() => server.closeIdleConnections());
    });
    listener(incoming, outgoing);
  };
  const server: Server = tls
    ? createTlsServer(
        { ...common, cert: readFileSync(tls.certFile), key: readFileSync(tls.keyFile), minVersion: 'TLSv1.2' },
        handle,
      )
    : createServer(common, handle);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const bound = (server.address() as AddressInfo).port;
  return {
    port: bound,
    url: `${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    close(graceMs) {
      closing = true;
      return closeServer(server, graceMs);
    },
  };
}

async function closeServer(server: Server, graceMs: number): Promise<void> {
  const timer = setTimeout(() => server.closeAllConnections(), graceMs);
  try {
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeIdleConnections();
    });
  } finally {
    clearTimeout(timer);
  }
}
