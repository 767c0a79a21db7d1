/** The parts of AMQP 0-9-1 framing that a small server needs. */

export interface Frame {
  readonly type: number;
  readonly channel: number;
  readonly payload: Buffer;
}

export const METHOD = 1;
export const HEADER = 2;
export const BODY = 3;
const END = 0xce;

export function encodeFrame({ type, channel, payload }: Frame): Buffer {
  const frame = Buffer.alloc(payload.length + 8);
  frame.writeUInt8(type, 0);
  frame.writeUInt16BE(channel, 1);
  frame.writeUInt32BE(payload.length, 3);
  payload.copy(frame, 7);
  frame.writeUInt8(END, payload.length + 7);
  return frame;
}

/** Takes whole frames off the front of what was received. */
export function takeFrames(received: Buffer): { readonly frames: readonly Frame[]; readonly rest: Buffer } {
  const frames: Frame[] = [];
  let at = 0;
  while (received.length - at >= 8) {
    const size = received.readUInt32BE(at + 3);
    if (received.length - at < size + 8) break;
    frames.push({
      type: received.readUInt8(at),
      channel: received.readUInt16BE(at + 1),
      payload: received.subarray(at + 7, at + 7 + size),
    });
    at += size + 8;
  }
  return { frames, rest: received.subarray(at) };
}

/** Writes the arguments of a method. */
export class Writer {
  private readonly parts: Buffer[] = [];

  octet(value: number): this {
    this.parts.push(Buffer.from([value]));
    return this;
  }
  short(value: number): this {
    const part = Buffer.alloc(2);
    part.writeUInt16BE(value);
    this.parts.push(part);
    return this;
  }
  long(value: number): this {
    const part = Buffer.alloc(4);
    part.writeUInt32BE(value);
    this.parts.push(part);
    return this;
  }
  longlong(value: number): this {
    const part = Buffer.alloc(8);
    part.writeBigUInt64BE(BigInt(value));
    this.parts.push(part);
    return this;
  }
  shortstr(text: string): this {
    return this.octet(Buffer.byteLength(text)).bytes(Buffer.from(text));
  }
  longstr(text: string): this {
    return this.long(Buffer.byteLength(text)).bytes(Buffer.from(text));
  }
  bytes(part: Buffer): this {
    this.parts.push(part);
    return this;
  }
  done(): Buffer {
    return Buffer.concat(this.parts);
  }
}

/** Reads the arguments of a method in order. */
export class Reader {
  private readonly payload: Buffer;
  private at: number;

  constructor(payload: Buffer, at: number) {
    this.payload = payload;
    this.at = at;
  }
  octet(): number {
    return this.payload.readUInt8(this.at++);
  }
  short(): number {
    this.at += 2;
    return this.payload.readUInt16BE(this.at - 2);
  }
  longlong(): number {
    this.at += 8;
    return Number(this.payload.readBigUInt64BE(this.at - 8));
  }
  shortstr(): string {
    const length = this.octet();
    this.at += length;
    return this.payload.toString('utf8', this.at - length, this.at);
  }
}
