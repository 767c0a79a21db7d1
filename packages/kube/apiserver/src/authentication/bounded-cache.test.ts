import { describe, expect, it } from 'vitest';
import { BoundedCache } from './bounded-cache.ts';

describe('BoundedCache', () => {
  it('When entries are over their time, it should give them back with the next one that comes', () => {
    const cache = new BoundedCache<string>(10);
    for (const key of ['a', 'b']) cache.set(key, key, 100, 0);
    cache.set('c', 'c', 200, 50);
    expect(cache.count).toBe(3);
    cache.set('d', 'd', 300, 100);
    expect(cache.count).toBe(2);
    expect(cache.get('c', 100)).toBe('c');
  });

  it('When it is full, it should forget what was used longest ago', () => {
    const cache = new BoundedCache<string>(2);
    for (const key of ['a', 'b']) cache.set(key, key, 100, 0);
    cache.get('a', 0);
    cache.set('c', 'c', 100, 0);
    expect(['a', 'b', 'c'].map((key) => cache.get(key, 0))).toEqual(['a', undefined, 'c']);
  });
});
