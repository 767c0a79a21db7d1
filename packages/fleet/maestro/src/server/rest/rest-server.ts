import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { errorMessage } from '@hypershift-ts/kube-apimachinery';
import { type Logger, silentLogger } from '@hypershift-ts/kube-controller';
import { MaestroError } from '../maestro-error.ts';
import type { WorkHub } from '../work-hub.ts';
import { routes } from './routes.ts';
import { basePath } from './views.ts';

export interface RestServerOptions {
  readonly hub: WorkHub;
  readonly host: string;
  /** 0: a free one. */
  readonly port: number;
  readonly logger?: Logger;
}

const largestBody = 1024 * 1024;
const requestMs = 30_000;

/** Serves what is stored. Writes of works come over gRPC. */
export async function startRestServer(
  options: RestServerOptions,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const { host, port } = options;
  const server = createServer({ requestTimeout: requestMs, maxHeaderSize: 16 * 1024 }, restHandler(options));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const { port: bound } = server.address() as AddressInfo;
  return { url: `http://${host}:${bound}`, close: () => closed(server) };
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

export function restHandler({
  hub,
  logger = silentLogger,
}: Pick<RestServerOptions, 'hub' | 'logger'>): RequestListener {
  return (request, response) => {
    const operation = String(request.headers['x-operation-id'] ?? randomUUID()).slice(0, 128);
    answer(hub, request).then(
      ({ status, body }) => send(response, status, body),
      (error: unknown) => {
        const known = error instanceof MaestroError ? error : new MaestroError('general', 'the server failed');
        if (known !== error) logger.error({ operation, path: request.url, err: errorMessage(error) }, 'request failed');
        send(response, known.httpStatus, errorView(known, operation));
      },
    );
  };
}

async function answer(hub: WorkHub, request: IncomingMessage): Promise<{ status: number; body?: object }> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://server');
  const path = pathname.replace(/\/+$/, '');
  for (const route of routes) {
    const match = route.path.exec(path);
    if (!match) continue;
    const handler = route.methods[request.method ?? ''];
    if (!handler) throw new MaestroError('notImplemented', `${request.method} is not possible on ${path}`);
    const id = match[1] === undefined ? '' : decodeURIComponent(match[1]);
    return handler({ hub, id, query: searchParams, body: () => bodyOf(request) });
  }
  throw new MaestroError('notFound', `there is nothing at ${path}; the API is at ${basePath}`);
}

async function bodyOf(request: IncomingMessage): Promise<Readonly<Record<string, unknown>>> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > largestBody) throw new MaestroError('malformed', `the body is larger than ${largestBody} bytes`);
    chunks.push(chunk);
  }
  try {
    const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown;
    if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Record<string, unknown>;
  } catch {
    // Said below: it is no JSON object either way.
  }
  throw new MaestroError('malformed', 'the body is no JSON object');
}

function send(response: ServerResponse, status: number, body?: object): void {
  response.statusCode = status;
  response.setHeader('Vary', 'Authorization');
  if (body) response.setHeader('Content-Type', 'application/json');
  response.end(body ? JSON.stringify(body) : undefined);
}

function errorView({ number, code, message }: MaestroError, operation: string): object {
  return {
    kind: 'Error',
    id: String(number),
    href: `${basePath}/errors/${number}`,
    code,
    reason: message,
    operation_id: operation,
  };
}
