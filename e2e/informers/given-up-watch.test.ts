import { getEventListeners } from 'node:events';
import { corev1, systemClock } from '@hypershift-ts/kube-apimachinery';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startTestCluster, type TestCluster } from '../harness/cluster.ts';

describe('A watch inside the process', () => {
  const timers = new Set<number>();
  let cluster: TestCluster;

  beforeAll(async () => {
    const after: typeof systemClock.after = (ms, callback) => {
      timers.add(ms);
      const cancel = systemClock.after(ms, () => {
        timers.delete(ms);
        callback();
      });
      return () => {
        timers.delete(ms);
        cancel();
      };
    };
    cluster = await startTestCluster({ clock: { now: () => systemClock.now(), after } });
  }, 60_000);

  afterAll(() => cluster?.stop(), 60_000);

  it('When it is given up, before it began or after, it should leave neither timer nor listener', async () => {
    const timeoutSeconds = 4321;
    const waits = () => timers.has(timeoutSeconds * 1000);
    const open = () => {
      const stopper = new AbortController();
      const events = cluster.cluster
        .client(undefined, 'somebody')
        .watch(corev1.secrets, { timeoutSeconds, signal: stopper.signal });
      return { stopper, next: events[Symbol.asyncIterator]().next() };
    };
    const early = open();
    early.stopper.abort();
    await early.next.catch(() => undefined);
    expect(waits()).toBe(false);
    expect(getEventListeners(early.stopper.signal, 'abort')).toEqual([]);

    const late = open();
    await vi.waitFor(() => expect(waits()).toBe(true), { timeout: 10_000 });
    late.stopper.abort();
    await late.next;
    expect(waits()).toBe(false);
    expect(getEventListeners(late.stopper.signal, 'abort')).toEqual([]);
  });
});
