import { connect as connectTcp, isIP } from 'node:net';
import type { SecureContext, TLSSocket } from 'node:tls';
import tls from 'node:tls';
import type { Clock } from '@hypershift-ts/kube-apimachinery';
import type { ClusterConfig } from './cluster-config.ts';
import type { Credentials } from './credentials.ts';
import { H1Wire } from './h1-wire.ts';
import { H2Wire } from './h2-wire.ts';
import type { Wire } from './wire.ts';
import { WireError } from './wire.ts';

export interface DialOptions {
  readonly config: ClusterConfig;
  readonly credentials: Credentials;
  readonly clock: Clock;
  readonly connectTimeoutMs: number;
  /** `h1` never offers HTTP/2. */
  readonly protocol: 'auto' | 'h1';
}

/** Connects and takes HTTP/2 when the server offers it, HTTP/1.1 otherwise. */
export async function dial(options: DialOptions): Promise<Wire> {
  const { config, credentials, clock, connectTimeoutMs } = options;
  const url = new URL(config.server);
  const servername = config.tlsServerName ?? (isIP(hostOf(url)) ? undefined : hostOf(url));
  const security = {
    ca: credentials.ca,
    cert: credentials.certificate,
    key: credentials.key,
    servername,
    rejectUnauthorized: !config.insecureSkipTlsVerify,
  };
  const h1 = () => new H1Wire({ origin: url.origin, tls: security, connectTimeoutMs });
  if (url.protocol === 'http:' || options.protocol === 'h1') return h1();
  const connect = () => connectTls(url, credentials, security, connectTimeoutMs, clock);
  const first = await connect();
  if (first.alpnProtocol === 'h2') return new H2Wire({ authority: url.origin, connect, first, clock });
  first.destroy();
  return h1();
}

function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}

const contexts = new WeakMap<Credentials, SecureContext>();

/** Reading keys and certificates costs more than a handshake, so it is done once for all connections of a client. */
function secureContextOf(credentials: Credentials): SecureContext {
  let context = contexts.get(credentials);
  if (!context) {
    const { ca, certificate: cert, key } = credentials;
    context = tls.createSecureContext({ ...(ca ? { ca } : {}), ...(cert && key ? { cert, key } : {}) });
    contexts.set(credentials, context);
  }
  return context;
}

function connectTls(
  url: URL,
  credentials: Credentials,
  { servername, rejectUnauthorized }: { readonly servername: string | undefined; readonly rejectUnauthorized: boolean },
  timeoutMs: number,
  clock: Clock,
): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const host = hostOf(url);
    // TCP by itself first: who waits for a server asks often, and a refusal should cost no cryptography.
    const plain = connectTcp({ host, port: url.port === '' ? 443 : Number(url.port) });
    let secured: TLSSocket | undefined;
    const fail = (error: NodeJS.ErrnoException) => {
      cancel();
      secured?.destroy();
      plain.destroy();
      const message = error.message || error.code || 'connection failed';
      reject(new WireError(message, { cause: error, unprocessed: true }));
    };
    const hungUp = () => fail(new Error('the connection was closed during the handshake'));
    const cancel = clock.after(timeoutMs, () => fail(new Error(`no connection within ${timeoutMs} ms`)));
    plain.once('error', fail);
    plain.once('connect', () => {
      try {
        secured = secure();
      } catch (error) {
        fail(error as Error);
      }
    });
    const secure = (): TLSSocket => {
      plain.off('error', fail);
      const socket = tls.connect({
        socket: plain,
        host,
        ALPNProtocols: ['h2', 'http/1.1'],
        secureContext: secureContextOf(credentials),
        rejectUnauthorized,
        ...(servername === undefined ? {} : { servername }),
      });
      socket.on('error', fail);
      socket.once('close', hungUp);
      socket.once('secureConnect', () => {
        cancel();
        socket.off('error', fail);
        socket.off('close', hungUp);
        socket.setNoDelay(true);
        socket.setKeepAlive(true, 30_000);
        resolve(socket);
      });
      return socket;
    };
  });
}
