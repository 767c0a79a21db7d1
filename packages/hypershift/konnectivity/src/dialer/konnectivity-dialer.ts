import { connect as connectTcp } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls, createSecureContext } from 'node:tls';
import type { ClientTls } from '../agent/agent-call.ts';
import { joinHostPort } from '../wire/address.ts';

/** Opens a byte stream to a host and port, wherever those are. */
export type Dialer = (host: string, port: number, signal?: AbortSignal) => Promise<Duplex>;

export interface KonnectivityDialerOptions {
  /** The server's front in http-connect mode: TCP with TLS, or a Unix socket. */
  readonly proxy:
    | { readonly host: string; readonly port: number; readonly tls?: ClientTls }
    | { readonly path: string };
  /** For the connection and the answer to CONNECT together; 30 s. */
  readonly timeoutMs?: number;
}

/** The proxy refused a CONNECT; its words are in the message. */
export class ProxyRefusedError extends Error {
  readonly statusCode: number;

  constructor(target: string, statusCode: number, text: string) {
    super(`konnectivity: the proxy refused ${target} with ${statusCode}: ${text}`);
    this.name = 'ProxyRefusedError';
    this.statusCode = statusCode;
  }
}

const maxHeadBytes = 16_384;

/** A dialer through the front of a konnectivity server, as `egress-selector` with HTTPConnect uses it. */
export function konnectivityDialer({ proxy, timeoutMs = 30_000 }: KonnectivityDialerOptions): Dialer {
  const open = opener(proxy);
  return (host, port, signal) =>
    new Promise((resolve, reject) => {
      const target = joinHostPort(host, port);
      const socket = open();
      let received: Buffer = Buffer.alloc(0);
      const settle = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', aborted);
        socket.removeAllListeners('error');
        // A break between here and the caller's first listener must not end the process.
        socket.on('error', () => {});
        socket.off('readable', read);
        socket.off('end', ended);
      };
      const fail = (error: Error) => {
        settle();
        socket.destroy();
        reject(error);
      };
      const aborted = () => fail(new Error(`konnectivity: the dial to ${target} was given up`));
      const ended = () =>
        fail(answerError(target, received) ?? new Error(`konnectivity: the proxy hung up on ${target}`));
      const read = () => {
        for (let chunk = socket.read() as Buffer | null; chunk; chunk = socket.read() as Buffer | null) {
          received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
          const end = received.indexOf('\r\n\r\n');
          if (end < 0 && received.length > maxHeadBytes)
            return fail(new Error('konnectivity: the proxy did not answer with HTTP'));
          if (end < 0) continue;
          if (!/^HTTP\/1\.[01] 200[ \r]/.test(received.subarray(0, 16).toString('latin1'))) {
            // The reason is in the body, which ends with the connection; a little of it is enough.
            if (received.length > maxHeadBytes) return ended();
            continue;
          }
          settle();
          const rest = received.subarray(end + 4);
          if (rest.length > 0) socket.unshift(rest);
          return resolve(socket);
        }
      };
      const timer = setTimeout(
        () => fail(new Error(`konnectivity: no answer for ${target} in ${timeoutMs} ms`)),
        timeoutMs,
      ).unref();
      socket.once('error', (error: Error) =>
        fail(new Error(`konnectivity: the proxy cannot be reached: ${error.message}`, { cause: error })),
      );
      socket.on('readable', read);
      socket.once('end', ended);
      if (signal?.aborted) return aborted();
      signal?.addEventListener('abort', aborted, { once: true });
      socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n`);
    });
}

function answerError(target: string, received: Buffer): Error | undefined {
  const [head = '', body = ''] = received.toString('utf8').split(/\r\n\r\n(.*)/s);
  const status = /^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1];
  return status ? new ProxyRefusedError(target, Number(status), body.trim()) : undefined;
}

function opener(proxy: KonnectivityDialerOptions['proxy']): () => Duplex {
  if ('path' in proxy) return () => connectTcp({ path: proxy.path, allowHalfOpen: true });
  const { host, port, tls } = proxy;
  const at = { host, port, allowHalfOpen: true, noDelay: true, keepAlive: true, keepAliveInitialDelay: 15_000 };
  if (!tls) return () => connectTcp(at);
  const { ca, cert, key, serverName } = tls;
  // One context for all connections, and resumed sessions: a full handshake costs more than most requests.
  const secureContext = createSecureContext({
    minVersion: 'TLSv1.2',
    ...(ca ? { ca } : {}),
    ...(cert ? { cert } : {}),
    ...(key ? { key } : {}),
  });
  const servername = serverName ?? host;
  let session: Buffer | undefined;
  return () => {
    const socket = connectTls({
      ...at,
      secureContext,
      ...(/^[\d.]+$|:/.test(servername) ? {} : { servername }),
      ...(session ? { session } : {}),
    });
    socket.on('session', (fresh: Buffer) => {
      session = fresh;
    });
    return socket;
  };
}
