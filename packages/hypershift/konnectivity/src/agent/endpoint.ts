import { connect, type Socket } from 'node:net';
import { splitHostPort } from '../wire/address.ts';
import type { PacketStream, Receiver } from '../wire/packet-stream.ts';
import { maxBufferedBytes, maxDataBytes } from '../wire/tunnel-connection.ts';

/** What a target may still send after the client closed its side, when nobody says that it stopped listening. */
const lingerMs = 30_000;

/** Connects to a target; rejects with a message like Go's, which upstream servers turn into HTTP statuses. */
export function dialTarget(address: string, timeoutMs: number, signal: AbortSignal): Promise<Socket> {
  const target = splitHostPort(address);
  if (!target) return Promise.reject(new Error(`dial tcp: address ${address}: missing port in address`));
  return new Promise((resolve, reject) => {
    const socket = connect({ ...target, allowHalfOpen: true, noDelay: true, keepAlive: true });
    const fail = (message: string) => {
      socket.destroy();
      reject(new Error(message));
    };
    const abandoned = () => fail('the dial was given up');
    socket.setTimeout(timeoutMs, () => fail(`dial tcp ${address}: i/o timeout`));
    signal.addEventListener('abort', abandoned, { once: true });
    socket.once('error', (error: NodeJS.ErrnoException) => fail(goMessage(address, target.host, error)));
    socket.once('connect', () => {
      signal.removeEventListener('abort', abandoned);
      socket.removeAllListeners('error');
      socket.removeAllListeners('timeout');
      socket.setTimeout(0);
      resolve(socket);
    });
  });
}

const goErrors: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset by peer',
  EHOSTUNREACH: 'no route to host',
  ENETUNREACH: 'network is unreachable',
  ETIMEDOUT: 'i/o timeout',
  EMFILE: 'too many open files',
};

function goMessage(address: string, host: string, error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOTFOUND' || error.code === 'EAI_AGAIN')
    return `dial tcp: lookup ${host}: ${error.code === 'ENOTFOUND' ? 'no such host' : 'temporary failure in name resolution'}`;
  return `dial tcp ${address}: connect: ${goErrors[error.code ?? ''] ?? error.message}`;
}

/** The agent's end of a connection: packets on one side, the target's socket on the other. */
export class Endpoint implements Receiver {
  readonly #stream: PacketStream;
  readonly #connectID: number;
  readonly #socket: Socket;
  readonly #onGone: () => void;
  #closing: NodeJS.Timeout | undefined;
  #gone = false;

  constructor(stream: PacketStream, connectID: number, socket: Socket, onGone: () => void) {
    this.#stream = stream;
    this.#connectID = connectID;
    this.#socket = socket;
    this.#onGone = onGone;
    socket.on('data', (data: Buffer) => this.#forward(data));
    socket.on('drain', () => stream.unblock(this));
    // The protocol cannot say "no more from here": the target's end closes both ways, as upstream's agent does.
    socket.on('end', () => this.#finish());
    socket.on('error', () => this.#finish());
    socket.on('close', () => this.#finish());
  }

  /** Bytes for the target. */
  receive(data: Buffer): void {
    if (this.#socket.writableEnded || this.#socket.destroyed) return;
    this.#socket.write(data);
    if (this.#socket.writableLength > maxBufferedBytes) this.#stream.block(this);
  }

  /** First the target hears that no more comes and may finish its answer; asked again, nobody waits for that. */
  closeRequested(): void {
    if (this.#closing) return this.abort();
    this.#socket.end();
    this.#closing = setTimeout(() => this.abort(), lingerMs).unref();
  }

  abort(): void {
    this.#socket.destroy();
    this.#finish();
  }

  stalled(): void {
    this.abort();
  }

  #forward(data: Buffer): void {
    let writable = true;
    for (let at = 0; at < data.length; at += maxDataBytes) {
      const part = data.subarray(at, at + maxDataBytes);
      writable = this.#stream.send({ type: 'DATA', connectID: this.#connectID, error: '', data: part });
    }
    if (writable) return;
    this.#socket.pause();
    this.#stream.whenWritable(() => this.#socket.resume());
  }

  #finish(): void {
    if (this.#gone) return;
    this.#gone = true;
    clearTimeout(this.#closing);
    this.#stream.unblock(this);
    this.#stream.send({ type: 'CLOSE_RSP', error: '', connectID: this.#connectID });
    this.#onGone();
    // What is still to be written gets out, if the target takes it; then the socket goes.
    this.#socket.setTimeout(lingerMs, () => this.#socket.destroy());
    this.#socket.destroySoon();
  }
}
