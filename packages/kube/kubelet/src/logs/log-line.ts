/** One stored line in the format of the container runtime interface: `time stream tag content`. */
export interface LogLine {
  /** RFC 3339 with nanoseconds. */
  readonly time: string;
  /** False when the line continues in the next record. */
  readonly complete: boolean;
  readonly content: Buffer;
}

export type LogStream = 'stdout' | 'stderr';

/** Longer lines are stored in pieces, so that a stream without line ends cannot fill memory. */
export const maxLineBytes = 16 * 1024;

const space = 0x20;
const newline = 0x0a;

/** RFC 3339 in UTC with nine digits, so that times sort as text. */
export function logTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 23)}000000Z`;
}

/** Cuts a stream into stored lines; keeps the unfinished rest until more comes or `end` is called. */
export class LineCutter {
  private rest: Buffer | undefined;
  private readonly stream: LogStream;

  constructor(stream: LogStream) {
    this.stream = stream;
  }

  push(chunk: Buffer, nowMs: number, into: Buffer[]): void {
    const data = this.rest ? Buffer.concat([this.rest, chunk]) : chunk;
    this.rest = undefined;
    const prefix = `${logTime(nowMs)} ${this.stream} `;
    const full = Buffer.from(`${prefix}F `);
    let from = 0;
    for (let at = data.indexOf(newline, from); at >= 0; at = data.indexOf(newline, from)) {
      from = this.partials(data, from, at, prefix, into);
      into.push(full, data.subarray(from, at + 1));
      from = at + 1;
    }
    from = this.partials(data, from, data.length, prefix, into);
    // A copy, because a slice would keep the whole chunk alive.
    if (from < data.length) this.rest = Buffer.from(data.subarray(from));
  }

  end(nowMs: number, into: Buffer[]): void {
    if (!this.rest) return;
    // Shown without a line end, because the container wrote none.
    into.push(Buffer.from(`${logTime(nowMs)} ${this.stream} P `), this.rest, Buffer.from('\n'));
    this.rest = undefined;
  }

  private partials(data: Buffer, from: number, to: number, prefix: string, into: Buffer[]): number {
    let at = from;
    while (to - at > maxLineBytes) {
      into.push(Buffer.from(`${prefix}P `), data.subarray(at, at + maxLineBytes), Buffer.from('\n'));
      at += maxLineBytes;
    }
    return at;
  }
}

/** Reads a stored line (without its line end), or undefined when it is damaged. */
export function parseLogLine(line: Buffer): LogLine | undefined {
  const first = line.indexOf(space);
  const second = line.indexOf(space, first + 1);
  const third = line.indexOf(space, second + 1);
  if (first < 0 || second < 0 || third < 0) return undefined;
  return {
    time: line.toString('latin1', 0, first),
    complete: line[second + 1] === 0x46,
    content: line.subarray(third + 1),
  };
}
