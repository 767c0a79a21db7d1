/** A file header met in an archive. */
export interface TarEntry {
  /** Without leading `./` or `/`. */
  readonly name: string;
  readonly isFile: boolean;
  readonly size: number;
}

export interface TarVisitor {
  /** Whether the content of this entry is wanted. May throw to end the scan. */
  wants(entry: TarEntry): boolean;
  content(entry: TarEntry, bytes: Buffer): void;
}

const blockSize = 512;
/** Long names and pax headers are small; anything larger is an attack or damage. */
const largestMetadata = 1 << 20;

type Purpose = 'skip' | 'content' | 'long-name' | 'pax';

/**
 * Reads a tar stream as it comes, in pieces of any size, and keeps only what is wanted. Understands ustar, GNU long
 * names and pax headers.
 */
export class TarScanner {
  /** Set once the end mark of the archive was seen. */
  ended = false;
  private readonly visitor: TarVisitor;
  private readonly header = Buffer.alloc(blockSize);
  private headerFill = 0;
  private body: Buffer[] = [];
  private remaining = 0;
  private padding = 0;
  private purpose: Purpose = 'skip';
  private entry: TarEntry | undefined;
  private longName: string | undefined;
  private pax: { path?: string; size?: number } = {};

  constructor(visitor: TarVisitor) {
    this.visitor = visitor;
  }

  write(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length && !this.ended) {
      if (this.remaining > 0) {
        const take = Math.min(this.remaining, chunk.length - at);
        if (this.purpose !== 'skip') this.body.push(Buffer.from(chunk.subarray(at, at + take)));
        this.remaining -= take;
        at += take;
        if (this.remaining === 0) this.finishBody();
      } else if (this.padding > 0) {
        const take = Math.min(this.padding, chunk.length - at);
        this.padding -= take;
        at += take;
      } else {
        const take = Math.min(blockSize - this.headerFill, chunk.length - at);
        chunk.copy(this.header, this.headerFill, at, at + take);
        this.headerFill += take;
        at += take;
        if (this.headerFill === blockSize) this.readHeader();
      }
    }
  }

  private readHeader(): void {
    this.headerFill = 0;
    const { header } = this;
    if (header.every((byte) => byte === 0)) {
      this.ended = true;
      return;
    }
    if (!checksumHolds(header)) throw new Error('not a tar archive: a header has a wrong checksum');
    const type = String.fromCharCode(header[156] as number);
    const declared = numberField(header, 124, 12);
    const size = type === 'x' || type === 'g' || type === 'L' || type === 'K' ? declared : (this.pax.size ?? declared);
    this.remaining = size;
    this.padding = (blockSize - (size % blockSize)) % blockSize;
    this.body = [];
    if (type === 'x' || type === 'L') {
      if (size > largestMetadata) throw new Error('a tar header is too large');
      this.purpose = type === 'x' ? 'pax' : 'long-name';
    } else if (type === 'g' || type === 'K') {
      this.purpose = 'skip';
    } else {
      this.startEntry(type, size);
    }
    if (size === 0) this.finishBody();
  }

  private startEntry(type: string, size: number): void {
    const name = this.longName ?? this.pax.path ?? ustarName(this.header);
    this.longName = undefined;
    this.pax = {};
    const isFile = type === '0' || type === '\0' || type === '7';
    this.entry = { name: name.replace(/^(?:\.?\/)+/, ''), isFile, size };
    // Links and devices may carry a size, but never a body.
    if (type >= '1' && type <= '6') {
      this.remaining = 0;
      this.padding = 0;
    }
    this.purpose = this.visitor.wants(this.entry) && isFile ? 'content' : 'skip';
  }

  private finishBody(): void {
    const bytes = this.purpose === 'skip' ? undefined : Buffer.concat(this.body);
    this.body = [];
    if (!bytes) return;
    if (this.purpose === 'long-name') this.longName = textUntilNul(bytes);
    else if (this.purpose === 'pax') this.pax = parsePax(bytes);
    else if (this.entry) this.visitor.content(this.entry, bytes);
    this.purpose = 'skip';
  }
}

function textUntilNul(bytes: Buffer): string {
  const end = bytes.indexOf(0);
  return bytes.toString('utf8', 0, end < 0 ? bytes.length : end);
}

function ustarName(header: Buffer): string {
  const name = textUntilNul(header.subarray(0, 100));
  const isPosix = header.toString('latin1', 257, 263) === 'ustar\0';
  const prefix = isPosix ? textUntilNul(header.subarray(345, 500)) : '';
  return prefix === '' ? name : `${prefix}/${name}`;
}

/** Octal text, or base 256 when the first bit is set, as GNU writes sizes over 8 GiB. */
function numberField(header: Buffer, start: number, length: number): number {
  if (((header[start] as number) & 0x80) !== 0) {
    let value = 0;
    for (let index = 1; index < length; index++) value = value * 256 + (header[start + index] as number);
    if (!Number.isSafeInteger(value)) throw new Error('a tar header has an impossible size');
    return value;
  }
  const text = header
    .toString('latin1', start, start + length)
    .replaceAll('\0', ' ')
    .trim();
  if (text === '') return 0;
  if (!/^[0-7]+$/.test(text)) throw new Error('not a tar archive: a header has no octal size');
  return Number.parseInt(text, 8);
}

function checksumHolds(header: Buffer): boolean {
  const expected = numberField(header, 148, 8);
  let sum = 0;
  for (let index = 0; index < blockSize; index++) sum += index >= 148 && index < 156 ? 32 : (header[index] as number);
  return sum === expected;
}

/** Records of the form `<length> <key>=<value>\n`. */
function parsePax(bytes: Buffer): { path?: string; size?: number } {
  const found: { path?: string; size?: number } = {};
  let at = 0;
  while (at < bytes.length) {
    const space = bytes.indexOf(32, at);
    const length = space < 0 ? Number.NaN : Number(bytes.toString('latin1', at, space));
    if (!Number.isSafeInteger(length) || length <= space - at + 1 || at + length > bytes.length) break;
    const record = bytes.toString('utf8', space + 1, at + length - 1);
    const equals = record.indexOf('=');
    const value = record.slice(equals + 1);
    if (record.startsWith('path=')) found.path = value;
    if (record.startsWith('size=') && /^[0-9]{1,15}$/.test(value)) found.size = Number(value);
    at += length;
  }
  return found;
}
