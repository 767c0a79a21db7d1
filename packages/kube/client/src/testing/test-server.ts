import type { IncomingMessage, ServerResponse } from 'node:http';
import http2 from 'node:http2';
import https from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { ClusterConfig } from '../http/cluster-config.ts';
import { testCertificate, testKey } from './test-certificate.ts';

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A TLS server on loopback that can be cut off, stopped and started again at the same address. */
export class TestServer {
  handler: Handler;
  connections = 0;
  private readonly protocol: 'h1' | 'h2';
  private readonly h2Settings: http2.Settings;
  private readonly sockets = new Set<Socket>();
  private server: https.Server | http2.Http2SecureServer | undefined;
  port: number;

  constructor(protocol: 'h1' | 'h2', handler: Handler, h2Settings: http2.Settings = {}, port = 0) {
    this.port = port;
    this.protocol = protocol;
    this.handler = handler;
    this.h2Settings = h2Settings;
  }

  get config(): ClusterConfig {
    return { server: `https://127.0.0.1:${this.port}`, certificateAuthority: { pem: testCertificate } };
  }

  async start(): Promise<this> {
    const tls = { cert: testCertificate, key: testKey, requestCert: true, rejectUnauthorized: false };
    const handle = (request: unknown, response: unknown) =>
      this.handler(request as IncomingMessage, response as ServerResponse);
    const server =
      this.protocol === 'h1'
        ? https.createServer(tls, handle)
        : http2.createSecureServer({ ...tls, allowHTTP1: true, settings: this.h2Settings }, handle);
    server.on('connection', (socket: Socket) => {
      this.connections++;
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
    server.on('sessionError', () => {});
    await new Promise<void>((resolve) => {
      server.listen(this.port, '127.0.0.1', resolve);
    });
    this.port = (server.address() as AddressInfo).port;
    this.server = server;
    return this;
  }

  /** Breaks every connection without a goodbye. */
  cut(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  async stop(): Promise<void> {
    const { server } = this;
    this.server = undefined;
    if (!server) return;
    const closed = new Promise((resolve) => server.close(resolve));
    this.cut();
    await closed;
  }
}

export function answerJson(
  response: ServerResponse,
  code: number,
  body: unknown,
  headers: Record<string, string> = {},
) {
  response.writeHead(code, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

export async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}
