import { describe, expect, it } from 'vitest';
import { tar } from '../testing/tar.ts';
import { TarScanner } from './tar-scanner.ts';

/** Small and repeatable; quality does not matter here. */
function randoms(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const archive = tar([
  { name: 'folder/', type: '5' },
  { name: './folder/a', content: 'A'.repeat(513) },
  { name: 'link', type: '2' },
  { name: `${'long/'.repeat(40)}b`, content: 'B' },
  { name: '/empty', content: '' },
  { name: 'c', content: Buffer.alloc(3000, 3) },
]);

function scan(bytes: Buffer, sizes: () => number) {
  const found: [string, number][] = [];
  const scanner = new TarScanner({
    wants: () => true,
    content: ({ name }, content) => found.push([name, content.length]),
  });
  for (let at = 0; at < bytes.length; ) {
    const size = Math.max(1, Math.floor(sizes()));
    scanner.write(bytes.subarray(at, at + size));
    at += size;
  }
  return { found, ended: scanner.ended };
}

const expected = [
  ['folder/a', 513],
  [`${'long/'.repeat(40)}b`, 1],
  ['empty', 0],
  ['c', 3000],
];

describe('TarScanner', () => {
  it('When pieces are of any size, it should find the same files', () => {
    expect(scan(archive, () => archive.length)).toEqual({ found: expected, ended: true });
    for (let seed = 1; seed <= 50; seed++) {
      const random = randoms(seed);
      expect(scan(archive, () => random() * 700)).toEqual({ found: expected, ended: true });
    }
  });

  it('When bytes are damaged at random, it should end with files or an error, and never hang or crash otherwise', () => {
    for (let seed = 1; seed <= 500; seed++) {
      const random = randoms(seed);
      const damaged = Buffer.from(archive);
      for (let count = 0; count < 5; count++)
        damaged[Math.floor(random() * damaged.length)] = Math.floor(random() * 256);
      let outcome: unknown;
      try {
        outcome = scan(damaged, () => 512);
      } catch (error) {
        outcome = error;
      }
      expect(outcome).toBeDefined();
    }
  });

  it('When a header claims an enormous pax header, it should refuse instead of collecting it', () => {
    const bytes = Buffer.from(tar([{ name: 'x', content: Buffer.alloc(2 << 20), type: 'x' }]));
    expect(() => scan(bytes, () => bytes.length)).toThrow('a tar header is too large');
  });
});
