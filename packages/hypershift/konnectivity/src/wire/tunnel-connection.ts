import { Duplex } from 'node:stream';
import type { PacketStream, Receiver } from './packet-stream.ts';

/** Largest payload of one DATA packet that we send. */
export const maxDataBytes = 64 * 1024;
/** What a connection may hold for a reader that is slower than the tunnel, before the tunnel waits for it. */
export const maxBufferedBytes = 1024 * 1024;

/**
 * The dialing side's end of a connection through the tunnel. Ending it asks the far side to close after what was
 * written; what the far side still sends arrives, if that side keeps sending (ours does, upstream's closes at once).
 */
export class TunnelConnection extends Duplex implements Receiver {
  readonly connectID: number;
  readonly #stream: PacketStream;
  readonly #onGone: () => void;
  #peerClosed = false;

  constructor(stream: PacketStream, connectID: number, onGone: () => void) {
    super({ allowHalfOpen: true, readableHighWaterMark: maxDataBytes, writableHighWaterMark: maxDataBytes });
    this.#stream = stream;
    this.connectID = connectID;
    this.#onGone = onGone;
    // A tunnel may break between the dial and the first listener; that must not end the process of all tenants.
    this.on('error', () => {});
  }

  /** Bytes from the far side. */
  receive(data: Buffer): void {
    if (this.readableEnded || this.destroyed || this.#peerClosed) return;
    this.push(data);
    if (this.readableLength > maxBufferedBytes) this.#stream.block(this);
  }

  /** The far side is closed: what was received can still be read. */
  closedByPeer(): void {
    if (this.#peerClosed) return;
    this.#peerClosed = true;
    this.#onGone();
    this.#stream.unblock(this);
    if (this.destroyed) return;
    this.push(null);
    this.end();
  }

  /** The tunnel itself broke: no byte after this one can be trusted to arrive. */
  broken(error: Error): void {
    this.#peerClosed = true;
    this.#onGone();
    this.destroy(error);
  }

  stalled(): void {
    this.destroy(new Error('konnectivity: the reader took nothing for too long and held up its neighbours'));
  }

  override _read(): void {
    this.#stream.unblock(this);
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, callback: (error?: Error | null) => void): void {
    if (this.#peerClosed) return callback(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
    let writable = true;
    for (let at = 0; at < chunk.length; at += maxDataBytes) {
      const data = chunk.subarray(at, at + maxDataBytes);
      writable = this.#stream.send({ type: 'DATA', connectID: this.connectID, error: '', data });
    }
    if (writable) callback();
    else this.#stream.whenWritable(callback);
  }

  override _final(callback: () => void): void {
    if (!this.#peerClosed) this.#stream.send({ type: 'CLOSE_REQ', connectID: this.connectID });
    callback();
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    // A second request after the one of `_final` says that nobody reads any more.
    if (!this.#peerClosed) this.#stream.send({ type: 'CLOSE_REQ', connectID: this.connectID });
    this.#stream.unblock(this);
    this.#onGone();
    callback(error);
  }
}
