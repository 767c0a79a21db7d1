import { coordinationv1, ManualClock } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import { LeaderElector } from './leader-election.ts';
import { silentLogger } from './logger.ts';
import { controller } from './controller.ts';
import { Manager } from './manager.ts';
import { webs } from './testing/kinds.ts';
import { MemoryClient, settle } from './testing/memory-client.ts';

const lease = { namespace: 'kube-system', name: 'lock' };

async function advance(clock: ManualClock, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 500) {
    clock.advance(500);
    await settle(4);
  }
}

function candidate(client: MemoryClient, clock: ManualClock, identity: string) {
  return new LeaderElector({ lease, identity }, { client, clock, random: () => 0, log: silentLogger });
}

describe('LeaderElector', () => {
  it('When two compete, it should let the second lead only after the first stopped renewing for the lease duration', async () => {
    const client = new MemoryClient();
    const clock = new ManualClock();
    const stopper = new AbortController();
    const [first, second] = [candidate(client, clock, 'first'), candidate(client, clock, 'second')];
    expect(await first.acquire(stopper.signal)).toBe(true);
    const holding = new AbortController();
    const hold = first.hold(holding.signal);
    let led = false;
    const waiting = (async () => {
      led = await second.acquire(stopper.signal);
    })();
    await advance(clock, 60_000);
    expect(led).toBe(false);
    holding.abort();
    await hold;
    await advance(clock, 12_000);
    expect(led).toBe(false);
    await advance(clock, 8_000);
    await waiting;
    expect(led).toBe(true);
    const stored = await client.get(
      { group: 'coordination.k8s.io', version: 'v1', kind: 'Lease', resource: 'leases', namespaced: true },
      lease,
    );
    expect((stored as { spec?: object }).spec).toMatchObject({
      holderIdentity: 'second',
      leaseTransitions: 1,
      leaseDurationSeconds: 15,
    });
  });

  it('When the leader releases the lease, it should let the next one lead at its next attempt', async () => {
    const client = new MemoryClient();
    const clock = new ManualClock();
    const { signal } = new AbortController();
    const [first, second] = [candidate(client, clock, 'first'), candidate(client, clock, 'second')];
    await first.acquire(signal);
    const waiting = second.acquire(signal);
    await settle();
    await first.release();
    await advance(clock, 5000);
    expect(await waiting).toBe(true);
  });

  it('When a replacement comes before the leader lets go, it should not wait for a whole retry period', async () => {
    const client = new MemoryClient();
    const clock = new ManualClock();
    const { signal } = new AbortController();
    const [first, second] = ['first', 'second'].map((identity) => {
      const options = { leaseDurationMs: 137_000, renewDeadlineMs: 107_000, retryPeriodMs: 26_000 };
      const env = { client, clock, random: () => 0, log: silentLogger };
      return new LeaderElector({ lease, identity, ...options }, env);
    });
    await first!.acquire(signal);
    const waiting = second!.acquire(signal);
    await advance(clock, 1000);
    await first!.release();
    await advance(clock, 2500);
    expect(second!.isLeader()).toBe(true);
    expect(await waiting).toBe(true);
  });

  it('When a renewal arrived that the leader gave up, it should still give the lease back', async () => {
    const client = new MemoryClient();
    const clock = new ManualClock();
    const first = candidate(client, clock, 'first');
    await first.acquire(new AbortController().signal);
    const renewed = await client.get(coordinationv1.leases, lease);
    await client.update(coordinationv1.leases, { ...renewed, spec: { ...renewed.spec, leaseTransitions: 7 } });
    await first.release();
    expect((await client.get(coordinationv1.leases, lease)).spec?.holderIdentity).toBe('');
  });

  it('When the lease cannot be renewed before the deadline, it should say that leadership is lost', async () => {
    const client = new MemoryClient();
    const clock = new ManualClock();
    const { signal } = new AbortController();
    const first = candidate(client, clock, 'first');
    await first.acquire(signal);
    const outcome = first.hold(signal).catch((error: Error) => `${error.name} after ${clock.now() - started} ms`);
    const started = clock.now();
    client.onCall = () => {
      throw new Error('no network');
    };
    await advance(clock, 20_000);
    expect(await outcome).toBe('LeadershipLost after 10000 ms');
  });
});

describe('Manager with leader election', () => {
  it('When another one leads, it should keep its caches warm and work only after taking over', async () => {
    const client = new MemoryClient();
    const clock = new ManualClock();
    const seen: string[] = [];
    const start = (identity: string) => {
      const manager = new Manager({ client, clock, random: () => 0, leaderElection: { lease, identity } }).add(
        controller({ name: 'web', for: webs, reconcile: async ({ name }) => void seen.push(`${identity} ${name}`) }),
      );
      return { manager, started: manager.start() };
    };
    const first = start('first');
    await first.started;
    const second = start('second');
    await client.create(webs, { metadata: { namespace: 'shop', name: 'a' }, spec: { text: '' } });
    await settle();
    expect(seen).toEqual(['first a']);
    await first.manager.stop();
    await advance(clock, 5000);
    await second.started;
    await settle();
    expect(seen).toEqual(['first a', 'second a']);
    expect(second.manager.isLeader()).toBe(true);
    await second.manager.stop();
  });

  it('When the lease is lost, it should stop and report why', async () => {
    const client = new MemoryClient();
    const clock = new ManualClock();
    const manager = new Manager({ client, clock, random: () => 0, leaderElection: { lease, identity: 'me' } });
    const outcome = manager.run(new AbortController().signal).catch((error: Error) => error.name);
    await settle();
    client.onCall = () => {
      throw new Error('no network');
    };
    await advance(clock, 15_000);
    expect(await outcome).toBe('LeadershipLost');
  });
});
