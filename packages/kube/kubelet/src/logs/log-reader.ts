import { type FileHandle, open, readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { logTime, parseLogLine } from './log-line.ts';
import type { LogQuery, LogSource } from './log-source.ts';

const chunkBytes = 64 * 1024;
const newline = 0x0a;
/** A stored line never exceeds its content limit plus time, stream and tag. */
const longestLine = 32 * 1024;

/** How a reader learns about a log that is still being written. */
export interface LiveLog {
  /** Grows by one each time the file is put aside. */
  turn(): number;
  isOpen(): boolean;
  changed(signal: AbortSignal): Promise<void>;
}

const finished: LiveLog = { turn: () => 0, isOpen: () => false, changed: async () => {} };

/** The log of a run that nobody writes any more. */
export function storedLog(file: string): LogSource {
  return { read: (query, signal) => readLogFiles(file, query, signal, finished) };
}

/** Reads a log and its files put aside, oldest first, then follows it when asked to. */
export async function* readLogFiles(
  file: string,
  query: LogQuery,
  signal: AbortSignal,
  live: LiveLog,
): AsyncGenerator<Buffer> {
  const format = formatter(query);
  let turn = live.turn();
  const files = await filesOf(file);
  const { index, offset } = await startOf(files, query.tailLines);
  for (let i = index; i < files.length - 1; i++) {
    yield* readFrom(files[i] as string, i === index ? offset : 0, format, signal);
    if (signal.aborted || format.full()) return;
  }
  let position = index === files.length - 1 ? offset : 0;
  let handle = await openIfThere(file);
  try {
    for (;;) {
      // Looked at before reading: what is written afterwards raises a change that is not missed.
      const change = new AbortController();
      const changed = live.changed(AbortSignal.any([signal, change.signal]));
      const wasOpen = live.isOpen();
      const rotated = live.turn() !== turn;
      if (!handle && !rotated) handle = await openIfThere(file);
      if (handle) {
        for await (const { data, next } of linesFrom(handle, position, signal)) {
          position = next;
          const text = format.lines(data);
          if (text.length > 0) yield text;
          if (format.full()) break;
        }
      }
      if (rotated && !signal.aborted && !format.full()) {
        await handle?.close();
        turn++;
        position = 0;
        const behind = live.turn() - turn;
        handle = await openIfThere(behind > 0 ? `${file}.${behind}` : file);
        change.abort();
        continue;
      }
      if (!query.follow || !wasOpen || signal.aborted || format.full()) {
        change.abort();
        return;
      }
      await changed;
    }
  } finally {
    await handle?.close();
  }
}

interface Formatter {
  lines(stored: readonly Buffer[]): Buffer;
  full(): boolean;
}

/** Turns stored lines into what the reader asked for. */
function formatter({ sinceMs, timestamps, limitBytes }: LogQuery): Formatter {
  const since = sinceMs === undefined ? '' : logTime(sinceMs);
  let left = limitBytes ?? Number.POSITIVE_INFINITY;
  let isContinuing = false;
  return {
    lines(stored) {
      const parts: Buffer[] = [];
      for (const raw of stored) {
        const line = parseLogLine(raw);
        if (!line || line.time < since) continue;
        if (timestamps && !isContinuing) parts.push(Buffer.from(`${line.time} `));
        parts.push(line.content);
        if (line.complete) parts.push(Buffer.from('\n'));
        isContinuing = !line.complete;
      }
      const text = Buffer.concat(parts);
      const allowed = text.length > left ? text.subarray(0, left) : text;
      left -= allowed.length;
      return allowed;
    },
    full: () => left <= 0,
  };
}

async function* readFrom(file: string, offset: number, format: Formatter, signal: AbortSignal): AsyncGenerator<Buffer> {
  const handle = await openIfThere(file);
  if (!handle) return;
  try {
    for await (const { data } of linesFrom(handle, offset, signal)) {
      yield format.lines(data);
      if (format.full()) return;
    }
  } finally {
    await handle.close();
  }
}

/** Whole lines from a position on, a chunk's worth at a time, with the position after them. */
async function* linesFrom(
  handle: FileHandle,
  from: number,
  signal: AbortSignal,
): AsyncGenerator<{ data: readonly Buffer[]; next: number }> {
  let position = from;
  let rest: Buffer = Buffer.alloc(0);
  while (!signal.aborted) {
    const { bytesRead, buffer } = await handle.read(
      Buffer.allocUnsafe(chunkBytes),
      0,
      chunkBytes,
      position + rest.length,
    );
    if (bytesRead === 0) return;
    const data = Buffer.concat([rest, buffer.subarray(0, bytesRead)]);
    const lines: Buffer[] = [];
    let start = 0;
    for (let at = data.indexOf(newline); at >= 0; at = data.indexOf(newline, start)) {
      lines.push(data.subarray(start, at));
      start = at + 1;
    }
    rest = data.subarray(start);
    position += start;
    // Something else than a log was written here; do not collect it for ever.
    if (rest.length > longestLine) return;
    if (lines.length > 0) yield { data: lines, next: position };
  }
}

/** The log's files, oldest first; the current one is always last. */
async function filesOf(file: string): Promise<string[]> {
  const name = basename(file);
  const entries = await readdir(dirname(file)).catch(() => [] as string[]);
  const turns = entries
    .filter((entry) => entry.startsWith(`${name}.`))
    .map((entry) => Number(entry.slice(name.length + 1)))
    .filter((turn) => Number.isInteger(turn) && turn > 0)
    .sort((a, b) => b - a);
  return [...turns.map((turn) => join(dirname(file), `${name}.${turn}`)), file];
}

/** Where the last `tail` lines begin. */
async function startOf(files: readonly string[], tail: number | undefined): Promise<{ index: number; offset: number }> {
  if (tail === undefined) return { index: 0, offset: 0 };
  let missing = tail;
  for (let index = files.length - 1; index >= 0; index--) {
    const found = await tailOf(files[index] as string, missing);
    if (found.complete || index === 0) return { index, offset: found.offset };
    missing -= found.lines;
  }
  return { index: 0, offset: 0 };
}

async function tailOf(file: string, wanted: number): Promise<{ lines: number; offset: number; complete: boolean }> {
  const handle = await openIfThere(file);
  if (!handle) return { lines: 0, offset: 0, complete: false };
  try {
    const { size } = await handle.stat();
    if (wanted === 0) return { lines: 0, offset: size, complete: true };
    let lines = 0;
    for (let end = size; end > 0; ) {
      const from = Math.max(0, end - chunkBytes);
      const { buffer } = await handle.read(Buffer.allocUnsafe(end - from), 0, end - from, from);
      for (let at = buffer.length - 1; at >= 0; at--) {
        // The line end of the last line does not begin another one.
        if (buffer[at] !== newline || from + at === size - 1) continue;
        if (++lines === wanted) return { lines, offset: from + at + 1, complete: true };
      }
      end = from;
    }
    return { lines: size > 0 ? lines + 1 : 0, offset: 0, complete: lines + 1 === wanted && size > 0 };
  } finally {
    await handle.close();
  }
}

async function openIfThere(file: string): Promise<FileHandle | undefined> {
  try {
    return await open(file, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
