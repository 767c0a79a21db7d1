import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { lockDirectory } from './directory-lock.ts';

const folder = mkdtempSync(join(tmpdir(), 'fleet-lock-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('lockDirectory', () => {
  it('When somebody holds the directory, it should be refused until it is let go', () => {
    const data = join(folder, 'a');
    const release = lockDirectory(data);
    expect(() => lockDirectory(data)).toThrow(`in use by process ${process.pid}`);
    release();
    lockDirectory(data)();
    expect(existsSync(`${data}.lock`)).toBe(false);
  });

  it('When the holder was killed, it should be taken over', () => {
    const data = join(folder, 'b');
    // No process has this number: it is above the highest that Linux gives.
    writeFileSync(`${data}.lock`, '4194999');
    const release = lockDirectory(data);
    expect(readFileSync(`${data}.lock`, 'utf8')).toBe(String(process.pid));
    release();
  });
});
