/**
 * Writes protobuf's wire format from the back to the front, so that a length is known when its prefix is written
 * and nothing is copied. Callers therefore write fields, list items and tags in reverse order.
 */
export class Writer {
  #bytes: Buffer;
  #start: number;

  constructor(capacity = 1024) {
    this.#bytes = Buffer.allocUnsafe(capacity);
    this.#start = capacity;
  }

  /** How much has been written; the difference of two lengths is the size of what was written between. */
  get length(): number {
    return this.#bytes.length - this.#start;
  }

  tag(number: number, wireType: number): void {
    this.uint((number << 3) | wireType);
  }

  /** A non-negative integer of at most 2^53. */
  uint(value: number): void {
    let size = 1;
    for (let rest = value; rest >= 128; rest = Math.floor(rest / 128)) size++;
    this.#reserve(size);
    let position = this.#start;
    let rest = value;
    for (let i = 1; i < size; i++) {
      this.#bytes[position++] = (rest % 128) | 0x80;
      rest = Math.floor(rest / 128);
    }
    this.#bytes[position] = rest;
  }

  /** Negative numbers take ten bytes, for int32 too. */
  int(value: number): void {
    if (value >= 0) {
      this.uint(value);
      return;
    }
    this.#reserve(10);
    let rest = BigInt.asUintN(64, BigInt(value));
    for (let i = 0; i < 9; i++) {
      this.#bytes[this.#start + i] = Number(rest & 0x7fn) | 0x80;
      rest >>= 7n;
    }
    this.#bytes[this.#start + 9] = Number(rest);
  }

  double(value: number): void {
    this.#reserve(8);
    this.#bytes.writeDoubleLE(value, this.#start);
  }

  /** Bytes with their length in front. */
  delimited(value: Uint8Array): void {
    this.raw(value);
    this.uint(value.length);
  }

  string(value: string): void {
    const size = Buffer.byteLength(value);
    this.#reserve(size);
    this.#bytes.write(value, this.#start);
    this.uint(size);
  }

  raw(value: Uint8Array): void {
    this.#reserve(value.length);
    this.#bytes.set(value, this.#start);
  }

  finish(): Uint8Array {
    return this.#bytes.subarray(this.#start);
  }

  #reserve(count: number): void {
    if (count > this.#start) {
      const used = this.length;
      const grown = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, used + count));
      this.#bytes.copy(grown, grown.length - used, this.#start);
      this.#start = grown.length - used;
      this.#bytes = grown;
    }
    this.#start -= count;
  }
}
