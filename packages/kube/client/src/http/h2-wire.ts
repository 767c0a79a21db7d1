import type { ClientHttp2Session, ClientHttp2Stream, IncomingHttpHeaders } from 'node:http2';
import http2 from 'node:http2';
import type { TLSSocket } from 'node:tls';
import type { Clock } from '@hypershift-ts/kube-apimachinery';
import type { Wire, WireRequest, WireResponse } from './wire.ts';
import { orAborted, throwIfAborted, WireError } from './wire.ts';

const { NGHTTP2_CANCEL, NGHTTP2_REFUSED_STREAM } = http2.constants;

/** Until the server has said otherwise. */
const assumedConcurrentStreams = 100;
/** A connection with open streams is asked this often whether it is still alive... */
const pingIntervalMs = 30_000;
/** ...and given up when it does not answer within this. */
const pingTimeoutMs = 15_000;
const streamWindow = 1 << 20;
/** Unread watch data counts against the connection too; it must not stall everybody else. */
const connectionWindow = 1 << 26;

interface Connection {
  readonly session: ClientHttp2Session;
  streams: number;
  /** Takes no new streams: the server said goodbye, or it broke. */
  closing: boolean;
  cancelProbe: (() => void) | undefined;
}

/** HTTP/2: all requests share a connection, and further ones are opened when the server's stream limit is reached. */
export class H2Wire implements Wire {
  private readonly authority: string;
  private readonly connect: () => Promise<TLSSocket>;
  private readonly clock: Clock;
  private connections: Connection[] = [];
  private opening: Promise<Connection> | undefined;
  private ended = false;

  constructor(options: {
    readonly authority: string;
    /** A TLS socket on which h2 was negotiated. */
    readonly connect: () => Promise<TLSSocket>;
    readonly first: TLSSocket;
    readonly clock: Clock;
  }) {
    this.authority = options.authority;
    this.connect = options.connect;
    this.clock = options.clock;
    this.adopt(options.first);
  }

  /** For tests and metrics. */
  get connectionCount(): number {
    return this.connections.length;
  }

  async send(request: WireRequest): Promise<WireResponse> {
    throwIfAborted(request.signal);
    let connection = this.connections.find(hasRoom);
    while (!connection) {
      if (this.ended) throw new WireError('the client is closed', { unprocessed: true });
      this.opening ??= this.open().finally(() => {
        this.opening = undefined;
      });
      const opened = await orAborted(this.opening, request.signal);
      // Others may have waited for the same connection and filled it.
      connection = hasRoom(opened) ? opened : this.connections.find(hasRoom);
    }
    return this.sendOn(connection, request);
  }

  async close(): Promise<void> {
    this.ended = true;
    for (const connection of this.connections) connection.session.destroy();
    this.connections = [];
  }

  get closed(): boolean {
    return this.ended;
  }

  retire(): void {
    this.ended = true;
    for (const connection of this.connections) {
      connection.closing = true;
      connection.session.close();
    }
    this.connections = [];
  }

  private async open(): Promise<Connection> {
    const socket = await this.connect();
    if (socket.alpnProtocol !== 'h2') {
      socket.destroy();
      this.retire();
      throw new WireError('the server no longer offers HTTP/2', { unprocessed: true });
    }
    return this.adopt(socket);
  }

  private adopt(socket: TLSSocket): Connection {
    const session = http2.connect(this.authority, {
      createConnection: () => socket,
      settings: { enablePush: false, initialWindowSize: streamWindow },
    });
    const connection: Connection = {
      session,
      streams: 0,
      closing: false,
      cancelProbe: undefined,
    };
    const drop = () => {
      connection.closing = true;
      connection.cancelProbe?.();
      this.connections = this.connections.filter((other) => other !== connection);
    };
    // The streams report the error; a session without streams has nobody to tell.
    session.on('error', drop);
    session.on('goaway', drop);
    session.on('close', drop);
    // Whoever closes the client while it connects has ended the session before it says so.
    session.once('connect', () => session.destroyed || session.setLocalWindowSize(connectionWindow));
    session.unref();
    this.connections.push(connection);
    return connection;
  }

  private sendOn(connection: Connection, request: WireRequest): Promise<WireResponse> {
    const { method, path, headers, body, signal } = request;
    return new Promise((resolve, reject) => {
      let stream: ClientHttp2Stream;
      try {
        stream = connection.session.request(
          { ':method': method, ':path': path, ...headers },
          { endStream: body === undefined },
        );
      } catch (error) {
        // Headers that HTTP/2 forbids are the caller's mistake, not the connection's.
        const { session } = connection;
        if (!session.destroyed && !session.closed) return reject(error);
        connection.closing = true;
        return reject(new WireError('the connection was closed', { cause: error, unprocessed: true }));
      }
      this.hold(connection);
      const abort = () => stream.close(NGHTTP2_CANCEL);
      signal?.addEventListener('abort', abort, { once: true });
      let failure: unknown;
      stream.on('error', (error) => {
        failure = error;
      });
      stream.once('close', () => {
        signal?.removeEventListener('abort', abort);
        this.release(connection);
        if (signal?.aborted) return reject(signal.reason);
        const unprocessed = stream.rstCode === NGHTTP2_REFUSED_STREAM || stream.id === undefined;
        const why = failure instanceof Error ? failure.message : 'the connection was lost';
        reject(new WireError(why, { cause: failure, unprocessed }));
      });
      stream.once('response', (answer: IncomingHttpHeaders & { ':status'?: number }) => {
        resolve({ status: answer[':status'] ?? 0, headers: answer, body: stream });
      });
      if (body !== undefined) stream.end(body);
    });
  }

  private hold(connection: Connection): void {
    connection.streams++;
    if (connection.streams > 1) return;
    connection.session.ref();
    this.probe(connection);
  }

  private release(connection: Connection): void {
    connection.streams--;
    if (connection.streams > 0) return;
    connection.cancelProbe?.();
    connection.cancelProbe = undefined;
    // An idle connection must not keep a finished process alive.
    if (!connection.session.destroyed) connection.session.unref();
  }

  /** One timer per connection in use: a peer that vanished without a word is found out within 45 seconds. */
  private probe(connection: Connection): void {
    const { session } = connection;
    connection.cancelProbe = this.clock.after(pingIntervalMs, () => {
      if (session.destroyed || connection.streams === 0) return;
      const dead = new WireError('the server stopped answering');
      const cancel = this.clock.after(pingTimeoutMs, () => session.destroy(dead));
      connection.cancelProbe = cancel;
      session.ping((error) => {
        cancel();
        if (error || session.destroyed) return;
        if (connection.streams > 0) this.probe(connection);
      });
    });
  }
}

function hasRoom(connection: Connection): boolean {
  const { session, streams, closing } = connection;
  if (closing || session.destroyed || session.closed) return false;
  return streams < (session.remoteSettings?.maxConcurrentStreams ?? assumedConcurrentStreams);
}
