import { type FileHandle, mkdir, open as openFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Writable } from 'node:stream';
import type { Clock } from '@hypershift-ts/kube-apimachinery';
import { LineCutter, type LogStream } from './log-line.ts';
import { readLogFiles } from './log-reader.ts';
import type { LogQuery, LogSource } from './log-source.ts';

export interface LogLimits {
  /** A file larger than this is put aside. */
  readonly maxBytes: number;
  /** Files kept of one run, the current one included. */
  readonly maxFiles: number;
}

export const defaultLogLimits: LogLimits = { maxBytes: 10 * 1024 * 1024, maxFiles: 5 };

/** Containers of thousands of nodes have logs, and few of them say something now. */
const mostOpen = 256;
/** Logs whose file is open, the one that was written last at the end. */
const open = new Set<ContainerLog>();

export interface ContainerLogOptions {
  readonly file: string;
  readonly clock: Clock;
  readonly limits?: LogLimits;
}

/** The log file of one run of a container: written here, read by anybody, rotated by size. */
export class ContainerLog implements LogSource {
  readonly file: string;
  private readonly clock: Clock;
  private readonly limits: LogLimits;
  private handle: FileHandle | undefined;
  private size = 0;
  /** How often the file was put aside; a follower compares it with what it has seen. */
  private turn = 0;
  private closed = false;
  private work: Promise<void> = Promise.resolve();
  private readonly followers = new Set<() => void>();

  constructor({ file, clock, limits = defaultLogLimits }: ContainerLogOptions) {
    this.file = file;
    this.clock = clock;
    this.limits = limits;
  }

  /** A stream whose bytes become lines of the log. It takes no more than the disk does. */
  stream(name: LogStream): Writable {
    const cutter = new LineCutter(name);
    const store = (chunks: readonly Buffer[], done: (error?: Error | null) => void) => {
      const lines: Buffer[] = [];
      const now = this.clock.now();
      for (const chunk of chunks) cutter.push(chunk, now, lines);
      void settle(this.append(lines), done);
    };
    return new Writable({
      write: (chunk: Buffer, _encoding, done) => store([chunk], done),
      writev: (chunks, done) =>
        store(
          chunks.map(({ chunk }) => chunk as Buffer),
          done,
        ),
      final: (done) => {
        const lines: Buffer[] = [];
        cutter.end(this.clock.now(), lines);
        void settle(this.append(lines), done);
      },
    });
  }

  /** Ends the log: followers read to the end and leave. */
  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    await this.work.catch(() => {});
    await this.closeFile();
    this.tellFollowers();
  }

  read(query: LogQuery, signal: AbortSignal): AsyncIterable<Buffer> {
    return readLogFiles(this.file, query, signal, {
      turn: () => this.turn,
      isOpen: () => !this.closed,
      changed: (until) => this.nextChange(until),
    });
  }

  private append(lines: readonly Buffer[]): Promise<void> {
    if (lines.length === 0 || this.closed) return Promise.resolve();
    const data = Buffer.concat(lines);
    this.work = this.work.then(async () => {
      this.handle ??= await this.openFile();
      this.keepOpen();
      await this.handle.appendFile(data);
      this.size += data.length;
      if (this.size > this.limits.maxBytes) await this.rotate();
      this.tellFollowers();
    });
    return this.work;
  }

  /** Makes room for this one by closing the file that was not needed for the longest time. */
  private keepOpen(): void {
    open.delete(this);
    open.add(this);
    if (open.size <= mostOpen) return;
    const [oldest] = open;
    if (!oldest) return;
    open.delete(oldest);
    // Whoever wrote has heard of an error already; the next line opens the file anew.
    oldest.work = oldest.work.then(() => oldest.closeFile()).catch(() => {});
  }

  private async closeFile(): Promise<void> {
    open.delete(this);
    const { handle } = this;
    this.handle = undefined;
    await handle?.close();
  }

  private async openFile(): Promise<FileHandle> {
    await mkdir(dirname(this.file), { recursive: true, mode: 0o750 });
    const handle = await openFile(this.file, 'a', 0o640);
    this.size = (await handle.stat()).size;
    return handle;
  }

  private async rotate(): Promise<void> {
    await this.closeFile();
    const last = Math.max(1, this.limits.maxFiles - 1);
    await rm(`${this.file}.${last}`, { force: true });
    for (let i = last - 1; i >= 1; i--) await rename(`${this.file}.${i}`, `${this.file}.${i + 1}`).catch(() => {});
    await rename(this.file, `${this.file}.1`);
    this.turn++;
  }

  private nextChange(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        this.followers.delete(done);
        signal.removeEventListener('abort', done);
        resolve();
      };
      this.followers.add(done);
      signal.addEventListener('abort', done, { once: true });
    });
  }

  private tellFollowers(): void {
    for (const tell of this.followers) tell();
  }
}

/** Answers a stream's call-back with the outcome of a promise. */
async function settle(work: Promise<void>, done: (error?: Error | null) => void): Promise<void> {
  try {
    await work;
  } catch (error) {
    done(error as Error);
    return;
  }
  done();
}
