import * as zlib from 'node:zlib';

type Decompressor = zlib.Gunzip;

/** Turns the bytes of a layer into tar bytes, whatever the layer is packed with, one piece at a time. */
export class Unpacker {
  private readonly sink: (bytes: Buffer) => void;
  private stream: Decompressor | 'plain' | undefined;
  private failure: unknown;
  private first: Buffer = Buffer.alloc(0);

  constructor(sink: (bytes: Buffer) => void) {
    this.sink = sink;
  }

  /** Resolves when everything of the piece reached the sink. Rejects with what the sink threw. */
  async write(piece: Buffer): Promise<void> {
    if (this.stream === undefined) {
      this.first = this.first.length === 0 ? piece : Buffer.concat([this.first, piece]);
      if (this.first.length < 4) return;
      this.stream = this.open(this.first);
      return this.push(this.first);
    }
    return this.push(piece);
  }

  /** Gives what is left to the sink. */
  async end(): Promise<void> {
    const { stream } = this;
    if (stream === undefined) {
      if (this.first.length > 0) this.sink(this.first);
    } else if (stream !== 'plain') {
      await this.settled(stream, (done) => {
        stream.once('end', done);
        stream.end();
      });
    }
  }

  close(): void {
    if (this.stream && this.stream !== 'plain') this.stream.destroy();
  }

  private async push(piece: Buffer): Promise<void> {
    const { stream } = this;
    if (stream === 'plain') return this.sink(piece);
    if (stream) await this.settled(stream, (done) => void stream.write(piece, done));
  }

  /** A stream that breaks closes without calling back, so that is waited for as well. */
  private async settled(stream: Decompressor, start: (done: () => void) => void): Promise<void> {
    if (!this.failure)
      await new Promise<void>((resolve) => {
        const done = () => {
          stream.off('close', done);
          resolve();
        };
        stream.once('close', done);
        start(done);
      });
    if (this.failure) throw this.failure;
  }

  private open(start: Buffer): Decompressor | 'plain' {
    const isGzip = start[0] === 0x1f && start[1] === 0x8b;
    const isZstd = start.readUInt32LE(0) === 0xfd2fb528;
    if (!isGzip && !isZstd) return 'plain';
    const stream = isGzip ? zlib.createGunzip() : zstd();
    stream.on('data', (bytes: Buffer) => {
      if (this.failure) return;
      try {
        this.sink(bytes);
      } catch (error) {
        this.failure = error;
        stream.destroy();
      }
    });
    stream.on('error', (error) => {
      this.failure ??= error;
    });
    return stream;
  }
}

/** Node.js has zstd since 22.15. */
function zstd(): Decompressor {
  const create = (zlib as { createZstdDecompress?: () => Decompressor }).createZstdDecompress;
  if (!create) throw new Error('the layer is packed with zstd, which needs Node.js 22.15 or newer');
  return create();
}
