import { Duplex } from 'node:stream';
import type { Packet } from '../wire/packet.ts';

/** Packets one end may have ahead of the other, as much as a gRPC stream would hold of full ones. */
const packetsAhead = 32;

/** Two ends of a stream of packets inside this process; what breaks one breaks the other. */
export function packetPair(): readonly [Duplex, Duplex] {
  const [one, other] = [new PacketEnd(), new PacketEnd()];
  one.other = other;
  other.other = one;
  return [one, other];
}

class PacketEnd extends Duplex {
  other: PacketEnd | undefined;
  #whenRead: (() => void) | undefined;

  constructor() {
    super({ objectMode: true, highWaterMark: packetsAhead });
    // An end that breaks tells so by closing; nobody has to listen for more.
    this.on('error', () => {});
  }

  override _read(): void {
    const taken = this.#whenRead;
    this.#whenRead = undefined;
    taken?.();
  }

  override _write(packet: Packet, _encoding: BufferEncoding, done: () => void): void {
    // Never within the sender's call: over a socket nobody is answered before he has finished asking.
    process.nextTick(() => this.other?.receive(packet, done));
  }

  override _final(done: () => void): void {
    process.nextTick(() => {
      if (!this.other?.destroyed) this.other?.push(null);
      done();
    });
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    const { other } = this;
    this.other = undefined;
    process.nextTick(() => other?.destroy());
    done(error);
  }

  receive(packet: Packet, done: () => void): void {
    if (this.destroyed || this.push(packet)) done();
    else this.#whenRead = done;
  }
}
