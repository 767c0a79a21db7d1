import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@hypershift-ts/kube-apimachinery';
import { type StoreEvent, StoreUnavailableError } from '@hypershift-ts/kube-store';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EtcdCluster, type RunningMember } from './etcd-cluster.ts';

describe('EtcdCluster', () => {
  let folder: string;
  const said: string[] = [];
  let empty = 0;
  const clusterOf = (size: number) => new EtcdCluster({ size, clock: systemClock, onEmpty: () => empty++ });
  const member = (name: string, inMemory = false): RunningMember => ({
    name,
    dataDir: inMemory ? undefined : join(folder, name),
    log: (message) => said.push(message),
  });

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'etcd-cluster-'));
    said.length = 0;
    empty = 0;
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('When fewer than a quorum run, it should refuse and say how many are missing', async () => {
    const cluster = clusterOf(3);
    const [a, b] = [member('a'), member('b')];
    await cluster.join(a);
    const store = cluster.connect();
    await expect(store.currentRevision()).rejects.toThrow('1 of 3 members');
    await cluster.join(b);
    expect((await store.commit({ op: 'put', key: 'k', value: '1' })).ok).toBe(true);
    expect(said.join()).toContain('not replicated');
    await cluster.leave(b);
    await expect(store.get('k')).rejects.toThrow(StoreUnavailableError);
    await cluster.leave(a);
    await store.close();
    expect(empty).toBe(1);
  });

  it('When all restart without the member that has the data, it should wait for it', async () => {
    const cluster = clusterOf(3);
    const members = ['a', 'b', 'c'].map((name) => member(name));
    for (const one of members) await cluster.join(one);
    const store = cluster.connect();
    await store.commit({ op: 'put', key: 'k', value: '1' });
    for (const one of members) await cluster.leave(one);
    const [a, b, c] = members as [RunningMember, RunningMember, RunningMember];
    await cluster.join(b);
    await cluster.join(c);
    expect(cluster.problem()).toContain('waiting for member a');
    await cluster.join(a);
    expect((await store.get('k')).entry?.value).toBe('1');
    for (const one of members) await cluster.leave(one);
    await store.close();
  });

  it('When the cluster restarts, watches should go on after what they saw', async () => {
    const cluster = clusterOf(1);
    const only = member('a');
    await cluster.join(only);
    const store = cluster.connect();
    const seen: StoreEvent[] = [];
    const ends: Error[] = [];
    const options = { start: '', end: '\0', afterRevision: await store.currentRevision() };
    const watch = store.watch({ ...options, onEvents: (events) => seen.push(...events), onEnd: (e) => ends.push(e) });
    await store.commit({ op: 'put', key: 'k', value: '1' });
    await cluster.leave(only);
    await cluster.join(only);
    await store.commit({ op: 'put', key: 'k', value: '2' });
    expect(seen.map((event) => event.type === 'put' && event.entry.value)).toEqual(['1', '2']);
    expect(ends).toEqual([]);
    watch.close();
    await cluster.leave(only);
    await store.close();
  });

  it('When a member runs already, it should refuse its double', async () => {
    const cluster = clusterOf(1);
    const only = member('a', true);
    await cluster.join(only);
    await expect(cluster.join(member('a', true))).rejects.toThrow('running already');
    await cluster.leave(only);
  });
});
