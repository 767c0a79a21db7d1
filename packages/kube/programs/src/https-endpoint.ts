import { createServer, type Server } from 'node:https';
import { createServer as createPlainServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { BuiltinContext } from '@hypershift-ts/kube-kubelet';
import { generateKeys, createAuthority, issue } from '@hypershift-ts/kube-pki';

export interface Answer {
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface EndpointOptions {
  readonly address: string;
  readonly port: number;
  /** Absent: plain HTTP. */
  readonly tls?: { readonly certificate: string; readonly key: string; readonly clientCa?: string };
  /** Certificates of other CAs are refused during the handshake. */
  readonly requireClientCertificate?: boolean;
  /** The program whose port this is: its kubelet then probes by call, unless callers must show a certificate. */
  readonly program?: Pick<BuiltinContext, 'answerProbes' | 'probeNow'>;
  /** Answers a GET by its path; undefined is 404. */
  readonly answer: (path: string) => Answer | undefined | Promise<Answer | undefined>;
}

export interface Endpoint {
  readonly port: number;
  reload(tls: NonNullable<EndpointOptions['tls']>): void;
  close(): Promise<void>;
}

const patienceMs = 30_000;

/** A small port for health and metrics. */
export async function openEndpoint(options: EndpointOptions): Promise<Endpoint> {
  const { tls } = options;
  const handle = (request: IncomingMessage, response: ServerResponse) => void respond(options, request, response);
  const server = tls
    ? createServer(
        {
          ...secureContext(tls),
          minVersion: 'TLSv1.2',
          handshakeTimeout: patienceMs,
          requestCert: options.requireClientCertificate === true,
          rejectUnauthorized: options.requireClientCertificate === true,
        },
        handle,
      )
    : createPlainServer(handle);
  server.headersTimeout = patienceMs;
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('tlsClientError', () => {});
  server.on('clientError', (_error, socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: options.address, port: options.port, exclusive: true }, () => {
      server.off('error', reject);
      server.on('error', () => {});
      resolve();
    });
  });
  const { port } = server.address() as { port: number };
  if (!options.requireClientCertificate) options.program?.answerProbes(port, (url) => statusOf(options, url));
  options.program?.probeNow();
  return {
    port,
    reload: (next) => {
      if ('setSecureContext' in server) (server as Server).setSecureContext(secureContext(next));
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

function secureContext({ certificate, key, clientCa }: NonNullable<EndpointOptions['tls']>) {
  return { cert: certificate, key, ...(clientCa ? { ca: clientCa } : {}) };
}

async function respond(options: EndpointOptions, request: IncomingMessage, response: ServerResponse): Promise<void> {
  request.resume();
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const { status, body, headers = {} } = isRead ? await answerOf(options, request.url) : { status: 405, body: '' };
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', ...headers });
  response.end(request.method === 'HEAD' ? '' : body);
}

async function statusOf(options: EndpointOptions, url: string): Promise<number> {
  return (await answerOf(options, url)).status;
}

async function answerOf({ answer }: EndpointOptions, url = '/'): Promise<Answer> {
  try {
    return (await answer(url.split('?', 1)[0] as string)) ?? { status: 404, body: '404 page not found\n' };
  } catch (error) {
    return { status: 500, body: (error as Error).message };
  }
}

let selfSigned: Promise<{ readonly certificate: string; readonly key: string }> | undefined;

/** What the real programs make up when they are given no serving certificate; one for the whole process is enough. */
export function selfSignedPair(now: number): Promise<{ readonly certificate: string; readonly key: string }> {
  selfSigned ??= (async () => {
    const authority = await createAuthority({ subject: { commonName: 'localhost-ca' }, now });
    const keys = await generateKeys('P-256');
    const issued = await issue(authority, {
      subject: { commonName: 'localhost' },
      role: 'server',
      dnsNames: ['localhost'],
      ipAddresses: ['127.0.0.1'],
      now,
      keys,
    });
    return { certificate: issued.certificatePem, key: issued.keyPem };
  })();
  return selfSigned;
}
