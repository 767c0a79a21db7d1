import { isIP } from 'node:net';
import type { TLSSocket } from 'node:tls';
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
  const connect = () => connectTls(url, security, connectTimeoutMs, clock);
  const first = await connect();
  if (first.alpnProtocol === 'h2') return new H2Wire({ authority: url.origin, connect, first, clock });
  first.destroy();
  return h1();
}

function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}

function connectTls(url: URL, security: Record<string, unknown>, timeoutMs: number, clock: Clock): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const options: Record<string, unknown> = {
      host: hostOf(url),
      port: url.port === '' ? 443 : Number(url.port),
      ALPNProtocols: ['h2', 'http/1.1'],
    };
    for (const [name, value] of Object.entries(security)) if (value !== undefined) options[name] = value;
    const socket = tls.connect(options);
    const fail = (error: NodeJS.ErrnoException) => {
      cancel();
      socket.destroy();
      const message = error.message || error.code || 'connection failed';
      reject(new WireError(message, { cause: error, unprocessed: true }));
    };
    const hungUp = () => fail(new Error('the connection was closed during the handshake'));
    const cancel = clock.after(timeoutMs, () => fail(new Error(`no connection within ${timeoutMs} ms`)));
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
  });
}
