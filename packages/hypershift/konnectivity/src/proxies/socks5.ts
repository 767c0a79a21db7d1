import { createServer, type Server, type Socket } from 'node:net';
import type { Dialer } from '../dialer/konnectivity-dialer.ts';
import { join } from '../join.ts';

const version = 5;
const replies = { succeeded: 0, failure: 1, notAllowed: 2, hostUnreachable: 4, refused: 5, badCommand: 7, badType: 8 };
/** A greeting and a request are at most 257 and 262 bytes. */
const maxPreambleBytes = 600;
const preambleMs = 10_000;

/** A SOCKS5 proxy (RFC 1928: CONNECT, no authentication) over a dialer. Not listening yet. */
export function socks5Proxy(dial: Dialer): Server {
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    socket.on('error', () => socket.destroy());
    void serve(socket, dial).catch(() => socket.destroy());
  });
  server.maxConnections = 5_000;
  return server;
}

async function serve(socket: Socket, dial: Dialer): Promise<void> {
  socket.setTimeout(preambleMs, () => socket.destroy());
  const bytes = preamble(socket);
  const [greeting = 0, methods = 0] = await bytes(2);
  const offered = await bytes(methods);
  if (greeting !== version || !offered.includes(0)) return void socket.end(Buffer.of(version, 0xff));
  socket.write(Buffer.of(version, 0));
  const [, command, , type = 0] = await bytes(4);
  const host = await hostOf(type, bytes);
  if (host === undefined) return answer(socket, replies.badType);
  const port = (await bytes(2)).readUInt16BE(0);
  if (command !== 1) return answer(socket, replies.badCommand);
  socket.setTimeout(0);
  try {
    const upstream = await dial(host, port);
    if (socket.destroyed) return void upstream.destroy();
    answer(socket, replies.succeeded);
    join(socket, upstream);
  } catch (error) {
    answer(socket, replyFor((error as Error).message));
  }
}

async function hostOf(type: number, bytes: (count: number) => Promise<Buffer>): Promise<string | undefined> {
  if (type === 1) return [...(await bytes(4))].join('.');
  if (type === 3) return (await bytes((await bytes(1))[0] ?? 0)).toString('latin1');
  if (type !== 4) return undefined;
  const address = await bytes(16);
  return Array.from({ length: 8 }, (_, index) => address.readUInt16BE(index * 2).toString(16)).join(':');
}

function replyFor(message: string): number {
  if (message.includes('refused')) return replies.refused;
  return /no such host|no route|unreachable|timeout/.test(message) ? replies.hostUnreachable : replies.failure;
}

function answer(socket: Socket, reply: number): void {
  const packet = Buffer.of(version, reply, 0, 1, 0, 0, 0, 0, 0, 0);
  if (reply === replies.succeeded) socket.write(packet);
  else socket.end(packet);
}

/** Reads exact counts of bytes; what came too early stays in the socket. */
function preamble(socket: Socket): (count: number) => Promise<Buffer> {
  let total = 0;
  return (count) =>
    new Promise((resolve, reject) => {
      total += count;
      if (total > maxPreambleBytes) return reject(new Error('socks5: too long'));
      const gone = () => reject(new Error('socks5: the client left'));
      const read = () => {
        const bytes = count === 0 ? Buffer.alloc(0) : (socket.read(count) as Buffer | null);
        if (!bytes || bytes.length < count) return false;
        socket.off('readable', read);
        socket.off('close', gone);
        socket.off('end', gone);
        resolve(bytes);
        return true;
      };
      if (read()) return;
      socket.on('readable', read);
      socket.once('close', gone);
      socket.once('end', gone);
    });
}
