import { createSecureServer, type Http2SecureServer } from 'node:http2';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { SecureContext, TLSSocket } from 'node:tls';
import { contextFor, type NamedCertificate, namedContexts } from './named-certificates.ts';
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

/** The TLS port of a server: HTTP/2 and HTTP/1.1 on one socket. */
export class Listener {
  private readonly server: Http2SecureServer;
  private readonly sockets = new Set<Socket>();
  private readonly options: ListenerOptions;
  private named: ReadonlyMap<string, SecureContext>;

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
    this.server.on('request', (request, response) => options.onRequest(request, response));
    this.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) =>
      options.onUpgrade(request, socket, head),
    );
    this.server.on('secureConnection', (socket: TLSSocket) => this.track(socket));
    this.server.on('connection', (socket: Socket) => socket.setNoDelay(true));
    // Broken handshakes and resets are the client's business; without listeners they would end the process.
    this.server.on('sessionError', () => {});
    this.server.on('tlsClientError', () => {});
    this.server.on('clientError', (_, socket) => (socket as Socket).destroy());
    this.server.on('error', () => {});
    this.server.setTimeout(0);
  }

  private track(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => this.sockets.delete(socket));
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

  /** Stops accepting, then cuts what is still open. */
  close(): Promise<void> {
    return new Promise((resolve) => {
      this.server.close(() => resolve());
      for (const socket of this.sockets) socket.destroy();
    });
  }
}
