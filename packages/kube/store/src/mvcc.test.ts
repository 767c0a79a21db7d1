import { describe, expect, it } from 'vitest';
import { Mvcc } from './mvcc.ts';
import { CompactedError, prefixEnd } from './store.ts';

/** A small generator of repeatable numbers below `bound`. */
function numbers(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

function byKey([a]: [string, string], [b]: [string, string]): number {
  return a < b ? -1 : 1;
}

describe('Mvcc', () => {
  it.each([1, 2, 3, 4, 5])('When written at random (seed %i), it should show every kept revision as it was', (seed) => {
    const next = numbers(seed);
    const mvcc = new Mvcc();
    // What each revision looked like, the slow and obvious way.
    const worlds = new Map([[1, new Map<string, string>()]]);
    for (let i = 0; i < 3_000; i++) {
      const world = new Map(worlds.get(mvcc.revision));
      const key = `/k/${next(700)}`;
      if (next(4) === 0) {
        if (!world.delete(key)) continue;
        mvcc.apply({ op: 'delete', key });
      } else {
        world.set(key, String(i));
        mvcc.apply({ op: 'put', key, value: String(i) });
      }
      worlds.set(mvcc.revision, world);
      if (next(300) === 0) mvcc.compact(mvcc.compactedRevision + next(mvcc.revision - mvcc.compactedRevision));
      if (next(20) > 0) continue;
      const start = `/k/${next(700)}`;
      const end = `/k/${next(700)}`;
      const revision = mvcc.compactedRevision + next(mvcc.revision - mvcc.compactedRevision + 1);
      const limit = 1 + next(50);
      const keys = [...(worlds.get(revision) as Map<string, string>)].filter(([name]) => name >= start && name < end);
      const found = mvcc.range({ start, end, revision, limit });
      expect(found.count).toBe(keys.length);
      expect(found.entries.map((entry) => [entry.key, entry.value])).toEqual(keys.toSorted(byKey).slice(0, limit));
      expect(mvcc.range({ start: '', end: '\0', limit: 1 }).count).toBe(world.size);
    }
    const left = mvcc.eventsAfter(mvcc.compactedRevision, '', '\0').map((event) => event.revision);
    expect(left).toHaveLength(mvcc.revision - mvcc.compactedRevision);
    expect(() => mvcc.eventsAfter(mvcc.compactedRevision - 1, '', '\0')).toThrow(CompactedError);
    let size = 0;
    for (const [key, value] of worlds.get(mvcc.revision) ?? []) size += key.length + value.length;
    expect(mvcc.size).toBe(size);
  });

  it('When everything is deleted and compacted, it should name every revision that is gone', () => {
    const mvcc = new Mvcc();
    mvcc.apply({ op: 'put', key: '/a', value: '1' });
    mvcc.apply({ op: 'put', key: '/b', value: '1' });
    mvcc.apply({ op: 'put', key: '/a', value: '2' });
    mvcc.apply({ op: 'delete', key: '/a' });
    expect(mvcc.compact(5).toSorted((a, b) => a - b)).toEqual([2, 4, 5]);
    expect(mvcc.compact(5)).toEqual([]);
  });
});

describe('prefixEnd', () => {
  it.each([
    ['/registry/pods/', '/registry/pods0'],
    ['a', 'b'],
    ['/é', '/ê'],
    ['\ud7ff', '\ue000'],
    ['a\u{10ffff}', 'b'],
    ['', '\0'],
  ])('When the prefix is %j, it should be %j', (prefix, end) => {
    expect(prefixEnd(prefix)).toBe(end);
  });
});
