import { ManualClock } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import { createMemoryStore } from './memory-store.ts';
import { prefixEnd, type StoreEvent } from './store.ts';

const everything = { start: '', end: '\0' };

describe('createMemoryStore', () => {
  it('When a watcher commits from its callback, it should let every watcher see the revisions in order', async () => {
    const store = createMemoryStore();
    const seen: number[][] = [[], []];
    let reacted = false;
    for (const list of seen) {
      store.watch({
        start: '/a/',
        end: prefixEnd('/a/'),
        afterRevision: 1,
        onEvents: (events) => {
          list.push(...events.map((event) => event.revision));
          if (reacted) return;
          reacted = true;
          void store.commit({ op: 'put', key: '/a/reaction', value: '' });
        },
        onEnd: (error) => expect.unreachable(error.message),
      });
    }
    await store.commit({ op: 'put', key: '/a/cause', value: '' });
    expect(seen).toEqual([
      [2, 3],
      [2, 3],
    ]);
  });

  it('When a watcher throws, it should end that watch alone', async () => {
    const store = createMemoryStore();
    const ends: string[] = [];
    const seen: StoreEvent[] = [];
    const watch = (onEvents: (events: readonly StoreEvent[]) => void) =>
      store.watch({ ...everything, afterRevision: 1, onEvents, onEnd: (error) => ends.push(error.message) });
    watch(() => {
      throw new Error('broken reader');
    });
    watch((events) => seen.push(...events));
    await store.commit({ op: 'put', key: '/a', value: '1' });
    await store.commit({ op: 'put', key: '/a', value: '2' });
    expect(ends).toEqual(['broken reader']);
    expect(seen.map((event) => event.revision)).toEqual([2, 3]);
  });

  it('When a neighbour is busy, it should tell quiet watches the progress', async () => {
    const clock = new ManualClock();
    const store = createMemoryStore({ clock });
    const progress: number[] = [];
    store.watch({
      start: '/quiet/',
      end: prefixEnd('/quiet/'),
      afterRevision: 1,
      onEvents: () => expect.unreachable(),
      onProgress: (revision) => progress.push(revision),
      onEnd: (error) => expect.unreachable(error.message),
    });
    await store.commit({ op: 'put', key: '/busy/a', value: '' });
    await store.commit({ op: 'put', key: '/busy/b', value: '' });
    clock.advance(60_000);
    clock.advance(60_000);
    expect(progress).toEqual([3]);
  });

  it('When a key with a TTL is put again without one, it should stay', async () => {
    const clock = new ManualClock();
    const store = createMemoryStore({ clock });
    await store.commit({ op: 'put', key: '/a', value: '1', ttlSeconds: 10 });
    await store.commit({ op: 'put', key: '/b', value: '1', ttlSeconds: 10 });
    clock.advance(9_000);
    await store.commit({ op: 'put', key: '/a', value: '2' });
    await store.commit({ op: 'put', key: '/b', value: '2', ttlSeconds: 10 });
    clock.advance(9_000);
    expect((await store.range(everything)).entries.map((entry) => entry.value)).toEqual(['2', '2']);
    clock.advance(1_000);
    expect((await store.range(everything)).entries.map((entry) => entry.key)).toEqual(['/a']);
  });
});
