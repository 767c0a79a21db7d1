import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { CompactedError, FutureRevisionError, prefixEnd, type Store, StoreUnavailableError } from '../store.ts';
import { brief, WatchRecorder } from './watch-recorder.ts';

/** One implementation under test. */
export interface StoreHarness {
  /** An open, empty store. */
  open(): Promise<Store>;
  /** A store made from a snapshot. */
  restore(snapshot: Uint8Array): Promise<Store>;
  /** Lets so much time pass for deadlines; a real server needs real time. */
  elapse(seconds: number): Promise<void>;
  dispose(): Promise<void>;
}

/** What every store must do, whatever it is made of. Skipped, loudly, when there is a reason why it cannot run here. */
export function storeContract(name: string, start: () => Promise<StoreHarness>, unavailable?: string): void {
  if (unavailable) process.stderr.write(`\nSKIPPED: the contract of the ${name} store: ${unavailable}\n`);
  describe.skipIf(unavailable)(`${name} store`, () => {
    let harness: StoreHarness;
    const opened: Store[] = [];
    const open = async (): Promise<Store> => {
      const store = await harness.open();
      opened.push(store);
      return store;
    };

    beforeAll(async () => {
      harness = await start();
    });
    afterEach(async () => {
      await Promise.all(opened.splice(0).map((store) => store.close()));
    });
    afterAll(() => harness.dispose());

    describe('keys', () => {
      it('When a key is put, changed, deleted and put again, it should keep the books of revisions', async () => {
        const store = await open();
        const base = await store.currentRevision();
        const created = await put(store, '/a', '1');
        expect(created).toMatchObject({
          ok: true,
          revision: base + 1,
          entry: { value: '1', createRevision: base + 1 },
        });
        expect(created).not.toHaveProperty('previous');
        expect(await put(store, '/a', '2')).toMatchObject({
          ok: true,
          revision: base + 2,
          entry: { key: '/a', value: '2', modRevision: base + 2, createRevision: base + 1 },
          previous: { value: '1', modRevision: base + 1 },
        });
        const deleted = await store.commit({ op: 'delete', key: '/a' });
        expect(deleted).toMatchObject({ ok: true, revision: base + 3, previous: { value: '2' } });
        expect(deleted).not.toHaveProperty('entry');
        expect(await store.get('/a')).toEqual({ revision: base + 3 });
        expect(await put(store, '/a', '3')).toMatchObject({
          entry: { createRevision: base + 4, modRevision: base + 4 },
        });
        expect(await store.currentRevision()).toBe(base + 4);
      });

      it('When a key to delete is absent, it should refuse and change nothing', async () => {
        const store = await open();
        const { revision } = await put(store, '/a', '1');
        expect(await store.commit({ op: 'delete', key: '/b' })).toEqual({ ok: false, revision });
        expect(await store.currentRevision()).toBe(revision);
      });

      it('When an expectation does not hold, it should refuse and show what is there', async () => {
        const store = await open();
        const { revision } = await put(store, '/a', '1');
        const wrong = [
          { op: 'put', key: '/a', value: 'x', expect: 0 },
          { op: 'put', key: '/a', value: 'x', expect: revision - 1 },
          { op: 'delete', key: '/a', expect: revision + 1 },
        ] as const;
        for (const operation of wrong) {
          const result = await store.commit(operation);
          expect(result).toMatchObject({ ok: false, revision, current: { value: '1', modRevision: revision } });
        }
        expect(await store.commit({ op: 'put', key: '/b', value: 'x', expect: revision })).toEqual({
          ok: false,
          revision,
        });
        expect(await store.commit({ op: 'put', key: '/b', value: 'x', expect: 0 })).toMatchObject({ ok: true });
        expect(await store.commit({ op: 'delete', key: '/a', expect: revision })).toMatchObject({ ok: true });
      });

      it('When keys and values are not ASCII, it should keep them letter for letter', async () => {
        const store = await open();
        const value = JSON.stringify({ greeting: 'Grüße, 世界 🎉', control: '\u0000\u2028\u007f' });
        await put(store, '/ключ/é/🎉', value);
        await put(store, '/ключ/z', 'other');
        expect((await store.get('/ключ/é/🎉')).entry?.value).toBe(value);
        expect((await list(store, '/ключ/é/')).map((entry) => entry.value)).toEqual([value]);
      });

      it('When a value is 1.5 MB, it should keep it and show it to watches', async () => {
        const store = await open();
        const watch = new WatchRecorder(store, '/large/', await store.currentRevision());
        const value = 'v'.repeat(1_500_000);
        await put(store, '/large/a', value);
        await put(store, '/large/a', `${value.slice(1)}w`);
        expect((await store.get('/large/a')).entry?.value).toHaveLength(1_500_000);
        const events = await watch.seen(2);
        expect(events[1]).toMatchObject({ previous: { value } });
      });
    });

    describe('guards', () => {
      it('When many writers create the same key, it should let exactly one win', async () => {
        const store = await open();
        const attempts = Array.from({ length: 30 }, (_, i) => put(store, '/one', String(i), 0));
        const results = await Promise.all(attempts);
        const winner = results.findIndex((result) => result.ok);
        expect(results.filter((result) => result.ok)).toHaveLength(1);
        expect((await store.get('/one')).entry?.value).toBe(String(winner));
      });

      it('When many writers count on the same key, it should lose no increment', async () => {
        const store = await open();
        await put(store, '/counter', '0');
        const revisions: number[] = [];
        const increment = async () => {
          for (let done = 0; done < 10; ) {
            const { entry } = await store.get('/counter');
            const result = await put(store, '/counter', String(Number(entry?.value) + 1), entry?.modRevision);
            if (!result.ok) continue;
            revisions.push(result.revision);
            done++;
          }
        };
        await Promise.all(Array.from({ length: 10 }, increment));
        expect((await store.get('/counter')).entry?.value).toBe('100');
        expect(new Set(revisions).size).toBe(100);
      });
    });

    describe('ranges', () => {
      it('When a range is read, it should be ordered, bounded, limited and counted', async () => {
        const store = await open();
        for (const key of ['/p/c', '/p/a', '/q/a', '/p/b', '/o/z', '/p', '/p0']) await put(store, key, key);
        const all = await store.range({ start: '/p/', end: prefixEnd('/p/') });
        expect(all.entries.map((entry) => entry.key)).toEqual(['/p/a', '/p/b', '/p/c']);
        expect(all).toMatchObject({ count: 3, revision: await store.currentRevision() });
        const two = await store.range({ start: '/p/', end: prefixEnd('/p/'), limit: 2 });
        expect(two.entries.map((entry) => entry.key)).toEqual(['/p/a', '/p/b']);
        expect(two.count).toBe(3);
        expect(await store.range({ start: '/x/', end: prefixEnd('/x/') })).toMatchObject({ entries: [], count: 0 });
        expect((await store.range({ start: '/p/b', end: '\0' })).count).toBe(4);
      });

      it('When an old revision is asked for, it should show the world of that revision', async () => {
        const store = await open();
        await put(store, '/h/a', '1');
        const { revision: before } = await put(store, '/h/b', '1');
        await put(store, '/h/a', '2');
        await store.commit({ op: 'delete', key: '/h/b' });
        await put(store, '/h/c', '1');
        const { revision: last } = await put(store, '/h/b', '2');
        const worlds = {
          [before - 1]: 'a1',
          [before]: 'a1 b1',
          [before + 1]: 'a2 b1',
          [before + 2]: 'a2',
          [last]: 'a2 b2 c1',
        };
        for (const [revision, world] of Object.entries(worlds)) {
          const found = await store.range({ start: '/h/', end: prefixEnd('/h/'), revision: Number(revision) });
          expect(found.entries.map((entry) => entry.key.slice(3) + entry.value).join(' ')).toBe(world);
          expect(found).toMatchObject({ count: found.entries.length, revision: last });
        }
        const limited = await store.range({ start: '/h/', end: prefixEnd('/h/'), revision: before, limit: 1 });
        expect(limited).toMatchObject({ count: 2, entries: [{ key: '/h/a', value: '1' }] });
        expect((await store.get('/h/b', before)).entry?.value).toBe('1');
        expect((await store.get('/h/b', before + 2)).entry).toBeUndefined();
      });

      it('When a future revision is asked for, it should say so', async () => {
        const store = await open();
        const { revision } = await put(store, '/a', '1');
        await expect(store.get('/a', revision + 1)).rejects.toBeInstanceOf(FutureRevisionError);
        const range = store.range({ start: '/', end: '0', revision: revision + 100 });
        await expect(range).rejects.toBeInstanceOf(FutureRevisionError);
      });

      it('When there are 10 000 keys, it should page through all of them at one revision', async () => {
        const store = await open();
        const names = Array.from({ length: 10_000 }, (_, i) => `/many/${String((i * 7919) % 10_000).padStart(5, '0')}`);
        for (let i = 0; i < names.length; i += 500) {
          await Promise.all(names.slice(i, i + 500).map((name) => put(store, name, name)));
        }
        const revision = await store.currentRevision();
        await store.commit({ op: 'delete', key: '/many/05000' });
        const seen: string[] = [];
        for (let start = '/many/'; ; ) {
          const page = await store.range({ start, end: prefixEnd('/many/'), limit: 777, revision });
          seen.push(...page.entries.map((entry) => entry.key));
          expect(page.count).toBe(10_000 - seen.length + page.entries.length);
          if (page.entries.length === page.count) break;
          start = `${page.entries.at(-1)?.key}\0`;
        }
        expect(seen).toEqual(names.toSorted());
        expect((await store.range({ start: '/many/', end: prefixEnd('/many/'), limit: 1 })).count).toBe(9_999);
        expect(store.size()).toBeGreaterThanOrEqual(0);
      }, 60_000);
    });

    describe('watches', () => {
      it('When a watch starts in the past, it should deliver what it missed and then what comes', async () => {
        const store = await open();
        const { revision } = await put(store, '/w/a', '1');
        await put(store, '/w/a', '2');
        await put(store, '/elsewhere', '1');
        await store.commit({ op: 'delete', key: '/w/a' });
        const watch = new WatchRecorder(store, '/w/', revision);
        await put(store, '/w/b', '1');
        const events = await watch.seen(3);
        expect(events.map(brief)).toEqual(['put /w/a=2', 'delete /w/a (was 2)', 'put /w/b=1']);
        expect(events.map((event) => event.revision)).toEqual([revision + 1, revision + 3, revision + 4]);
        expect(events[0]).toMatchObject({ previous: { value: '1', modRevision: revision } });
        expect(events[2]).not.toHaveProperty('previous');
      });

      it('When a write is acknowledged, it should be seen by a watch that asks for progress', async () => {
        const store = await open();
        const watch = new WatchRecorder(store, '/quiet/', await store.currentRevision());
        const { revision } = await put(store, '/noise', '1');
        const heard = watch.until(() => watch.progress.some((reached) => reached >= revision));
        watch.handle.requestProgress();
        await heard;
        expect(watch.events).toEqual([]);
      });

      it('When a writer gives what it has decoded, it should hand the same entry to every watch', async () => {
        const store = await open();
        const revision = await store.currentRevision();
        const watches = [new WatchRecorder(store, '/memo/', revision), new WatchRecorder(store, '/memo/a/', revision)];
        await put(store, '/memo/a/0', '');
        await Promise.all(watches.map((watch) => watch.seen(1)));
        const memo = { decoded: true };
        const result = await store.commit({ op: 'put', key: '/memo/a/1', value: '{}', memo });
        for (const watch of watches) {
          const event = (await watch.seen(2))[1];
          expect(event?.type === 'put' && result.ok && event.entry === result.entry).toBe(true);
          expect(event).toMatchObject({ entry: { memo } });
        }
      });

      it('When a watch is closed, it should hear nothing more', async () => {
        const store = await open();
        const revision = await store.currentRevision();
        const closed = new WatchRecorder(store, '/c/', revision);
        const open2 = new WatchRecorder(store, '/c/', revision);
        await put(store, '/c/a', '1');
        await Promise.all([closed.seen(1), open2.seen(1)]);
        closed.handle.close();
        await put(store, '/c/a', '2');
        await open2.seen(2);
        expect(closed.events).toHaveLength(1);
        expect(closed.error).toBeUndefined();
      });

      it('When many prefixes are watched, it should bring each watch its own events only', async () => {
        const store = await open();
        const revision = await store.currentRevision();
        const watches = Array.from({ length: 50 }, (_, i) => new WatchRecorder(store, `/m/ns${i}/`, revision));
        const whole = new WatchRecorder(store, '/m/', revision);
        const single = { events: [] as string[] };
        store.watch({
          start: '/m/ns7/a',
          end: '/m/ns7/a\0',
          afterRevision: revision,
          onEvents: (events) => single.events.push(...events.map(brief)),
          onEnd: () => undefined,
        });
        await Promise.all(watches.flatMap((_, i) => [put(store, `/m/ns${i}/a`, '1'), put(store, `/m/ns${i}/ab`, '1')]));
        await whole.seen(100);
        for (const [i, watch] of watches.entries()) {
          await watch.seen(2);
          expect(watch.events.map(brief).toSorted()).toEqual([`put /m/ns${i}/a=1`, `put /m/ns${i}/ab=1`]);
        }
        expect(single.events).toEqual(['put /m/ns7/a=1']);
      });

      it('When watches come and go under load, it should leave no gap and no duplicate', async () => {
        const store = await open();
        const start = await store.currentRevision();
        const total = 400;
        const writers = Array.from({ length: 8 }, async (_, writer) => {
          for (let i = 0; i < total / 8; i++) {
            await put(store, `/g/${writer}`, String(i));
            await put(store, '/other', String(i));
          }
        });
        const seen: number[] = [];
        for (let last = start; seen.length < total; ) {
          const watch = new WatchRecorder(store, '/g/', last);
          await watch.seen(1);
          watch.handle.close();
          seen.push(...watch.events.map((event) => event.revision));
          last = seen.at(-1) as number;
        }
        await Promise.all(writers);
        const whole = new WatchRecorder(store, '/g/', start);
        await whole.seen(total);
        expect(seen).toEqual(whole.events.map((event) => event.revision));
        expect(new Set(seen).size).toBe(total);
        expect(seen).toEqual(seen.toSorted((a, b) => a - b));
      });
    });

    describe('compaction', () => {
      it('When history is compacted, it should refuse older revisions and keep the rest', async () => {
        const store = await open();
        const { revision: first } = await put(store, '/k/a', '1');
        await put(store, '/k/b', '1');
        await put(store, '/k/a', '2');
        const { revision: kept } = await store.commit({ op: 'delete', key: '/k/b' });
        await put(store, '/k/a', '3');
        await store.compact(kept);
        expect(await store.compactedRevision()).toBe(kept);
        await expect(store.get('/k/a', first)).rejects.toBeInstanceOf(CompactedError);
        await expect(store.range({ start: '/', end: '0', revision: kept - 1 })).rejects.toBeInstanceOf(CompactedError);
        expect((await store.get('/k/a', kept)).entry?.value).toBe('2');
        expect((await store.get('/k/b', kept)).entry).toBeUndefined();
        expect((await list(store, '/k/')).map((entry) => entry.value)).toEqual(['3']);
        const old = new WatchRecorder(store, '/k/', first);
        const error = await old.ended();
        expect(error).toBeInstanceOf(CompactedError);
        expect((error as CompactedError).compactedRevision).toBe(kept);
        expect((await new WatchRecorder(store, '/k/', kept).seen(1)).map(brief)).toEqual(['put /k/a=3']);
      });

      it('When a running watch is beyond the compacted revision, it should go on', async () => {
        const store = await open();
        const watch = new WatchRecorder(store, '/k/', await store.currentRevision());
        const { revision } = await put(store, '/k/a', '1');
        await watch.seen(1);
        await store.compact(revision);
        await store.compact(revision - 1);
        await put(store, '/k/a', '2');
        expect((await watch.seen(2)).map(brief)).toEqual(['put /k/a=1', 'put /k/a=2']);
      });

      it('When a future revision is to be compacted, it should refuse', async () => {
        const store = await open();
        const revision = await store.currentRevision();
        await expect(store.compact(revision + 10)).rejects.toBeInstanceOf(FutureRevisionError);
      });
    });

    it('When a key has a time to live, it should vanish with a delete event after that time', async () => {
      const store = await open();
      const watch = new WatchRecorder(store, '/ttl/', await store.currentRevision());
      await store.commit({ op: 'put', key: '/ttl/short', value: 's', ttlSeconds: 2 });
      await store.commit({ op: 'put', key: '/ttl/long', value: 'l', ttlSeconds: 3600 });
      await store.commit({ op: 'put', key: '/ttl/kept', value: 'k', ttlSeconds: 2 });
      await store.commit({ op: 'put', key: '/ttl/kept', value: 'k2' });
      await harness.elapse(2);
      expect(brief((await watch.seen(5))[4] as never)).toBe('delete /ttl/short (was s)');
      expect((await list(store, '/ttl/')).map((entry) => entry.key)).toEqual(['/ttl/kept', '/ttl/long']);
    });

    it('When a snapshot is restored, it should hold the same keys at the same revisions', async () => {
      const store = await open();
      for (let i = 0; i < 20; i++) await put(store, `/s/${i}`, `value ${i} ü`);
      await put(store, '/s/3', 'changed');
      await store.commit({ op: 'delete', key: '/s/4' });
      const expected = await store.range({ start: '/s/', end: prefixEnd('/s/') });
      const snapshot = await store.snapshot();
      await put(store, '/s/later', 'not in it');
      const restored = await harness.restore(snapshot);
      opened.push(restored);
      const found = await restored.range({ start: '/s/', end: prefixEnd('/s/') });
      expect(found.entries).toEqual(expected.entries);
      expect(found.revision).toBeGreaterThanOrEqual(expected.revision);
      const { revision } = await put(restored, '/s/3', 'again');
      expect(revision).toBeGreaterThan(expected.revision);
    });

    it('When the store is closed, it should end its watches and refuse to work', async () => {
      const store = await open();
      const watch = new WatchRecorder(store, '/', await store.currentRevision());
      await put(store, '/a', '1');
      await watch.seen(1);
      await store.close();
      expect(await watch.ended()).toBeInstanceOf(StoreUnavailableError);
      await expect(put(store, '/a', '2')).rejects.toBeInstanceOf(StoreUnavailableError);
      await expect(store.get('/a')).rejects.toBeInstanceOf(StoreUnavailableError);
    });
  });
}

function put(store: Store, key: string, value: string, expected?: number) {
  return store.commit({ op: 'put', key, value, ...(expected === undefined ? {} : { expect: expected }) });
}

async function list(store: Store, prefix: string) {
  return (await store.range({ start: prefix, end: prefixEnd(prefix) })).entries;
}
