import { execFileSync } from 'node:child_process';
import { chmod, mkdtemp, open, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ManualClock } from '@hypershift-ts/kube-apimachinery';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CompactedError, type Store, StoreUnavailableError } from '../store.ts';
import { brief, WatchRecorder } from '../testing/watch-recorder.ts';
import { StoreOpenError } from './open-error.ts';
import { openSqliteStore, restoreSqlite } from './sqlite-store.ts';

/** Knows how many timers were armed and neither fired nor cancelled. */
class CountingClock extends ManualClock {
  armed = 0;

  override after(delayMs: number, callback: () => void): () => void {
    this.armed++;
    const cancel = super.after(delayMs, callback);
    return () => {
      this.armed--;
      cancel();
    };
  }
}

describe('openSqliteStore', () => {
  let directory: string;
  let file: string;
  const opened: Store[] = [];
  const open1 = async (clock = new ManualClock()): Promise<Store> => {
    const store = await openSqliteStore({ file, clock });
    opened.push(store);
    return store;
  };
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'store-sqlite-'));
    file = join(directory, 'data', 'store.db');
  });
  afterEach(async () => {
    for (const store of opened.splice(0)) await store.close();
    await rm(directory, { recursive: true });
  });

  it('When reopened, it should continue with the same values, history and revisions', async () => {
    const first = await open1();
    await first.commit({ op: 'put', key: '/a', value: '1' });
    await first.commit({ op: 'put', key: '/a', value: '2' });
    await first.commit({ op: 'put', key: '/b', value: '1' });
    await first.commit({ op: 'delete', key: '/a' });
    await first.close();

    const second = await open1();
    expect(await second.currentRevision()).toBe(5);
    expect((await second.get('/a', 3)).entry).toMatchObject({ value: '2', createRevision: 2, modRevision: 3 });
    const events = await new WatchRecorder(second, '/', 2).seen(3);
    expect(events.map(brief)).toEqual(['put /a=2', 'put /b=1', 'delete /a (was 2)']);
    expect(second.size()).toBe(3);
  });

  it('When the last write was a delete and all is compacted, it should not go back to an older revision', async () => {
    const first = await open1();
    await first.commit({ op: 'put', key: '/a', value: '1' });
    const { revision } = await first.commit({ op: 'delete', key: '/a' });
    await first.compact(revision);
    await first.close();

    const second = await open1();
    expect(await second.currentRevision()).toBe(revision);
    expect(await second.compactedRevision()).toBe(revision);
    expect((await second.range({ start: '', end: '\0' })).count).toBe(0);
    const watch = new WatchRecorder(second, '/', 1);
    expect(await watch.ended()).toBeInstanceOf(CompactedError);
  });

  it('When a key expired while the store was closed, it should vanish after reopening', async () => {
    const clock = new ManualClock();
    const first = await open1(clock);
    await first.commit({ op: 'put', key: '/a', value: '1', ttlSeconds: 60 });
    await first.commit({ op: 'put', key: '/b', value: '1', ttlSeconds: 600 });
    await first.close();
    clock.advance(120_000);
    const second = await open1(clock);
    const watch = new WatchRecorder(second, '/', 3);
    clock.advance(0);
    expect((await watch.seen(1)).map(brief)).toEqual(['delete /a (was 1)']);
    expect((await second.get('/b')).entry?.value).toBe('1');
  });

  it('When it closes while a key with a deadline is on its way, it should leave no timer', async () => {
    const clock = new CountingClock();
    const store = await openSqliteStore({ file, clock });
    const before = clock.armed;
    const onItsWay = store.commit({ op: 'put', key: '/a', value: '1', ttlSeconds: 3600 });
    await store.close();
    await onItsWay;
    expect(clock.armed).toBe(before);
  });

  it('When it makes files, it should make them for the owner only, and leave one file behind', async () => {
    const store = await open1();
    await store.commit({ op: 'put', key: '/a', value: '1' });
    const mode = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);
    expect(await mode(join(directory, 'data'))).toBe('700');
    expect(await mode(file)).toBe('600');
    expect(await mode(`${file}-wal`)).toBe('600');
    await store.close();
    expect(await readdir(join(directory, 'data'))).toEqual(['store.db']);
  });

  it('When the file is open already, it should refuse with advice and not disturb the owner', async () => {
    const store = await open1();
    await store.commit({ op: 'put', key: '/a', value: '1' });
    await expect(openSqliteStore({ file })).rejects.toThrow(/in use: stop the other process/);
    await expect(openSqliteStore({ file })).rejects.toMatchObject({ name: 'StoreOpenError', reason: 'in-use' });
    expect(await store.commit({ op: 'put', key: '/a', value: '2' })).toMatchObject({ ok: true });
    const libsql = new URL('../../../../../node_modules/libsql/index.js', import.meta.url).pathname;
    const outsider = `try { new (require(${JSON.stringify(libsql)}))(${JSON.stringify(file)}).exec('SELECT * FROM versions'); }
      catch (error) { console.log(error.code); }`;
    expect(execFileSync(process.execPath, ['-e', outsider], { encoding: 'utf8' }).trim()).toBe('SQLITE_BUSY');
  });

  it('When the file is something else, it should say so', async () => {
    await (await open1()).close();
    await rm(file);
    await writeFile(file, 'this is not a database, but long enough to be looked at as if it were one\n'.repeat(100));
    const error = await openSqliteStore({ file }).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(StoreOpenError);
    expect(error).toMatchObject({ reason: 'not-a-store' });
  });

  it('When pages of the file are overwritten, it should refuse to serve what is left', async () => {
    const store = await open1();
    for (let i = 0; i < 200; i++) await store.commit({ op: 'put', key: `/k/${i}`, value: 'v'.repeat(2000) });
    await store.close();
    const handle = await open(file, 'r+');
    await handle.write(Buffer.alloc(4096 * 20, 0xab), 0, 4096 * 20, 4096 * 2);
    await handle.close();
    await expect(openSqliteStore({ file })).rejects.toMatchObject({ name: 'StoreOpenError', reason: 'damaged' });
  });

  it('When the directory cannot be made, it should name the file', async () => {
    await writeFile(join(directory, 'data'), '');
    await expect(openSqliteStore({ file })).rejects.toThrow(file);
    await chmod(join(directory, 'data'), 0o600);
  });

  it('When commits are pending at close, it should settle them first', async () => {
    const store = await open1();
    const pending = Array.from({ length: 50 }, (_, i) => store.commit({ op: 'put', key: `/p/${i}`, value: '' }));
    await store.close();
    expect((await Promise.all(pending)).every((result) => result.ok)).toBe(true);
    await expect(store.commit({ op: 'put', key: '/late', value: '' })).rejects.toBeInstanceOf(StoreUnavailableError);
    expect((await (await open1()).range({ start: '/p/', end: '/p0' })).count).toBe(50);
  });

  it('When restored over an existing file, it should refuse', async () => {
    const store = await open1();
    const snapshot = await store.snapshot();
    await expect(restoreSqlite(snapshot, { file })).rejects.toMatchObject({ reason: 'exists' });
  });
});
