import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock, KubeObject, ResourceType } from '@hypershift-ts/kube-apimachinery';
import { isNotFound, StatusError, systemClock } from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';
import { clusterConfigFrom, HttpClient, Informer, parseKubeconfig } from '@hypershift-ts/kube-client';
import { EmbeddedCluster } from '@hypershift-ts/kube-embedded';
import type { Store } from '@hypershift-ts/kube-store';
import { createMemoryStore } from '@hypershift-ts/kube-store';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TcpCutter } from './tcp-cutter.ts';
import { versionsOf, Witness } from './witness.ts';

interface ConfigMap extends KubeObject {
  readonly data?: { readonly [key: string]: string };
}

const configMaps: ResourceType<ConfigMap> = {
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  resource: 'configmaps',
  namespaced: true,
};

/** Back-off is exercised, not waited for. */
const hastyClock: Clock = {
  now: () => systemClock.now(),
  after: (ms, callback) => systemClock.after(ms / 20, callback),
};

/** The store as a server sees it that may stop without taking the data with it. */
function outliving(store: Store): Store {
  return new Proxy(store, {
    get(target, name) {
      if (name === 'close') return async () => {};
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** Repeatable disorder. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1664525 + 1013904223) % 4294967296;
    return state / 4294967296;
  };
}

describe('informers against the embedded API server', () => {
  let directory: string;
  let store: Store;
  let cluster: EmbeddedCluster;
  let cutter: TcpCutter;
  let admin: HttpClient;
  const cleanups: (() => Promise<void>)[] = [];

  const connections = () => cutter.connections;
  const port = () => Number(new URL(cluster.server).port);
  const start = (securePort: number) =>
    EmbeddedCluster.start({ controllers: false, dataDir: directory, store: outliving(store), securePort });
  const restart = async (meanwhile: () => Promise<void> = async () => {}) => {
    const securePort = port();
    await cluster.stop();
    await meanwhile();
    cluster = await start(securePort);
  };

  beforeEach(async () => {
    store = createMemoryStore({});
    directory = await mkdtemp(join(tmpdir(), 'informers-'));
    cluster = await start(0);
    cutter = new TcpCutter(port);
    const config = clusterConfigFrom(parseKubeconfig(cluster.adminKubeconfig(), 'admin', '/'));
    const relayed = { ...config, server: `https://127.0.0.1:${await cutter.listen()}` };
    admin = new HttpClient(relayed);
    cleanups.push(
      () => rm(directory, { recursive: true, force: true }),
      () => store.close(),
      () => cluster.stop(),
      () => cutter.close(),
      () => admin.close(),
    );
  });
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });

  function watched(client: Client) {
    const informer = new Informer({ client, type: configMaps, scope: { namespace: 'default' }, clock: hastyClock });
    const witness = new Witness(informer);
    cleanups.push(() => informer.stop());
    informer.start();
    return { informer, witness };
  }

  async function write(client: Client, random: () => number, operations: number): Promise<void> {
    for (let i = 0; i < operations; i++) {
      const name = `object-${Math.floor(random() * 40)}`;
      const key = { namespace: 'default', name };
      const object = { metadata: key, data: { value: String(i), padding: 'x'.repeat(200) } };
      const choice = random();
      try {
        if (choice < 0.3) await client.delete(configMaps, key);
        else if (choice < 0.6) await client.create(configMaps, object);
        else await client.update(configMaps, object);
      } catch (error) {
        if (!isNotFound(error) && !(error instanceof StatusError && error.code === 409)) throw error;
      }
    }
  }

  async function expectConverged(
    followers: readonly { informer: Informer<ConfigMap>; witness: Witness<ConfigMap> }[],
  ): Promise<void> {
    const truth = versionsOf((await cluster.client().list(configMaps, { namespace: 'default' })).items);
    for (const { informer, witness } of followers) {
      await vi.waitFor(() => expect(versionsOf(informer.list())).toEqual(truth), { timeout: 20_000, interval: 20 });
      expect(witness.versions()).toEqual(truth);
      expect(witness.faults).toEqual([]);
    }
  }

  it('When connections are cut again and again while objects change, it should miss and repeat nothing', async () => {
    const random = seeded(1);
    const followers = [watched(admin), watched(admin), watched(cluster.client())];
    for (let round = 0; round < 30; round++) {
      await write(cluster.client(), random, 20);
      // Sometimes in the middle of a reconnection, sometimes in the middle of a quiet watch.
      await new Promise((resolve) => setTimeout(resolve, random() * 60));
      const writing = write(cluster.client(), random, 20);
      cutter.cut();
      await writing;
    }
    await expectConverged(followers);
    expect(followers[0]?.informer.activity.lists).toBe(1);
    // How many cuts hit an open connection depends on how fast it was opened again.
    expect(followers[0]?.informer.activity.failures).toBeGreaterThan(0);
  });

  it('When the history is compacted while nobody can connect, it should list again and end in the same state', async () => {
    const random = seeded(2);
    const followers = [watched(admin), watched(cluster.client())];
    await write(cluster.client(), random, 100);
    await expectConverged(followers);
    for (let round = 0; round < 3; round++) {
      cutter.refusing = true;
      cutter.cut();
      await write(cluster.client(), random, 80);
      await store.compact(await store.currentRevision());
      cutter.refusing = false;
      await expectConverged(followers);
    }
    expect(followers[0]?.informer.activity.lists).toBeGreaterThan(1);
  });

  it('When the server restarts, with and without compaction meanwhile, it should carry on', async () => {
    const random = seeded(3);
    const followers = [watched(admin)];
    await write(cluster.client(), random, 50);
    await expectConverged(followers);
    for (const compacting of [false, true, false]) {
      await write(cluster.client(), random, 30);
      await restart(async () => {
        if (compacting) await store.compact(await store.currentRevision());
      });
      await write(cluster.client(), random, 30);
      await expectConverged(followers);
    }
    // A server that stops says goodbye, so a restart is no failure, only another watch.
    expect(followers[0]?.informer.activity.watches).toBeGreaterThan(1);
  });

  it('When hundreds of informers share one client, it should serve all over a few connections and give all back', async () => {
    const followers = Array.from({ length: 300 }, () => watched(admin));
    await Promise.all(followers.map(({ informer }) => informer.whenSynced()));
    await write(cluster.client(), seeded(4), 40);
    await expectConverged(followers);
    expect(connections()).toBeLessThanOrEqual(8);
    await Promise.all(followers.map(({ informer }) => informer.stop()));
  });
});
