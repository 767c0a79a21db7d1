import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream';
import type { Dialer } from '../dialer/konnectivity-dialer.ts';
import { join } from '../join.ts';
import { splitHostPort } from '../wire/address.ts';

/** What HTTPS_PROXY and HTTP_PROXY point at: CONNECT and absolute-form requests over a dialer. Not listening yet. */
export function httpProxy(dial: Dialer): Server {
  const server = createServer({ headersTimeout: 10_000, maxHeaderSize: 65_536 }, (incoming, response) =>
    forward(dial, incoming, response),
  );
  server.maxConnections = 5_000;
  server.on('connect', (incoming: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    const target = splitHostPort(incoming.url ?? '');
    if (!target) return void socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n');
    dial(target.host, target.port).then(
      (upstream) => {
        if (socket.destroyed) return void upstream.destroy();
        if (head.length > 0) upstream.write(head);
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        join(socket, upstream);
      },
      (error: Error) => {
        socket.end(
          `HTTP/1.1 502 Bad Gateway\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n${error.message}\n`,
        );
      },
    );
  });
  return server;
}

const hopByHop = ['proxy-connection', 'proxy-authorization', 'connection', 'keep-alive', 'te', 'upgrade'];

function forward(dial: Dialer, incoming: IncomingMessage, response: ServerResponse): void {
  const fail = (status: number, text: string) => {
    if (response.headersSent) return void response.destroy();
    response.writeHead(status, { 'content-type': 'text/plain', connection: 'close' }).end(`${text}\n`);
  };
  const url = URL.canParse(incoming.url ?? '') ? new URL(incoming.url ?? '') : undefined;
  if (url?.protocol !== 'http:') return fail(400, 'this is a proxy: CONNECT or an absolute http:// URL is expected');
  const headers = { ...incoming.headers, connection: 'close' };
  for (const name of hopByHop) if (name !== 'connection') delete headers[name as keyof typeof headers];
  dial(url.hostname.replace(/^\[|\]$/g, ''), Number(url.port || 80)).then(
    (upstream) => {
      const outgoing = request(
        { method: incoming.method, path: url.pathname + url.search, headers, createConnection: () => upstream },
        (answer) => {
          response.writeHead(answer.statusCode ?? 502, answer.headers);
          pipeline(answer, response, () => upstream.destroy());
        },
      );
      outgoing.on('error', (error) => fail(502, error.message));
      response.on('close', () => upstream.destroy());
      incoming.pipe(outgoing);
    },
    (error: Error) => fail(502, error.message),
  );
}
