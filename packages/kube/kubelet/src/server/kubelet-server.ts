import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import { createServer as createListener, type Server as Listener, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import type { Clock } from '@hypershift-ts/kube-apimachinery';
import type { Logger } from '@hypershift-ts/kube-controller';
import type { PodWorkers } from '../pod/pod-workers.ts';
import { handleExec } from './exec-stream.ts';
import { handleLogs } from './log-request.ts';
import { nodeMetrics, statsSummary } from './node-stats.ts';

export type KubeletTls = KubeletClients & (FixedPair | RenewedPair);

interface FixedPair {
  /** PEM. */
  readonly certificate: string;
  readonly key: string;
}

interface RenewedPair {
  /** The certificate in use, asked for at every connection; undefined while there is none, and nobody is served. */
  readonly pair: () => FixedPair | undefined;
}

interface KubeletClients {
  /** Whose client certificates are believed. */
  readonly clientCa: string;
  /** Common names that may use the kubelet. */
  readonly allowedClients?: readonly string[];
}

export interface KubeletServerOptions {
  readonly tls: KubeletTls;
  readonly workers: PodWorkers;
  readonly clock: Clock;
  readonly log: Logger;
}

/** The HTTPS server through which the API server reads logs and runs commands. */
export class KubeletServer {
  port = 0;
  private readonly options: KubeletServerOptions;
  private readonly listener: Listener;
  /** Made at the first connection: most of thousands of nodes are never asked for a log. */
  private server: Server | undefined;
  private serving: FixedPair | undefined;
  private readonly sockets = new Set<Socket>();
  private readonly closing = new AbortController();

  constructor(options: KubeletServerOptions) {
    this.options = options;
    this.listener = createListener((socket) => {
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
      const server = this.secured();
      if (server) server.emit('connection', socket);
      else socket.destroy();
    });
  }

  async listen(address: string, port: number): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.listener.once('error', reject);
      this.listener.listen(port, address, resolve);
    });
    const bound = this.listener.address();
    this.port = typeof bound === 'object' && bound ? bound.port : port;
    // The server alone must not keep a process alive.
    this.listener.unref();
    return this.port;
  }

  async close(): Promise<void> {
    this.closing.abort();
    const closed = new Promise<void>((resolve) => {
      this.listener.close(() => resolve());
    });
    this.disconnect();
    await closed;
  }

  /** Ends every connection, as when a cable is pulled. */
  disconnect(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  /** The TLS server for the certificate of now. */
  private secured(): Server | undefined {
    const { tls } = this.options;
    const pair = 'pair' in tls ? tls.pair() : tls;
    if (!pair || this.closing.signal.aborted) return undefined;
    if (this.server && this.serving === pair) return this.server;
    const { certificate: cert, key } = pair;
    const settings = { cert, key, ca: tls.clientCa, requestCert: true, rejectUnauthorized: true } as const;
    this.serving = pair;
    if (this.server) this.server.setSecureContext({ ...settings, minVersion: 'TLSv1.2' });
    else {
      this.server = createServer(
        { ...settings, minVersion: 'TLSv1.2' },
        (request, response) => void this.handle(request, response),
      );
      this.server.on('upgrade', (request, socket, head) => this.upgrade(request, socket, head));
      this.server.on('tlsClientError', () => {});
    }
    return this.server;
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      if (!this.isAllowed(request)) return answer(response, 403, 'Forbidden: this client may not use the kubelet\n');
      const url = new URL(request.url ?? '/', 'https://kubelet');
      const [area, ...rest] = url.pathname.slice(1).split('/').map(decodeURIComponent);
      if (request.method !== 'GET') return answer(response, 405, 'Method Not Allowed\n');
      if (area === 'healthz') return answer(response, 200, 'ok');
      if (area === 'containerLogs')
        return await handleLogs(
          this.options.workers,
          rest,
          url.searchParams,
          response,
          this.options.clock,
          this.closing.signal,
        );
      if (area === 'pods' || area === 'runningpods') {
        const items = [...this.options.workers.all()].map(({ pod }) => pod);
        return answer(
          response,
          200,
          JSON.stringify({ kind: 'PodList', apiVersion: 'v1', metadata: {}, items }),
          'application/json',
        );
      }
      if (area === 'metrics') return answer(response, 200, nodeMetrics(this.options.workers));
      if (area === 'stats' && rest[0] === 'summary')
        return answer(
          response,
          200,
          JSON.stringify(statsSummary(this.options.workers, this.options.clock.now())),
          'application/json',
        );
      if (area === 'exec' || area === 'attach' || area === 'portForward')
        return answer(response, 400, 'Upgrade request required\n');
      answer(response, 404, '404 page not found\n');
    } catch (error) {
      this.options.log.warn({ error, url: request.url }, 'a request to the kubelet failed');
      if (response.headersSent) response.destroy();
      else answer(response, 500, `${(error as Error).message}\n`);
    }
  }

  private upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => socket.destroy());
    const url = new URL(request.url ?? '/', 'https://kubelet');
    const [area, namespace = '', name = '', container = ''] = url.pathname.slice(1).split('/').map(decodeURIComponent);
    if (!this.isAllowed(request)) return refuse(socket, 403, 'this client may not use the kubelet');
    if (area !== 'exec' && area !== 'attach') return refuse(socket, 404, `${area} is not supported by this node`);
    const unit = this.options.workers.find(namespace, name)?.unit(container);
    if (!unit) return refuse(socket, 404, `pod ${name} has no container ${container} on this node`);
    if (!unit.running) return refuse(socket, 400, `container ${container} is not running`);
    handleExec(request, socket, head, {
      running: unit.running,
      query: url.searchParams,
      mode: area,
      signal: this.closing.signal,
    });
  }

  private isAllowed(request: IncomingMessage): boolean {
    const allowed = this.options.tls.allowedClients ?? ['kube-apiserver-kubelet-client'];
    const name = (request.socket as TLSSocket).getPeerCertificate().subject?.CN;
    return name !== undefined && allowed.includes(String(name));
  }
}

function answer(response: ServerResponse, code: number, body: string, type = 'text/plain; charset=utf-8'): void {
  response.writeHead(code, { 'content-type': type, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

function refuse(socket: Duplex, code: number, message: string): void {
  const body = `${message}\n`;
  socket.end(
    `HTTP/1.1 ${code} Refused\r\ncontent-type: text/plain\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}
