import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { StoreUnavailableError } from '../store.ts';
import { type EtcdCluster, EtcdTestBed, etcdUnavailable } from '../testing/etcd-server.ts';
import { WatchRecorder } from '../testing/watch-recorder.ts';
import { createEtcdStore, type EtcdStore } from './etcd-store.ts';

describe.skipIf(etcdUnavailable())('etcd store on a cluster of three', () => {
  let bed: EtcdTestBed;
  let cluster: EtcdCluster;
  let store: EtcdStore;

  beforeAll(async () => {
    bed = new EtcdTestBed();
    cluster = await bed.start(3);
    store = createEtcdStore({ endpoints: cluster.endpoints, tls: bed.tls, timeoutMs: 2_500 });
    await writeSurely('/started', '');
  });
  afterAll(async () => {
    await store.close();
    await bed.dispose();
  });

  /** Writes until acknowledged; a write whose outcome was unknown may then have happened twice. */
  async function writeSurely(key: string, value: string): Promise<void> {
    for (;;) {
      try {
        await store.commit({ op: 'put', key, value });
        return;
      } catch (error) {
        if (!(error instanceof StoreUnavailableError)) throw error;
      }
    }
  }

  it('When servers die and come back one after the other, it should lose no write and no event', async () => {
    const watch = new WatchRecorder(store, '/f/', await store.currentRevision());
    const total = 60;
    for (let i = 0; i < total; i++) {
      if (i % 30 === 10) await cluster.killMember(Math.floor(i / 30) % 3);
      if (i % 30 === 25) cluster.startMember(Math.floor(i / 30) % 3);
      await writeSurely('/f/counter', String(i));
    }
    await watch.until(() => lastValue(watch) === String(total - 1));
    const revisions = watch.events.map((event) => event.revision);
    expect(revisions).toEqual([...new Set(revisions)].toSorted((a, b) => a - b));
    const values = watch.events.map((event) => (event.type === 'put' ? Number(event.entry.value) : -1));
    // An unsure write may show up twice, but none is missing and none comes out of order.
    expect([...new Set(values)]).toEqual(Array.from({ length: total }, (_, i) => i));
    expect(watch.error).toBeUndefined();
  }, 60_000);

  it('When the quorum is lost, it should say that it is unavailable, and recover', async () => {
    await cluster.killMember(0);
    await cluster.killMember(1);
    await expect(store.commit({ op: 'put', key: '/q', value: '1' })).rejects.toBeInstanceOf(StoreUnavailableError);
    await expect(store.get('/q')).rejects.toBeInstanceOf(StoreUnavailableError);
    const states = await store.status();
    expect(states.filter((state) => state.error !== undefined).length).toBeGreaterThanOrEqual(2);
    expect(states.every((state) => !state.hasLeader)).toBe(true);
    cluster.startMember(0);
    cluster.startMember(1);
    await writeSurely('/q', '2');
    expect((await store.get('/q')).entry?.value).toBe('2');
  }, 60_000);
});

function lastValue(watch: WatchRecorder): string | undefined {
  const last = watch.events.at(-1);
  return last?.type === 'put' ? last.entry.value : undefined;
}
