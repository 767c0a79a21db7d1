import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { type Clock, formatTime } from '@hypershift-ts/kube-apimachinery';

const keptLines = 200;
const longestLine = 500;
/** What a file may grow to before it is written anew with the kept lines. */
const longestFile = 2 * keptLines * longestLine;

/** The serial console of a machine: its last lines, for whoever asks why it does not come up. */
export class Console {
  private readonly clock: Clock;
  private readonly log: ConsoleLogs | undefined;
  private readonly file: string | undefined;
  private readonly lines: string[] = [];
  private unwritten: string[] = [];
  private fileSize = 0;
  private isClosed = false;
  private writing: Promise<void> = Promise.resolve();

  /** Without a log, it is gone with the process. */
  constructor(clock: Clock, file?: string, log?: ConsoleLogs) {
    this.clock = clock;
    this.file = file;
    this.log = log;
  }

  print(text: string): void {
    const line = `${formatTime(this.clock.now())} ${text.slice(0, longestLine).replaceAll('\n', ' ')}`;
    this.keep(line);
    if (!this.log || this.isClosed) return;
    this.unwritten.push(line);
    this.log.changed(this);
  }

  /** The newest line, without its time. */
  get last(): string {
    const line = this.lines.at(-1) ?? '';
    return line.slice(line.indexOf(' ') + 1);
  }

  text(): string {
    return this.lines.map((line) => `${line}\n`).join('');
  }

  /** Takes up what an earlier process printed. */
  async load(): Promise<void> {
    const text = this.file ? await readFile(this.file, 'utf8').catch(() => '') : '';
    this.fileSize = Buffer.byteLength(text);
    const printed = this.lines.splice(0);
    for (const line of [...text.split('\n').filter((one) => one !== ''), ...printed]) this.keep(line);
  }

  /** Puts what was printed since the last time into the file. */
  write(): Promise<void> {
    this.writing = this.writing.then(() => this.append());
    return this.writing;
  }

  /** Nothing is written any more; the file may be removed. */
  close(): Promise<void> {
    this.isClosed = true;
    this.unwritten = [];
    return this.writing;
  }

  private keep(line: string): void {
    this.lines.push(line);
    if (this.lines.length > keptLines) this.lines.shift();
  }

  private async append(): Promise<void> {
    const { file } = this;
    if (!file || this.unwritten.length === 0) return;
    const text = this.unwritten.map((line) => `${line}\n`).join('');
    this.unwritten = [];
    const isLong = this.fileSize + Buffer.byteLength(text) > longestFile;
    const next = isLong ? this.text() : text;
    this.fileSize = Buffer.byteLength(next) + (isLong ? 0 : this.fileSize);
    // A full disk, or one that was just taken away, must not stop a machine.
    await (isLong ? writeFile : appendFile)(file, next, { mode: 0o600 }).catch(() => {});
  }
}

const gatherMs = 1000;

/** Writes consoles to their files now and then: a machine that boots prints much in a moment, and a thousand do. */
export class ConsoleLogs {
  private readonly clock: Clock;
  private readonly printed = new Set<Console>();
  private cancel: (() => void) | undefined;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  changed(console: Console): void {
    this.printed.add(console);
    this.cancel ??= this.clock.after(gatherMs, () => void this.write());
  }

  /** Resolves when everything printed before is on disk. */
  async write(): Promise<void> {
    this.cancel?.();
    this.cancel = undefined;
    const consoles = [...this.printed];
    this.printed.clear();
    for (const console of consoles) await console.write();
  }
}
