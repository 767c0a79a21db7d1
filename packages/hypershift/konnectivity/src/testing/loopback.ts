import { createServer, type Server, type Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { createAuthority, fingerprint, issue, parseCertificates } from '@hypershift-ts/kube-pki';
import { type ProxyAgent, type ProxyAgentOptions, startProxyAgent } from '../agent/proxy-agent.ts';
import { type Dialer, konnectivityDialer } from '../dialer/konnectivity-dialer.ts';
import { LocalProxyServers } from '../local/local-proxy-servers.ts';
import { type ProxyServer, startProxyServer } from '../server/proxy-server.ts';
import type { ProxyServerOptions } from '../server/proxy-server-options.ts';
import { listening, portOf } from '../status-server.ts';

/** A CA with one server and one client certificate, as the konnectivity signer makes them. */
export async function testPki(commonName = 'konnectivity-signer') {
  const now = Date.now();
  const authority = await createAuthority({ subject: { commonName }, now });
  const server = await issue(authority, {
    subject: { commonName: 'konnectivity-server-local' },
    role: 'server',
    now,
    dnsNames: ['localhost', 'konnectivity-server-local'],
    ipAddresses: ['127.0.0.1'],
  });
  const client = await issue(authority, { subject: { commonName: 'konnectivity-client' }, role: 'client', now });
  const ca = authority.certificatePem;
  return {
    server: { ca, cert: server.certificatePem, key: server.keyPem },
    client: { ca, cert: client.certificatePem, key: client.keyPem },
  };
}

export type TestPki = Awaited<ReturnType<typeof testPki>>;

/** Everything started in a test, given back at its end. */
export class Loopback {
  readonly pki: TestPki;
  readonly #closers: (() => unknown)[] = [];
  readonly #local = new LocalProxyServers();
  readonly #isNear: boolean;

  /** With `isNear`, agents find the servers of this process and use no sockets. */
  constructor(pki: TestPki, isNear = false) {
    this.pki = pki;
    this.#isNear = isNear;
  }

  async server(options: Partial<ProxyServerOptions> = {}): Promise<ProxyServer> {
    const server = await startProxyServer({
      front: { host: '127.0.0.1', port: 0, tls: this.pki.server },
      agents: { host: '127.0.0.1', port: 0, tls: this.pki.server },
      ...options,
    });
    const leave = this.#local.add(server, this.pki.server);
    const close = () => {
      leave();
      return server.close();
    };
    this.#closers.push(close);
    return { ...server, close };
  }

  async agent(port: number, options: Partial<ProxyAgentOptions> = {}): Promise<ProxyAgent> {
    const certificate = fingerprint(parseCertificates(this.pki.server.cert)[0]!.der);
    const tls = options.server?.tls ?? this.pki.client;
    const nearby = async () => this.#local.accepting(certificate, tls, Date.now());
    const agent = await startProxyAgent({
      server: { host: '127.0.0.1', port, tls },
      ...(this.#isNear ? { nearby, whenNearby: (wake) => this.#local.whenAdded(this.pki.client.ca, wake) } : {}),
      syncIntervalMs: 20,
      syncIntervalCapMs: 100,
      ...options,
    });
    this.#closers.push(() => agent.close());
    return agent;
  }

  dialer(server: ProxyServer): Dialer {
    return konnectivityDialer({ proxy: { host: '127.0.0.1', port: server.ports.front, tls: this.pki.client } });
  }

  /** A TCP server in the place of a kubelet; resolves with its port. */
  async target(serve: (socket: Socket) => void): Promise<number> {
    const sockets = new Set<Socket>();
    const server: Server = createServer({ allowHalfOpen: true }, (socket) => {
      sockets.add(socket);
      socket.on('error', () => {});
      serve(socket);
    });
    await listening(server, { host: '127.0.0.1', port: 0 });
    this.#closers.push(() => {
      server.close();
      for (const socket of sockets) socket.destroy();
    });
    return portOf(server);
  }

  async close(): Promise<void> {
    for (const closer of this.#closers.splice(0).reverse()) await closer();
  }
}

/** Waits for something that happens soon, by looking; resolves when it is so. */
export async function eventually(what: () => boolean | Promise<boolean>, withinMs = 5_000): Promise<void> {
  const end = Date.now() + withinMs;
  while (!(await what())) {
    if (Date.now() > end) throw new Error(`it did not happen in ${withinMs} ms: ${what.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Everything until the other side ends; unlike `for await`, it leaves our side open. */
export function readAll(stream: Readable): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.once('end', () => resolve(Buffer.concat(chunks)));
    stream.once('error', reject);
    stream.once('close', () => reject(new Error('closed before its end')));
  });
}
