import {
  type AddressInfo,
  connect as connectTcp,
  createServer as createTcpServer,
  type Server,
  type Socket,
} from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls, createServer as createTlsServer } from 'node:tls';
import type { Backend, Frontend, RouterConfiguration } from './configuration.ts';
import { maxHelloBytes, serverNameOf } from './server-name.ts';

const helloMs = 5_000;
const connectMs = 10_000;

export interface RouterSurroundings {
  readonly address: string;
  /** Where a backend is on this machine. */
  readonly resolve: (backend: { readonly host: string; readonly port: number }) => {
    readonly host: string;
    readonly port: number;
  };
  /** PEM of a certificate with its key. */
  readonly certificate: (file: string) => Promise<string>;
  readonly ca: (file: string) => Promise<string>;
}

export interface Router {
  /** Where each frontend listens, in order. */
  readonly ports: readonly number[];
  /** Takes another configuration for connections to come; frontends keep their ports. */
  use(configuration: RouterConfiguration): void;
  close(): Promise<void>;
}

/** Sends connections onwards by the host name they ask for, as a HAProxy of ours is configured to. */
export async function startRouter(configuration: RouterConfiguration, around: RouterSurroundings): Promise<Router> {
  const state = { configuration };
  const sockets = new Set<Socket>();
  const servers: Server[] = [];
  const track = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => sockets.delete(socket));
  };
  for (const { name, port, certificate } of configuration.frontends) {
    const current = (): Frontend | undefined => state.configuration.frontends.find((one) => one.name === name);
    const backend = (by: string | undefined): Backend | undefined => state.configuration.backends.get(by ?? '');
    const serve = (socket: Socket): void => {
      const frontend = current();
      if (!frontend) socket.destroy();
      else if (frontend.monitorUri) answerMonitor(socket);
      else if (frontend.certificate) void onwards(socket, backend(frontend.defaultBackend), around, track);
      else routeByName(socket, frontend, (by) => void onwards(socket, backend(by), around, track));
    };
    const pem = certificate ? await around.certificate(certificate) : undefined;
    const server = pem
      ? createTlsServer({ cert: pem, key: pem, minVersion: 'TLSv1.2', ALPNProtocols: ['http/1.1'] }, serve)
      : createTcpServer({ noDelay: true }, serve);
    server.on('connection', track);
    server.on('tlsClientError', () => {});
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ host: around.address, port, exclusive: true }, resolve);
    });
    servers.push(server);
  }
  return {
    ports: servers.map((server) => (server.address() as AddressInfo).port),
    use(next) {
      state.configuration = next;
    },
    async close() {
      const closed = servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve())));
      for (const socket of sockets) socket.destroy();
      await Promise.all(closed);
    },
  };
}

function answerMonitor(socket: Socket): void {
  socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n'));
}

/** Waits for the ClientHello and picks the backend of its name. */
function routeByName(socket: Socket, frontend: Frontend, go: (backend: string | undefined) => void): void {
  let hello: Buffer = Buffer.alloc(0);
  socket.setTimeout(helloMs, () => socket.destroy());
  const onData = (chunk: Buffer): void => {
    hello = hello.length === 0 ? chunk : Buffer.concat([hello, chunk]);
    const found = serverNameOf(hello);
    if (found === 'incomplete' && hello.length < maxHelloBytes) return;
    socket.off('data', onData);
    socket.setTimeout(0);
    if (typeof found === 'string') return void socket.destroy();
    socket.pause();
    socket.unshift(hello);
    go(frontend.hosts.get(found.name ?? '') ?? frontend.defaultBackend);
  };
  socket.on('data', onData);
}

async function onwards(
  socket: Socket,
  backend: Backend | undefined,
  around: RouterSurroundings,
  track: (socket: Socket) => void,
): Promise<void> {
  if (!backend) return void socket.destroy();
  const ca = backend.ca ? await around.ca(backend.ca).catch(() => undefined) : undefined;
  if (backend.ca && ca === undefined) return void socket.destroy();
  const tcp = connectTcp({ ...around.resolve({ host: backend.host, port: backend.port }), noDelay: true });
  track(tcp);
  tcp.setTimeout(connectMs, () => tcp.destroy());
  tcp.once('connect', () => tcp.setTimeout(0));
  const far: Duplex = ca ? connectTls({ socket: tcp, ca, servername: backend.host, ALPNProtocols: ['http/1.1'] }) : tcp;
  far.on('error', () => socket.destroy());
  far.once('close', () => socket.destroy());
  socket.once('close', () => far.destroy());
  socket.pipe(far).pipe(socket);
}
