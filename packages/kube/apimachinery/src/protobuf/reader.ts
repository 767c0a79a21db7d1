/** The bytes are not what the wire format or the type allows; the message says what and where. */
export class ProtobufError extends Error {
  override readonly name = 'ProtobufError';
}

export const WireType = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const;

/** Reads protobuf's wire format. Every read checks `end`, so truncated or lying input throws and never overruns. */
export class Reader {
  readonly #bytes: Buffer;
  #position: number;
  #end: number;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#position = 0;
    this.#end = bytes.byteLength;
  }

  get atEnd(): boolean {
    return this.#position >= this.#end;
  }

  /** Runs `read` on the next length-delimited value as if it were the whole input. */
  within<T>(read: () => T): T {
    const length = this.#length();
    const outerEnd = this.#end;
    this.#end = this.#position + length;
    const result = read();
    this.#position = this.#end;
    this.#end = outerEnd;
    return result;
  }

  /** A field's tag: its number and how its value is laid out. */
  tag(): { number: number; wireType: number } {
    const tag = this.#varintLow();
    const number = tag >>> 3;
    if (number === 0) throw new ProtobufError(`illegal field number 0 at byte ${this.#position}`);
    return { number, wireType: tag & 7 };
  }

  /** A signed 64-bit varint. Beyond 2^53 the number loses precision, as any JSON number would here. */
  int64(): number {
    const start = this.#position;
    let low = 0;
    let scale = 1;
    for (let i = 0; i < 7; i++) {
      const byte = this.#byte();
      low += (byte & 0x7f) * scale;
      if (byte < 0x80) return low;
      scale *= 128;
    }
    this.#position = start;
    return Number(BigInt.asIntN(64, this.#varint()));
  }

  int32(): number {
    return Number(BigInt.asIntN(32, BigInt(this.int64())));
  }

  bool(): boolean {
    return this.int64() !== 0;
  }

  double(): number {
    this.#need(8);
    const value = this.#bytes.readDoubleLE(this.#position);
    this.#position += 8;
    return value;
  }

  string(): string {
    const length = this.#length();
    const start = this.#position;
    this.#position += length;
    return this.#bytes.toString('utf8', start, this.#position);
  }

  /** A view on the input, not a copy. */
  bytes(): Buffer {
    const length = this.#length();
    const start = this.#position;
    this.#position += length;
    return this.#bytes.subarray(start, this.#position);
  }

  skip(wireType: number): void {
    switch (wireType) {
      case WireType.varint:
        this.#varint();
        return;
      case WireType.fixed64:
        this.#need(8);
        this.#position += 8;
        return;
      case WireType.bytes:
        this.bytes();
        return;
      case WireType.fixed32:
        this.#need(4);
        this.#position += 4;
        return;
      default:
        throw new ProtobufError(`illegal wire type ${wireType} at byte ${this.#position}`);
    }
  }

  #byte(): number {
    if (this.#position >= this.#end) throw new ProtobufError(`unexpected end of data at byte ${this.#position}`);
    return this.#bytes[this.#position++] ?? 0;
  }

  #need(count: number): void {
    if (this.#position + count > this.#end) {
      throw new ProtobufError(`unexpected end of data: ${count} bytes wanted at byte ${this.#position}`);
    }
  }

  #varint(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#byte();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw new ProtobufError(`varint longer than 10 bytes at byte ${this.#position}`);
  }

  /** For tags and lengths, which fit 32 bits or are wrong. */
  #varintLow(): number {
    const value = this.int64();
    if (value < 0 || value > 0xffff_ffff) throw new ProtobufError(`illegal tag or length at byte ${this.#position}`);
    return value;
  }

  #length(): number {
    const length = this.#varintLow();
    this.#need(length);
    return length;
  }
}
