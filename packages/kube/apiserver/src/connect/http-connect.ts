import { connect as connectTcp, isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';

/** Opens a byte stream to a host and port of the cluster, wherever those are. */
export type Egress = (host: string, port: number, signal?: AbortSignal) => Promise<Duplex>;

/** Where a proxy listens that speaks HTTP CONNECT, such as a konnectivity server. */
export type ProxyAddress =
  | { readonly path: string }
  | {
      readonly host: string;
      readonly port: number;
      readonly tls?: {
        readonly ca?: string;
        readonly certificate?: string;
        readonly key?: string;
        /** The name expected in its certificate, when it is not the host. */
        readonly serverName: string;
      };
    };

/** For the connection and the answer together; a node that is cut off is noticed by then. */
const patienceMs = 30_000;
const maxHeadBytes = 16_384;

/** Asks a proxy for a connection to a target. */
export function httpConnect(proxy: ProxyAddress, host: string, port: number, signal?: AbortSignal): Promise<Duplex> {
  const target = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  return new Promise((resolve, reject) => {
    const socket = open(proxy);
    let head: Buffer = Buffer.alloc(0);
    const timer = setTimeout(() => fail(`no answer within ${patienceMs / 1000} s`), patienceMs);
    timer.unref();
    const settle = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abandon);
      socket.off('readable', read).off('end', ended).off('error', broken);
      // A break before the caller listens must not end the process.
      socket.on('error', () => {});
    };
    const fail = (why: string) => {
      settle();
      socket.destroy();
      reject(new Error(`the egress proxy gave no connection to ${target}: ${why}`));
    };
    const abandon = () => fail('the request was given up');
    const broken = (error: Error) => fail(error.message);
    // The reason for a refusal is in the body, which ends with the connection.
    const ended = () => fail(refusalIn(head) ?? 'it hung up');
    const read = () => {
      for (let chunk = socket.read() as Buffer | null; chunk; chunk = socket.read() as Buffer | null) {
        head = Buffer.concat([head, chunk]);
        const end = head.indexOf('\r\n\r\n');
        const isAccepted = end >= 0 && /^HTTP\/1\.[01] 200[ \r]/.test(head.subarray(0, 16).toString('latin1'));
        if (isAccepted) {
          settle();
          if (head.length > end + 4) socket.unshift(head.subarray(end + 4));
          return resolve(socket);
        }
        if (head.length > maxHeadBytes) return fail(refusalIn(head) ?? 'it does not speak HTTP');
      }
    };
    socket.on('readable', read).once('end', ended).once('error', broken);
    if (signal?.aborted) return abandon();
    signal?.addEventListener('abort', abandon, { once: true });
    socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\nUser-Agent: kube-apiserver\r\n\r\n`);
  });
}

function open(proxy: ProxyAddress): Duplex {
  if ('path' in proxy) return connectTcp({ path: proxy.path, allowHalfOpen: true });
  const { host, port, tls } = proxy;
  const at = { host, port, allowHalfOpen: true, noDelay: true, keepAlive: true };
  if (!tls) return connectTcp(at);
  const { ca, certificate, key, serverName } = tls;
  return connectTls({
    ...at,
    minVersion: 'TLSv1.2',
    ...(ca ? { ca } : {}),
    ...(certificate && key ? { cert: certificate, key } : {}),
    ...(isIP(serverName) ? {} : { servername: serverName }),
  });
}

function refusalIn(head: Buffer): string | undefined {
  const [lines = '', body = ''] = head.toString('utf8').split(/\r\n\r\n(.*)/s);
  const status = /^HTTP\/1\.[01] (\d{3}.*)/.exec(lines)?.[1];
  return status === undefined ? undefined : `${status.trim()} ${body.trim()}`.trim();
}
