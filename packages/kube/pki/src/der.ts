/** The part of ASN.1 DER that X.509 needs: a writer that concatenates, and a reader that never leaves its bounds. */

export const tag = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  oid: 0x06,
  utf8String: 0x0c,
  printableString: 0x13,
  ia5String: 0x16,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const;

/** `[n]` with nested content (EXPLICIT, or IMPLICIT over a constructed type). */
export const contextConstructed = (n: number) => 0xa0 | n;
/** `[n]` over a primitive type. */
export const contextPrimitive = (n: number) => 0x80 | n;

function lengthBytes(length: number): Buffer {
  if (length < 0x80) return Buffer.of(length);
  if (length < 0x100) return Buffer.of(0x81, length);
  if (length < 0x10000) return Buffer.of(0x82, length >> 8, length & 0xff);
  return Buffer.of(0x83, length >> 16, (length >> 8) & 0xff, length & 0xff);
}

/** One element: tag, length, and the concatenated contents. */
export function element(tagByte: number, ...contents: readonly Uint8Array[]): Buffer {
  let length = 0;
  for (const part of contents) length += part.length;
  return Buffer.concat([Buffer.of(tagByte), lengthBytes(length), ...contents]);
}

export const sequence = (...items: readonly Uint8Array[]) => element(tag.sequence, ...items);

/** SET OF: DER wants the encodings sorted. */
export const setOf = (items: readonly Uint8Array[]) =>
  element(tag.set, ...[...items].sort((a, b) => Buffer.compare(a, b)));

export const boolean = (value: boolean) => element(tag.boolean, Buffer.of(value ? 0xff : 0));
export const nullValue = element(tag.null);
export const octetString = (content: Uint8Array) => element(tag.octetString, content);
export const bitString = (content: Uint8Array, unusedBits = 0) =>
  element(tag.bitString, Buffer.of(unusedBits), content);

/** A non-negative integer from big-endian bytes. */
export function unsignedInteger(bytes: Uint8Array): Buffer {
  let start = 0;
  while (start < bytes.length - 1 && bytes[start] === 0) start++;
  const body = bytes.subarray(start);
  return ((body[0] ?? 0) & 0x80) !== 0 || body.length === 0
    ? element(tag.integer, Buffer.of(0), body)
    : element(tag.integer, body);
}

const encodedOids = new Map<string, Buffer>();

/** An object identifier from its dotted form. */
export function oid(dotted: string): Buffer {
  const known = encodedOids.get(dotted);
  if (known) return known;
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const bytes: number[] = [];
  for (const arc of [first * 40 + second, ...rest]) {
    const groups = [arc & 0x7f];
    for (let left = Math.floor(arc / 128); left > 0; left = Math.floor(left / 128))
      groups.unshift((left & 0x7f) | 0x80);
    bytes.push(...groups);
  }
  const encoded = element(tag.oid, Buffer.from(bytes));
  if (encodedOids.size < 256) encodedOids.set(dotted, encoded);
  return encoded;
}

/** RFC 5280 time: UTCTime through 2049, GeneralizedTime after. */
export function time(ms: number): Buffer {
  const digits = `${new Date(ms).toISOString().slice(0, 19).replace(/[-:T]/g, '')}Z`;
  return ms < Date.UTC(2050, 0, 1)
    ? element(tag.utcTime, Buffer.from(digits.slice(2), 'latin1'))
    : element(tag.generalizedTime, Buffer.from(digits, 'latin1'));
}

/** What is wrong with bytes that do not parse. */
export class DerError extends Error {
  override readonly name = 'DerError';
}

export interface DerNode {
  readonly tag: number;
  /** The contents, without tag and length. */
  readonly content: Buffer;
  /** The whole element as it stood in the input. */
  readonly raw: Buffer;
}

/** Walks the elements of one constructed value in order. */
export class DerReader {
  private readonly bytes: Buffer;
  private at = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get done(): boolean {
    return this.at >= this.bytes.length;
  }

  peekTag(): number | undefined {
    return this.bytes[this.at];
  }

  next(expected?: number): DerNode {
    const { bytes } = this;
    const start = this.at;
    const tagByte = bytes[start];
    let length = bytes[start + 1];
    if (tagByte === undefined || length === undefined) throw new DerError('truncated element');
    if ((tagByte & 0x1f) === 0x1f) throw new DerError('high tag numbers are not used in X.509');
    if (expected !== undefined && tagByte !== expected) {
      throw new DerError(`expected tag 0x${expected.toString(16)}, found 0x${tagByte.toString(16)}`);
    }
    let body = start + 2;
    if (length === 0x80) throw new DerError('indefinite length is not DER');
    if (length > 0x80) {
      const count = length & 0x7f;
      if (count > 4 || body + count > bytes.length) throw new DerError('bad length');
      length = bytes.readUIntBE(body, count);
      body += count;
    }
    const end = body + length;
    if (end > bytes.length) throw new DerError('element is longer than its container');
    this.at = end;
    return { tag: tagByte, content: bytes.subarray(body, end), raw: bytes.subarray(start, end) };
  }

  /** The next element when it has this tag; otherwise nothing is consumed. */
  optional(expected: number): DerNode | undefined {
    return this.peekTag() === expected ? this.next() : undefined;
  }

  /** Enters the next element, which must have this tag. */
  enter(expected: number = tag.sequence): DerReader {
    return new DerReader(this.next(expected).content);
  }

  oid(): string {
    return readOid(this.next(tag.oid).content);
  }

  time(): number {
    return readTime(this.next());
  }
}

export function readOid(content: Uint8Array): string {
  const arcs: number[] = [];
  let arc = 0;
  for (const byte of content) {
    arc = arc * 128 + (byte & 0x7f);
    if (arc > Number.MAX_SAFE_INTEGER / 128) throw new DerError('object identifier arc too large');
    if ((byte & 0x80) === 0) {
      if (arcs.length === 0) {
        const first = Math.min(2, Math.floor(arc / 40));
        arcs.push(first, arc - first * 40);
      } else arcs.push(arc);
      arc = 0;
    }
  }
  return arcs.join('.');
}

function readTime(node: DerNode): number {
  const text = node.content.toString('latin1');
  const full =
    node.tag === tag.utcTime && /^\d{12}Z$/.test(text)
      ? `${Number(text.slice(0, 2)) >= 50 ? '19' : '20'}${text}`
      : node.tag === tag.generalizedTime && /^\d{14}Z$/.test(text)
        ? text
        : undefined;
  if (!full) throw new DerError('bad time');
  const part = (from: number, to: number) => Number(full.slice(from, to));
  const ms = Date.UTC(part(0, 4), part(4, 6) - 1, part(6, 8), part(8, 10), part(10, 12), part(12, 14));
  if (Number.isNaN(ms)) throw new DerError('bad time');
  return ms;
}
