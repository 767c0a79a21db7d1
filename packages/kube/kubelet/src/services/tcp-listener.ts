import { connect, createServer, type Server, type Socket } from 'node:net';
import type { Clock } from '@hypershift-ts/kube-apimachinery';
import { BackendChoice } from './backend-choice.ts';
import { type Backend, isLoopback, type ListenerSpec } from './listener-spec.ts';

/** An open listener of a Service. */
export interface ServiceListener {
  update(spec: ListenerSpec): void;
  /** No new connections; resolves when those that exist have ended by themselves. */
  drain(): Promise<void>;
  /** Ends everything. */
  close(): Promise<void>;
}

const dialMs = 5_000;

/** Listens and passes each connection on to a backend; tries the next when one refuses. */
export async function openTcpListener(spec: ListenerSpec, clock: Clock): Promise<ServiceListener> {
  const choice = new BackendChoice(spec, clock);
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  };
  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true, noDelay: true }, (socket) => {
    keep(socket);
    socket.on('error', () => socket.destroy());
    void pass(socket, choice, keep);
  });
  await listen(server, spec);
  return {
    update: (next) => choice.update(next),
    drain: () => closed(server),
    async close() {
      const done = closed(server);
      for (const socket of sockets) socket.destroy();
      await done;
    },
  };
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}

async function listen(server: Server, { address, port }: ListenerSpec): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: address, port, exclusive: true }, () => {
      server.off('error', reject);
      // Faults of single connections are theirs; the listener stays.
      server.on('error', () => {});
      resolve();
    });
  });
  server.unref();
}

async function pass(client: Socket, choice: BackendChoice, keep: (socket: Socket) => void): Promise<void> {
  const from = client.remoteAddress ?? '';
  for (const backend of choice.candidates(from)) {
    if (client.destroyed) return;
    const upstream = await dial(backend, from);
    if (!upstream) continue;
    keep(upstream);
    choice.chosen(from, backend);
    join(client, upstream);
    return;
  }
  // A reset, as a packet filter that finds no backend would send it.
  client.resetAndDestroy();
}

function dial({ address, port }: Backend, from: string): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    // On loopback the client's own address can be kept, so that backends see who calls.
    const localAddress = isLoopback(from) ? { localAddress: from } : {};
    const socket = connect({
      host: address,
      port,
      noDelay: true,
      allowHalfOpen: true,
      timeout: dialMs,
      ...localAddress,
    });
    const fail = () => {
      socket.destroy();
      resolve(undefined);
    };
    socket.once('error', fail);
    socket.once('timeout', fail);
    socket.once('connect', () => {
      socket.off('error', fail);
      socket.off('timeout', fail);
      socket.setTimeout(0);
      resolve(socket);
    });
  });
}

/** Copies both ways; the end of one direction is passed on without ending the other. */
function join(client: Socket, upstream: Socket): void {
  upstream.on('error', () => {
    upstream.destroy();
    client.destroy();
  });
  client.on('close', () => upstream.destroy());
  upstream.on('close', () => {
    // What was received must still reach the client.
    if (client.writableEnded || client.destroyed) client.destroySoon();
    else client.end();
  });
  client.pipe(upstream);
  upstream.pipe(client);
  client.resume();
}
