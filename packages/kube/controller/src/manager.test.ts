import type { ObjectKey } from '@hypershift-ts/kube-apimachinery';
import { ManualClock, StatusError, statusErrors } from '@hypershift-ts/kube-apimachinery';
import { Registry } from 'prom-client';
import { afterEach, describe, expect, it } from 'vitest';
import type { Reconcile } from './controller.ts';
import { controller } from './controller.ts';
import { Manager } from './manager.ts';
import { controllerReference } from './owner-references.ts';
import { TerminalError } from './retry.ts';
import { configMaps, secrets, type Web, webs } from './testing/kinds.ts';
import { MemoryClient, settle } from './testing/memory-client.ts';

const managers: Manager[] = [];
afterEach(async () => {
  await Promise.all(managers.splice(0).map((manager) => manager.stop()));
});

function start(reconcile: Reconcile, options: { concurrency?: number; timeoutMs?: number } = {}) {
  const client = new MemoryClient();
  const clock = new ManualClock();
  const registry = new Registry();
  const manager = new Manager({ client, clock, registry, random: () => 0 }).add(
    controller({
      name: 'web',
      for: webs,
      owns: [configMaps],
      watches: [
        {
          type: secrets,
          map: (secret, { cache }) =>
            cache
              .list(webs, secret.metadata.namespace)
              .filter((web) => web.spec.secret === secret.metadata.name)
              .map((web) => ({ namespace: 'shop', name: web.metadata.name ?? '' })),
        },
      ],
      reconcile,
      ...options,
    }),
  );
  managers.push(manager);
  return { client, clock, registry, manager };
}

const web = (name: string, secret?: string) => ({
  metadata: { namespace: 'shop', name },
  spec: { text: 'hello', ...(secret ? { secret } : {}) },
});

