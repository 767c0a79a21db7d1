import { ManualClock } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import { planCompaction, startCompaction } from './compaction.ts';
import { createMemoryStore } from './memory-store.ts';

describe('planCompaction', () => {
  const cases = [
    { name: 'nothing is old', marks: [{ atMs: 900, revision: 5 }], now: { atMs: 1000, revision: 9 }, want: undefined },
    { name: 'a mark is old enough', marks: [{ atMs: 400, revision: 5 }], now: { atMs: 1000, revision: 9 }, want: 5 },
    { name: 'too much is young', marks: [{ atMs: 900, revision: 5 }], now: { atMs: 1000, revision: 150 }, want: 50 },
    {
      name: 'the store is idle',
      marks: [{ atMs: 900, revision: 9 }],
      now: { atMs: 1000, revision: 9 },
      want: undefined,
    },
  ];
  it.each(cases)('When $name, it should choose $want', ({ marks, now, want }) => {
    expect(planCompaction(marks, now, 500, 100).revision).toBe(want);
  });
});

describe('startCompaction', () => {
  it('When five minutes have passed, it should forget what was older and then rest', async () => {
    const clock = new ManualClock();
    const store = createMemoryStore({ clock });
    const stop = startCompaction(store, { clock });
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    await store.commit({ op: 'put', key: '/a', value: '1' });
    await store.commit({ op: 'put', key: '/a', value: '2' });
    for (let i = 0; i < 9; i++, await turn()) clock.advance(30_000);
    expect(await store.compactedRevision()).toBe(1);
    for (let i = 0; i < 3; i++, await turn()) clock.advance(30_000);
    expect(await store.compactedRevision()).toBe(3);
    stop();
  });
});
