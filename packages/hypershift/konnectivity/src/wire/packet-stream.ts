import type { Duplex } from 'node:stream';
import type { Clock } from '@hypershift-ts/kube-apimachinery';
import type { Packet, PacketType } from './packet.ts';

/** One end of a tunneled connection, as its stream sees it. */
export interface Receiver {
  /** Takes nothing for longer than the stream can wait, and holds up its neighbours. */
  stalled(): void;
}

export interface PacketStreamOptions {
  readonly clock: Clock;
  /** How long one connection that takes no bytes may hold up the others of its stream. */
  readonly stallTimeoutMs: number;
  readonly onSent?: (type: PacketType) => void;
  readonly onReceived?: (type: PacketType) => void;
}

/**
 * Packets over one gRPC stream, shared by many connections. The protocol has no window per connection: a connection
 * that cannot take more stops the whole stream, so it gets room for a while and is given up when it stalls too long.
 */
export class PacketStream {
  readonly #stream: Duplex;
  readonly #options: PacketStreamOptions;
  readonly #waiting: (() => void)[] = [];
  readonly #blockers = new Map<Receiver, () => void>();
  #closed = false;

  constructor(
    stream: Duplex,
    options: PacketStreamOptions,
    handlers: { onPacket(packet: Packet): void; onClose(error?: Error): void },
  ) {
    this.#stream = stream;
    this.#options = options;
    let reason: Error | undefined;
    const close = () => {
      if (this.#closed) return;
      this.#closed = true;
      for (const cancel of this.#blockers.values()) cancel();
      this.#blockers.clear();
      handlers.onClose(reason);
      this.#resumeSenders();
    };
    stream.on('data', (packet: Packet) => {
      options.onReceived?.(packet.type);
      handlers.onPacket(packet);
    });
    stream.on('drain', () => this.#resumeSenders());
    stream.on('error', (error: Error) => {
      reason = error;
      close();
    });
    stream.on('cancelled', close);
    stream.on('end', close);
    stream.on('close', close);
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** False asks the sender to wait for `whenWritable`; the packet is sent anyway. */
  send(packet: Packet): boolean {
    if (this.#closed || this.#stream.writableEnded || this.#stream.destroyed) return true;
    this.#options.onSent?.(packet.type);
    return this.#stream.write(packet);
  }

  /** Calls back once when the stream takes more, or has ended. */
  whenWritable(callback: () => void): void {
    if (this.#closed || !this.#stream.writableNeedDrain) callback();
    else this.#waiting.push(callback);
  }

  block(receiver: Receiver): void {
    if (this.#closed || this.#blockers.has(receiver)) return;
    const cancel = this.#options.clock.after(this.#options.stallTimeoutMs, () => receiver.stalled());
    this.#blockers.set(receiver, cancel);
    if (this.#blockers.size === 1) this.#stream.pause();
  }

  unblock(receiver: Receiver): void {
    const cancel = this.#blockers.get(receiver);
    if (!cancel) return;
    cancel();
    this.#blockers.delete(receiver);
    if (this.#blockers.size === 0 && !this.#closed) this.#stream.resume();
  }

  #resumeSenders(): void {
    for (const callback of this.#waiting.splice(0)) callback();
  }
}