describe('Manager', () => {
  it('When objects, children and mapped objects change, it should reconcile the objects they concern', async () => {
    const seen: string[] = [];
    const { client, manager } = start(async ({ name }) => void seen.push(name));
    const first = await client.create(webs, web('first', 'key'));
    await manager.start();
    await settle();
    expect(seen.splice(0)).toEqual(['first']);

    const ownerReferences = [controllerReference(webs, first)];
    await client.create(configMaps, { metadata: { namespace: 'shop', name: 'page', ownerReferences } });
    await settle();
    expect(seen.splice(0)).toEqual(['first']);

    await client.create(secrets, { metadata: { namespace: 'shop', name: 'key' } });
    await client.create(secrets, { metadata: { namespace: 'shop', name: 'unrelated' } });
    await settle();
    expect(seen.splice(0)).toEqual(['first']);

    await client.delete(webs, { namespace: 'shop', name: 'first' });
    await settle();
    expect(seen.splice(0)).toEqual(['first']);
  });

  it('When a source says how long its changes may wait, it should meet them together, and urgent ones at once', async () => {
    const seen: string[] = [];
    const client = new MemoryClient();
    const clock = new ManualClock();
    const manager = new Manager({ client, clock, random: () => 0 }).add(
      controller<Web>({
        name: 'web',
        for: { type: webs, gatherMsOf: ({ spec }, before) => (before && spec.text !== 'urgent' ? 100 : 0) },
        reconcile: async ({ name }) => void seen.push(name),
      }),
    );
    managers.push(manager);
    await manager.start();
    let made = await client.create(webs, web('first'));
    await settle();
    expect(seen.splice(0)).toEqual(['first']);
    for (const text of ['a', 'b']) made = await client.update(webs, { ...made, spec: { text } });
    await settle();
    expect(seen).toEqual([]);
    clock.advance(100);
    await settle();
    expect(seen.splice(0)).toEqual(['first']);
    made = await client.update(webs, { ...made, spec: { text: 'c' } });
    await client.update(webs, { ...made, spec: { text: 'urgent' } });
    await settle();
    clock.advance(100);
    await settle();
    expect(seen).toEqual(['first']);
  });

  it('When an object is deleted, it should look at it once more and forget what was planned and told', async () => {
    const seen: string[] = [];
    const client = new MemoryClient();
    const clock = new ManualClock();
    const reconcile: Reconcile = async ({ namespace, name }, { cache }) => {
      const known = cache.get(webs, { namespace, name } as ObjectKey);
      seen.push(known ? 'there' : 'gone');
      return known ? { requeueAfterMs: 600_000 } : undefined;
    };
    const events = { normal() {}, warning() {}, forget: () => void seen.push('forgotten') };
    const manager = new Manager({ client, clock, random: () => 0 });
    manager.add({ ...controller({ name: 'web', for: webs, reconcile }), events });
    managers.push(manager);
    await manager.start();
    await client.create(webs, web('first'));
    await settle();
    await client.delete(webs, { namespace: 'shop', name: 'first' });
    await settle();
    expect(seen.splice(0)).toEqual(['there', 'forgotten', 'gone']);
    clock.advance(600_000);
    await settle();
    expect(seen).toEqual([]);
  });

  it('When one object fails, it should back off alone and be retried on the clock', async () => {
    const seen: string[] = [];
    const { client, clock, manager, registry } = start(async ({ name }) => {
      seen.push(name);
      if (name === 'bad') throw new Error('no');
    });
    await manager.start();
    await client.create(webs, web('bad'));
    await client.create(webs, web('good'));
    await settle();
    expect(seen.splice(0)).toEqual(['bad', 'good']);
    for (const wait of [5, 10, 20]) {
      clock.advance(wait - 1);
      await settle();
      expect(seen.splice(0)).toEqual([]);
      clock.advance(1);
      await settle();
      expect(seen.splice(0)).toEqual(['bad']);
    }
    const errors = await registry.getSingleMetricAsString('controller_runtime_reconcile_errors_total');
    expect(errors).toContain('controller_runtime_reconcile_errors_total{controller="web"} 4');
  });

  it('When the error says that only a change helps, it should wait for the change', async () => {
    let runs = 0;
    const { client, clock, manager } = start(async () => {
      runs++;
      throw new TerminalError('spec.text is not a text');
    });
    await manager.start();
    const made = await client.create(webs, web('bad'));
    await settle();
    clock.advance(10_000_000);
    await settle();
    expect(runs).toBe(1);
    await client.update(webs, { ...made, spec: { text: 'other' } });
    await settle();
    expect(runs).toBe(2);
  });

  it('When an update loses a race, it should try again without counting an error', async () => {
    let runs = 0;
    const { client, clock, manager, registry } = start(async () => {
      if (++runs === 1) throw statusErrors.modified(webs, 'a');
    });
    await manager.start();
    await client.create(webs, web('a'));
    await settle();
    clock.advance(5);
    await settle();
    expect(runs).toBe(2);
    const errors = await registry.getSingleMetricAsString('controller_runtime_reconcile_errors_total');
    expect(errors).toContain('{controller="web"} 0');
  });

  it('When a key changes while it is worked on, it should never be worked on twice at a time', async () => {
    let active = 0;
    let most = 0;
    let runs = 0;
    let release = () => {};
    const { client, manager } = start(
      async () => {
        runs++;
        most = Math.max(most, ++active);
        await new Promise<void>((resolve) => {
          release = resolve;
        });
        active--;
      },
      { concurrency: 5 },
    );
    await manager.start();
    let made = await client.create(webs, web('a'));
    await settle();
    for (const text of ['1', '2', '3']) made = await client.update(webs, { ...made, spec: { text } });
    await settle();
    expect({ runs, most }).toEqual({ runs: 1, most: 1 });
    release();
    await settle();
    expect({ runs, most }).toEqual({ runs: 2, most: 1 });
    release();
    await settle();
    expect({ runs, active }).toEqual({ runs: 2, active: 0 });
  });

  it('When a reconcile asks to come back later, it should come back then', async () => {
    const seen: ObjectKey[] = [];
    const { client, clock, manager } = start(async (key) => {
      seen.push(key);
      return { requeueAfterMs: 60_000 };
    });
    await manager.start();
    await client.create(webs, web('a'));
    await settle();
    clock.advance(59_999);
    await settle();
    expect(seen).toHaveLength(1);
    clock.advance(1);
    await settle();
    expect(seen).toHaveLength(2);
  });

  it('When metrics are scraped, it should show queues, reconciles and informers under their usual names', async () => {
    let release = () => {};
    const { client, clock, manager, registry } = start(
      () =>
        new Promise((resolve) => {
          release = () => resolve(undefined);
        }),
    );
    await client.create(webs, web('a'));
    await client.create(webs, web('b'));
    await manager.start();
    await settle();
    clock.advance(7000);
    const text = await registry.metrics();
    for (const line of [
      'controller_runtime_active_workers{controller="web"} 1',
      'controller_runtime_max_concurrent_reconciles{controller="web"} 1',
      'workqueue_depth{name="web",controller="web",priority="low"} 1',
      'workqueue_longest_running_processor_seconds{name="web",controller="web"} 7',
      'workqueue_unfinished_work_seconds{name="web",controller="web"} 7',
      'informer_quiet_seconds{resource="webs"} 7',
      'informer_objects{resource="webs"} 2',
    ]) {
      expect(text).toContain(line);
    }
    expect(await manager.readyz()).toMatchObject({ ok: true, text: expect.stringContaining('[+]informer-sync ok') });
    const stopping = manager.stop();
    release();
    await stopping;
    expect(await registry.metrics()).not.toContain('informer_objects{');
    expect(await registry.metrics()).toContain('workqueue_depth{name="web",controller="web",priority="low"} 0');
  });

  it('When stopped, it should let the work in progress end, close every watch and take nothing new', async () => {
    let release = () => {};
    let ended = false;
    const { client, manager } = start(async () => {
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      ended = true;
    });
    await manager.start();
    await client.create(webs, web('a'));
    await settle();
    expect(client.openWatches).toBe(3);
    const stopping = manager.stop();
    await settle();
    expect(ended).toBe(false);
    release();
    await stopping;
    expect(ended).toBe(true);
    expect(client.openWatches).toBe(0);
  });

  it('When work does not end within the grace period, it should abort it and stop all the same', async () => {
    let reason = '';
    const { client, clock, manager } = start(
      (_, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            reason = 'aborted';
            reject(new Error('aborted'));
          });
        }),
    );
    await manager.start();
    await client.create(webs, web('a'));
    await settle();
    const stopping = manager.stop();
    await settle();
    clock.advance(30_000);
    await stopping;
    expect(reason).toBe('aborted');
  });

  it('When a watched type cannot be read, it should say which and why', async () => {
    const { client, clock, manager } = start(async () => {});
    client.onCall = (_verb, type) => {
      if (type === webs) throw new StatusError(404, 'NotFound', 'the server could not find the requested resource');
    };
    const outcome = manager.start().catch((error: Error) => error.message);
    for (let i = 0; i < 10; i++) {
      await settle(3);
      clock.advance(20_000);
    }
    expect(await outcome).toContain('webs (the server could not find the requested resource)');
  });
});
