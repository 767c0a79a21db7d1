import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { errorMessage } from '@hypershift-ts/kube-apimachinery';

interface Answer {
  readonly ok: boolean;
  readonly body: string;
  readonly contentType?: string;
}

export interface ProbesOptions {
  /** `:8080` or `127.0.0.1:8080`; port 0 takes a free one. */
  readonly healthAddress: string;
  readonly metricsAddress: string;
  readonly healthz: () => Answer;
  readonly readyz: () => Promise<Answer>;
  readonly metrics: () => string;
  /** Served at `/config` when it is given. */
  readonly config?: () => string;
}

export interface Probes {
  readonly healthUrl: string;
  readonly metricsUrl: string;
  close(): Promise<void>;
}

/** Serves health on one port and metrics on another. */
export async function startProbes(options: ProbesOptions): Promise<Probes> {
  const { healthz, readyz, metrics, config } = options;
  const health = await listen(options.healthAddress, (path) => {
    if (path === '/healthz') return healthz();
    if (path === '/readyz') return readyz();
    return path === '/config' && config ? { ok: true, body: config(), contentType: 'application/yaml' } : undefined;
  });
  const numbers = await listen(options.metricsAddress, (path) =>
    path === '/metrics' ? { ok: true, body: metrics(), contentType: 'text/plain; version=0.0.4' } : undefined,
  );
  return {
    healthUrl: health.url,
    metricsUrl: numbers.url,
    close: async () => {
      await Promise.all([health.close(), numbers.close()]);
    },
  };
}

type Route = (path: string) => Answer | Promise<Answer> | undefined;

async function listen(address: string, route: Route): Promise<{ readonly url: string; close(): Promise<void> }> {
  const at = address.lastIndexOf(':');
  const host = address.slice(0, Math.max(0, at)) || '0.0.0.0';
  const server = createServer({ requestTimeout: 5000, headersTimeout: 5000 }, (incoming, outgoing) => {
    void answer(route, incoming, outgoing);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(Number(address.slice(at + 1)), host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const shown = host === '0.0.0.0' ? '127.0.0.1' : host;
  return { url: `http://${shown}:${port}`, close: () => closed(server) };
}

async function answer(route: Route, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  let given: Answer | undefined;
  try {
    given = await route((incoming.url ?? '').split('?', 1)[0]!);
  } catch (error) {
    given = { ok: false, body: JSON.stringify({ status: 'error', message: errorMessage(error) }) };
  }
  outgoing.writeHead(given ? (given.ok ? 200 : 503) : 404, {
    'content-type': given?.contentType ?? 'application/json',
  });
  outgoing.end(given?.body ?? '{"status":"not found"}');
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
