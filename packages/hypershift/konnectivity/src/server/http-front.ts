import { createServer, type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Duplex } from 'node:stream';
import { join } from '../join.ts';
import { type DialError, httpStatusOf } from './dial-error.ts';
import type { ServerTls } from './proxy-server-options.ts';
import type { Tunnel } from './tunnel.ts';

/** `--mode=http-connect`: CONNECT requests become connections through the tunnel. Not listening yet. */
export function httpConnectFront(tunnel: Tunnel, tls: ServerTls | undefined, maxConnections: number): Server {
  const limits = { allowHalfOpen: true, headersTimeout: 10_000, requestTimeout: 10_000, maxHeaderSize: 16_384 };
  const server = tls
    ? (createTlsServer({
        ...limits,
        key: tls.key,
        cert: tls.cert,
        minVersion: tls.minVersion ?? 'TLSv1.2',
        handshakeTimeout: 10_000,
        ...(tls.ciphers ? { ciphers: tls.ciphers } : {}),
        ...(tls.ca ? { ca: tls.ca, requestCert: true, rejectUnauthorized: true } : {}),
      }) as unknown as Server)
    : createServer(limits);
  server.maxConnections = maxConnections;
  server.on('request', (_request, response) => {
    response.writeHead(405, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' });
    response.end('this proxy only supports CONNECT passthrough\n');
  });
  server.on('connect', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    void serveConnect(tunnel, request, socket, head);
  });
  return server;
}

async function serveConnect(tunnel: Tunnel, request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
  const abandoned = new AbortController();
  const abandon = () => abandoned.abort();
  socket.on('error', () => socket.destroy());
  socket.once('close', abandon);
  try {
    const connection = await tunnel.dial(request.url ?? '', abandoned.signal);
    socket.off('close', abandon);
    if (socket.destroyed) return void connection.destroy();
    // Bytes that came with the request; a client need not wait for the answer.
    if (head.length > 0) connection.write(head);
    socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    join(socket, connection);
  } catch (error) {
    refuse(socket, error as DialError);
  }
}

function refuse(socket: Duplex, error: DialError): void {
  if (socket.destroyed) return;
  const status = httpStatusOf(error);
  const body = Buffer.from(error.message);
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: text/plain; charset=utf-8\r\n` +
      `Content-Length: ${body.length}\r\nConnection: close\r\n\r\n${body.toString()}`,
  );
  socket.resume();
}
