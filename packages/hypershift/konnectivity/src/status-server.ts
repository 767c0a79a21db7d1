import { createServer, type Server } from 'node:http';
import type { AddressInfo, Server as NetServer } from 'node:net';

export interface StatusPaths {
  /** Undefined when ready, else what is missing. */
  readonly notReady?: () => string | undefined;
  readonly metrics?: () => string;
}

/** What a GET of a path is answered with. */
export function statusAnswer(
  url: string,
  { notReady, metrics }: StatusPaths,
): { readonly status: number; readonly text: string } {
  const path = url.split('?')[0];
  if (path === '/metrics' && metrics) return { status: 200, text: metrics() };
  if (path === '/healthz' && notReady) return { status: 200, text: 'ok' };
  if ((path === '/readyz' || path === '/ready') && notReady) {
    const missing = notReady();
    return missing === undefined ? { status: 200, text: 'ok' } : { status: 503, text: missing };
  }
  return { status: 404, text: '404 page not found\n' };
}

/** The plain HTTP port for probes (/healthz, /readyz, the older /ready) or for metrics. */
export async function serveStatus(host: string, port: number, paths: StatusPaths): Promise<Server> {
  const server = createServer((request, response) => {
    request.resume();
    const { status, text } = statusAnswer(request.url ?? '', paths);
    response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(text);
  });
  server.maxConnections = 100;
  await listening(server, { host, port });
  return server;
}

/** Resolves when the server listens; an address in use and the like reject. */
export function listening(
  server: NetServer,
  at: { readonly host?: string; readonly port?: number; readonly path?: string },
): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(at, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** The port a TCP server listens on; 0 when it does not. */
export function portOf(server: NetServer | undefined): number {
  return (server?.address() as AddressInfo | null | undefined)?.port ?? 0;
}
