import { constants, createSecureServer, type Http2SecureServer, type ServerHttp2Session } from 'node:http2';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { contextFor, type NamedCertificate, type NamedContexts, namedContexts } from './named-certificates.ts';
import { delay, systemClock } from '@hypershift-ts/kube-apimachinery';
import type { AnyRequest, AnyResponse } from './exchange.ts';

export interface ListenerOptions {
  readonly bindAddress: string;
  /** 0 picks a free port. */
  readonly port: number;
  readonly certificate: string;
  readonly key: string;
  /** PEM bundle sent to clients as acceptable CAs; verification itself is authentication's. */
  readonly clientCa?: string;
  /** Shown instead to clients that ask for one of their names. */
  readonly named?: readonly NamedCertificate[];
  readonly onRequest: (request: AnyRequest, response: AnyResponse) => void;
  readonly onUpgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
}

/** How long a client may take to send its headers or finish a handshake. */
const patienceMs = 30_000;
/** What clients have sent before they heard that the server says goodbye arrives within this. */
const goodbyeMs = 50;
/** In a GOAWAY: no stream is refused yet. */
const lastStreamOfAll = 2 ** 31 - 1;

/** The TLS port of a server: HTTP/2 and HTTP/1.1 on one socket. */
export class Listener {
  private readonly server: Http2SecureServer;
  /** Open connections, and how many requests of HTTP/1.1 are under way on each. */
  private readonly sockets = new Map<Socket, number>();
  /** The same below TLS, also those that never get that far. */
  private readonly raw = new Set<Socket>();
  private readonly sessions = new Set<ServerHttp2Session>();
  private isClosing = false;
  private isCut = false;
  private whenEmpty: () => void = () => {};
  private readonly options: ListenerOptions;
  private named: NamedContexts;

  constructor(options: ListenerOptions) {
    this.options = options;
    this.named = namedContexts(options.named ?? [], options.clientCa);
    this.server = createSecureServer({
      allowHTTP1: true,
      cert: options.certificate,
      key: options.key,
      ...(options.clientCa ? { ca: options.clientCa } : {}),
      // Certificates are optional at this layer and judged by the authenticator, which can say why.
      // Without a context of its own, a name gets the default certificate.
      SNICallback: (name, done) => done(null, contextFor(this.named, name)),
      requestCert: true,
      rejectUnauthorized: false,
      minVersion: 'TLSv1.2',
      handshakeTimeout: patienceMs,
      settings: { maxConcurrentStreams: 1000, initialWindowSize: 1 << 20 },
      maxSessionMemory: 64,
    });
    this.server.on('request', (request, response) => {
      this.count(request, response);
      options.onRequest(request, response);
    });
    this.server.on('session', (session) => {
      this.sessions.add(session);
      session.once('close', () => this.sessions.delete(session));
    });
    this.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) =>
      options.onUpgrade(request, socket, head),
    );
    this.server.on('secureConnection', (socket: TLSSocket) => this.track(socket));
    this.server.on('connection', (socket: Socket) => {
      // Accepted before the port closed, seen after the rest was cut: nobody else would end it.
      if (this.isCut) return void socket.destroy();
      socket.setNoDelay(true);
      this.raw.add(socket);
      socket.once('close', () => this.raw.delete(socket));
    });
    // Broken handshakes and resets are the client's business; without listeners they would end the process.
    this.server.on('sessionError', () => {});
    this.server.on('tlsClientError', () => {});
    this.server.on('clientError', (_, socket) => (socket as Socket).destroy());
    this.server.on('error', () => {});
    this.server.setTimeout(0);
  }

  private track(socket: Socket): void {
    this.sockets.set(socket, 0);
    socket.on('error', () => {});
    socket.once('close', () => {
      this.sockets.delete(socket);
      if (this.sockets.size === 0) this.whenEmpty();
    });
  }

  /** Keeps account of the requests of HTTP/1.1, whose connections do not know by themselves when they are idle. */
  private count(request: AnyRequest, response: AnyResponse): void {
    if (request.httpVersionMajor !== 1) return;
    const socket = request.socket as Socket;
    const add = (difference: number): void => {
      if (this.sockets.has(socket)) this.sockets.set(socket, this.sockets.get(socket)! + difference);
    };
    add(1);
    if (this.isClosing) (response as ServerResponse).shouldKeepAlive = false;
    response.once('close', () => {
      add(-1);
      if (this.isClosing) this.endIdle();
    });
  }

  listen(): Promise<{ readonly address: string; readonly port: number }> {
    return new Promise((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(this.options.port, this.options.bindAddress, () => {
        this.server.off('error', reject);
        const { address, port } = this.server.address() as AddressInfo;
        resolve({ address, port });
      });
    });
  }

  /** New certificates for new connections; running ones go on. */
  reload(certificate: string, key: string, clientCa?: string, named: readonly NamedCertificate[] = []): void {
    this.named = namedContexts(named, clientCa);
    this.server.setSecureContext({ cert: certificate, key, ...(clientCa ? { ca: clientCa } : {}) });
  }

  /**
   * Stops accepting, tells clients to go elsewhere, lets requests under way end, and cuts what is left after the grace.
   * The first goodbye refuses nothing, so that what was already on its way is answered; the second says to the client
   * which requests came too late and may be sent to somebody else.
   */
  async close(graceMs: number): Promise<void> {
    // Real time, whatever clock the server lives by: sockets wait for nobody's.
    const clock = systemClock;
    this.isClosing = true;
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    const over = new AbortController();
    const empty = new Promise<void>((resolve) => {
      this.whenEmpty = resolve;
    });
    if (graceMs > 0 && this.sockets.size > 0) {
      for (const session of this.sessions) session.goaway(constants.NGHTTP2_NO_ERROR, lastStreamOfAll);
      this.endIdle();
      await Promise.race([empty, delay(clock, Math.min(goodbyeMs, graceMs), over.signal)]);
      for (const session of this.sessions) if (!session.destroyed) session.close();
      await Promise.race([empty, delay(clock, graceMs, over.signal)]);
      over.abort();
    }
    this.isCut = true;
    for (const socket of [...this.sockets.keys(), ...this.raw]) socket.destroy();
    await closed;
  }

  /** Hangs up on HTTP/1.1 connections that wait for a next request. */
  private endIdle(): void {
    for (const [socket, requests] of this.sockets)
      if (requests === 0 && (socket as TLSSocket).alpnProtocol !== 'h2') socket.end();
  }
}
