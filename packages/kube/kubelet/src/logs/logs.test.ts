import { mkdtemp, readdir, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ManualClock } from '@hypershift-ts/kube-apimachinery';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ContainerLog } from './container-log.ts';
import { LineCutter, maxLineBytes, parseLogLine } from './log-line.ts';
import { storedLog } from './log-reader.ts';
import type { LogQuery, LogSource } from './log-source.ts';

let directory: string;
const clock = new ManualClock();
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'log-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

async function read(log: LogSource, query: LogQuery = {}): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of log.read(query, new AbortController().signal)) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

const write = (log: ContainerLog, text: string, end = true) =>
  new Promise<void>((resolve, reject) => {
    const stream = log.stream('stdout');
    stream.on('error', reject);
    stream.write(text, () => (end ? stream.end(resolve) : resolve()));
  });

describe('container logs', () => {
  it('When lines were written, tail, since, timestamps and limits should choose among them', async () => {
    const log = new ContainerLog({ file: join(directory, '0.log'), clock });
    await write(log, 'one\ntwo\n');
    const later = clock.now() + 5000;
    clock.advance(5000);
    await write(log, 'three\nno end');
    await log.close();
    expect(await read(log)).toBe('one\ntwo\nthree\nno end');
    expect(await read(log, { tailLines: 2 })).toBe('three\nno end');
    expect(await read(log, { tailLines: 0 })).toBe('');
    expect(await read(log, { tailLines: 99 })).toBe('one\ntwo\nthree\nno end');
    expect(await read(log, { sinceMs: later })).toBe('three\nno end');
    expect(await read(log, { limitBytes: 6 })).toBe('one\ntw');
    expect(await read(log, { timestamps: true, tailLines: 1 })).toBe(
      `${new Date(later).toISOString().slice(0, 23)}000000Z no end`,
    );
    expect(await read(storedLog(log.file))).toBe('one\ntwo\nthree\nno end');
  });

  it('When a log grows beyond its limit, old files should go and reading should span the rest', async () => {
    const log = new ContainerLog({ file: join(directory, '0.log'), clock, limits: { maxBytes: 1000, maxFiles: 3 } });
    for (let i = 0; i < 100; i++) await write(log, `line ${i} ${'x'.repeat(40)}\n`);
    await log.close();
    expect((await readdir(directory)).sort()).toEqual(['0.log', '0.log.1', '0.log.2']);
    const lines = (await read(log)).trimEnd().split('\n');
    expect(lines.length).toBeLessThan(60);
    expect(lines.at(-1)).toMatch(/^line 99 /);
    const numbers = lines.map((line) => Number(line.split(' ')[1]));
    expect(numbers).toEqual(numbers.map((_, index) => (numbers[0] as number) + index));
    expect((await read(log, { tailLines: 20 })).trimEnd().split('\n')).toEqual(lines.slice(-20));
  });

  it('When very many containers write, their files should not all stay open and no line should be missing', async () => {
    const logs = Array.from({ length: 600 }, (_, i) => new ContainerLog({ file: join(directory, `${i}.log`), clock }));
    const isOurs = async (fd: string) => (await readlink(`/proc/self/fd/${fd}`).catch(() => '')).startsWith(directory);
    for (const text of ['first\n', 'second\n']) await Promise.all(logs.map((log) => write(log, text)));
    const open = async () =>
      (await Promise.all((await readdir('/proc/self/fd').catch(() => [])).map(isOurs))).filter(Boolean).length;
    await expect.poll(open).toBeLessThan(300);
    for (const log of logs) expect(await read(log)).toBe('first\nsecond\n');
    await Promise.all(logs.map((log) => log.close()));
  });

  it('When a log is followed while it is rotated, no line should be missing and it should end with the container', async () => {
    const log = new ContainerLog({ file: join(directory, '0.log'), clock, limits: { maxBytes: 500, maxFiles: 50 } });
    await write(log, 'line 0\n');
    const following = read(log, { follow: true });
    for (let i = 1; i < 100; i++) await write(log, `line ${i}\n`);
    await log.close();
    expect(await following).toBe(Array.from({ length: 100 }, (_, i) => `line ${i}\n`).join(''));
  });

  it('When nothing was ever written, reading should give nothing', async () => {
    expect(await read(storedLog(join(directory, 'none.log')))).toBe('');
  });
});

describe('LineCutter', () => {
  it('When a line is very long, it should be stored in pieces that read as one', () => {
    const cutter = new LineCutter('stderr');
    const parts: Buffer[] = [];
    cutter.push(Buffer.from('x'.repeat(maxLineBytes * 2 + 10)), 0, parts);
    cutter.push(Buffer.from('end\n'), 0, parts);
    const lines = Buffer.concat(parts)
      .toString()
      .trimEnd()
      .split('\n')
      .map((line) => parseLogLine(Buffer.from(line)));
    expect(lines.map((line) => line?.complete)).toEqual([false, false, true]);
    expect(lines.map((line) => line?.content.toString()).join('')).toBe(`${'x'.repeat(maxLineBytes * 2 + 10)}end`);
  });
});
