const newline = 0x0a;

/** Cuts a byte stream into lines, each at most `limit` bytes, without copying what lies within one chunk. */
export class LineSplitter {
  private readonly limit: number;
  private parts: Buffer[] = [];
  private size = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  /** Bytes of a line whose end has not come yet. */
  get unfinished(): number {
    return this.size;
  }

  /** The lines that this chunk completes; empty ones are left out. */
  *push(chunk: Buffer): Generator<string> {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(newline, start);
      if (end < 0) break;
      const line = this.finish(chunk.subarray(start, end));
      start = end + 1;
      if (line !== '') yield line;
    }
    if (start === chunk.length) return;
    this.keep(start === 0 ? chunk : chunk.subarray(start));
  }

  private keep(part: Buffer): void {
    this.size += part.length;
    if (this.size > this.limit) throw new Error(`a line of the stream is longer than ${this.limit} bytes`);
    this.parts.push(part);
  }

  private finish(last: Buffer): string {
    if (this.parts.length === 0) return last.toString('utf8');
    this.keep(last);
    const line = Buffer.concat(this.parts, this.size).toString('utf8');
    this.parts = [];
    this.size = 0;
    return line;
  }
}
