import type { Clock } from '@hypershift-ts/kube-apimachinery';
import { parseLabelSelector, StatusError, systemClock } from '@hypershift-ts/kube-apimachinery';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Client } from '../client.ts';
import { HttpClient } from '../http/http-client.ts';
import type { Thing } from '../testing/test-api.ts';
import { TestApi, things } from '../testing/test-api.ts';
import { TestServer } from '../testing/test-server.ts';
import type { InformerOptions } from './informer.ts';
import { Informer, withoutManagedFields } from './informer.ts';
import { InformerCache } from './informer-cache.ts';

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** Real time, a hundred times faster: back-off is exercised without waiting for it. */
const hastyClock: Clock = {
  now: () => systemClock.now(),
  after: (ms, callback) => systemClock.after(ms / 100, callback),
};

async function setUp(options: Partial<InformerOptions<Thing>> = {}, streamingLists = true) {
  const api = new TestApi();
  api.streamingLists = streamingLists;
  const server = await new TestServer('h2', api.handle).start();
  const client = new HttpClient(server.config);
  const informer = new Informer({ client, type: things, clock: hastyClock, ...options });
  const log: string[] = [];
  informer.addHandler({
    added: ({ metadata, spec }, initial) => log.push(`+${metadata.name}=${spec.value}${initial ? '*' : ''}`),
    updated: (previous, { metadata, spec }) => log.push(`${metadata.name}:${previous.spec.value}>${spec.value}`),
    deleted: ({ metadata, spec }, unknown) => log.push(`-${metadata.name}=${spec.value}${unknown ? '?' : ''}`),
  });
  cleanups.push(
    () => server.stop(),
    () => client.close(),
    () => informer.stop(),
  );
  const cached = () => Object.fromEntries(informer.list().map(({ metadata, spec }) => [metadata.name, spec.value]));
  const converged = () => vi.waitFor(() => expect(cached()).toEqual(api.values()), { timeout: 10_000, interval: 5 });
  return { api, server, client, informer, log, cached, converged };
}

describe.each([true, false])('Informer (streaming lists: %s)', (streaming) => {
  it('When objects come, change and go, it should tell each change once with the old and the new object', async () => {
    const { api, informer, log, converged } = await setUp({}, streaming);
    api.put('a', 1);
    api.put('b', 1);
    informer.start();
    expect(await informer.whenSynced()).toBe(true);
    expect(log.splice(0)).toEqual(['+a=1*', '+b=1*']);
    await vi.waitFor(() => expect(api.openWatches).toBe(1));
    api.put('a', 2);
    api.put('c', 1);
    api.remove('b');
    await converged();
    expect(log).toEqual(['a:1>2', '+c=1', '-b=1']);
    expect(Object.isFrozen(informer.get('ns/a')?.metadata)).toBe(true);
  });

  it('When the connection breaks, it should resume where it was without a relist or a repeated event', async () => {
    const { api, server, informer, log, converged } = await setUp({}, streaming);
    api.put('a', 1);
    informer.start();
    await informer.whenSynced();
    for (let round = 2; round < 6; round++) {
      await vi.waitFor(() => expect(api.openWatches).toBe(1));
      server.cut();
      api.put('a', round);
      await converged();
    }
    expect(log).toEqual(['+a=1*', 'a:1>2', 'a:2>3', 'a:3>4', 'a:4>5']);
    expect(informer.activity.lists).toBe(1);
  });

  it('When the history it needs was compacted, it should list again and tell only the differences', async () => {
    const { api, server, informer, log, converged } = await setUp({}, streaming);
    for (const name of ['kept', 'changed', 'gone', 'reborn']) api.put(name, 1);
    informer.start();
    await informer.whenSynced();
    log.length = 0;
    await vi.waitFor(() => expect(api.openWatches).toBe(1));
    await server.stop();
    api.put('changed', 2);
    api.remove('gone');
    api.remove('reborn');
    api.put('reborn', 5);
    api.put('new', 1);
    api.compact();
    await server.start();
    await converged();
    expect(log.sort()).toEqual(['+new=1', '+reborn=5', '-gone=1?', '-reborn=1?', 'changed:1>2']);
  });

  it('When the server ends a watch as planned, it should go on from the last bookmark', async () => {
    const { api, informer, converged } = await setUp({}, streaming);
    api.put('a', 1);
    informer.start();
    await informer.whenSynced();
    await vi.waitFor(() => expect(api.openWatches).toBe(1));
    api.revision = 500;
    api.bookmark();
    await vi.waitFor(() => expect(informer.activity.resourceVersion).toBe('500'));
    api.endWatches();
    await vi.waitFor(() => expect(api.requests.at(-1)).toContain('resourceVersion=500'));
    api.put('a', 2);
    await converged();
    expect(informer.activity.failures).toBe(0);
  });
});

describe('Informer', () => {
  it('When a list has many pages and the snapshot expires in between, it should take it in one piece', async () => {
    const { api, informer, converged } = await setUp({}, false);
    for (let i = 0; i < 1200; i++) api.put(`thing-${i}`, i);
    let pages = 0;
    api.intercept = ({ url = '' }) => {
      if (url.includes('limit=500') && ++pages === 2) api.compact();
      return false;
    };
    informer.start();
    await informer.whenSynced();
    await converged();
    expect(informer.size).toBe(1200);
    expect(api.requests.some((url) => url.endsWith('/things'))).toBe(true);
  });

  it('When the store of the server cannot stream lists, it should page', async () => {
    const { api, informer, converged } = await setUp();
    api.put('a', 1);
    api.intercept = ({ url = '' }, response) => {
      if (!url.includes('sendInitialEvents')) return false;
      // As kube-apiserver answers in front of an old etcd: the fault comes inside a stream that began well.
      const message =
        'a watch stream was requested by the client but the required storage feature RequestWatchProgress is disabled';
      const fault = new StatusError(500, 'InternalError', message).toStatus();
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(`${JSON.stringify({ type: 'ERROR', object: fault })}\n`);
      return true;
    };
    informer.start();
    await converged();
    // Not even one, when this hasty clock gave the stream up before the request came in.
    expect(api.requests.filter((url) => url.includes('sendInitialEvents')).length).toBeLessThan(2);
    api.put('b', 2);
    await converged();
  });

  it('When the server neither knows streaming lists nor says so, it should find out and page', async () => {
    const { api, informer, converged } = await setUp();
    api.put('a', 1);
    api.intercept = ({ url = '' }, response) => {
      if (!url.includes('sendInitialEvents')) return false;
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('\n');
      return true;
    };
    informer.start();
    await informer.whenSynced();
    await converged();
    expect(api.requests.some((url) => url.includes('limit=500'))).toBe(true);
  });

  it('When the server fails, answers garbage and hangs up, it should keep trying until it is well', async () => {
    const errors: unknown[] = [];
    const { api, server, informer, converged } = await setUp({ onError: (error) => errors.push(error) });
    api.put('a', 1);
    let turn = 0;
    api.intercept = (_request, response) => {
      switch (turn++) {
        case 0:
          response.writeHead(500).end('oops');
          return true;
        case 1:
          response.writeHead(200).end('{"type":"ADDED","object":{\n');
          return true;
        case 2:
          response.writeHead(200);
          response.write('{"type":"ADD');
          setImmediate(() => server.cut());
          return true;
        default:
          return false;
      }
    };
    informer.start();
    expect(await informer.whenSynced()).toBe(true);
    await converged();
    // The first failure only means that lists are better asked for in pages.
    expect(errors).toHaveLength(2);
  });

  it('When a handler throws, it should report it and serve the others', async () => {
    const errors: unknown[] = [];
    const { api, informer, log } = await setUp({ onError: (error) => errors.push(error) });
    informer.addHandler({
      added: () => {
        throw new Error('bad handler');
      },
    });
    const late: string[] = [];
    informer.addHandler({ added: ({ metadata }) => late.push(metadata.name ?? '') });
    api.put('a', 1);
    informer.start();
    await informer.whenSynced();
    expect({ log, late, errors }).toMatchObject({ log: ['+a=1*'], late: ['a'], errors: [{ message: 'bad handler' }] });
  });

  it('When a handler comes late, it should first see what is there', async () => {
    const { api, informer } = await setUp();
    api.put('a', 1);
    informer.start();
    await informer.whenSynced();
    const seen: string[] = [];
    const leave = informer.addHandler({ added: ({ metadata }, initial) => seen.push(`${metadata.name} ${initial}`) });
    expect(seen).toEqual(['a true']);
    leave();
    api.put('b', 1);
    await vi.waitFor(() => expect(informer.size).toBe(2));
    expect(seen).toEqual(['a true']);
  });

  it('When asked by namespace, owner or an index of its own, it should find the objects as they are now', async () => {
    const { api, informer, converged } = await setUp();
    api.put('a', 1);
    api.put('b', 2);
    informer.start();
    await informer.whenSynced();
    informer.addIndex('value', ({ spec }) => [String(spec.value)]);
    expect(informer.byIndex('value', '2').map(({ metadata }) => metadata.name)).toEqual(['b']);
    await vi.waitFor(() => expect(api.openWatches).toBe(1));
    api.put('a', 2);
    await converged();
    expect(informer.byIndex('value', '2')).toHaveLength(2);
    expect(informer.byIndex('value', '1')).toHaveLength(0);
    expect(informer.list('ns')).toHaveLength(2);
    expect(informer.list('other')).toHaveLength(0);
    expect(informer.ownedBy('nobody')).toHaveLength(0);
    expect(informer.select(parseLabelSelector('!app'))).toHaveLength(2);
    expect(informer.select(parseLabelSelector('app=web'))).toHaveLength(0);
    expect(() => informer.byIndex('unknown', 'x')).toThrow('addIndex');
  });

  it('When stopped before or during the first list, it should let everybody waiting go', async () => {
    const { api, informer } = await setUp();
    api.intercept = () => true;
    informer.start();
    const waiting = informer.whenSynced();
    await vi.waitFor(() => expect(api.requests).toHaveLength(1));
    await informer.stop();
    expect(await waiting).toBe(false);
  });

  it('When managed fields are dropped, it should leave the rest as it was', () => {
    const object = {
      apiVersion: 'v1',
      kind: 'Thing',
      metadata: { name: 'a', managedFields: [{ manager: 'm' }] },
      spec: 1,
    };
    expect(withoutManagedFields(object)).toEqual({ apiVersion: 'v1', kind: 'Thing', metadata: { name: 'a' }, spec: 1 });
  });
});

describe('InformerCache', () => {
  it('When several ask for the same objects, it should watch them once, and stop without leaving anything open', async () => {
    const { api, client } = await setUp();
    const cache = new InformerCache({ client, clock: hastyClock });
    const first = cache.informer(things);
    expect(cache.informer(things)).toBe(first);
    expect(cache.informer(things, { namespace: 'ns' })).not.toBe(first);
    expect(() => cache.get(things, { namespace: 'ns', name: 'a' })).toThrow('not synced');
    api.put('a', 1);
    cache.start();
    expect(await cache.whenSynced()).toBe(true);
    expect(cache.get(things, { namespace: 'ns', name: 'a' })?.spec.value).toBe(1);
    expect(() => cache.list({ ...things, resource: 'others' })).toThrow('no informer for others');
    await vi.waitFor(() => expect(api.openWatches).toBe(2));
    await cache.stop();
    await vi.waitFor(() => expect(api.openWatches).toBe(0));
  });

  it('When it is idle, it should hold no timers besides its open watches', async () => {
    const timers = new Set<object>();
    const counting: Clock = {
      now: () => 0,
      after: (ms, callback) => {
        const timer = {};
        timers.add(timer);
        const cancel = systemClock.after(ms, () => {
          timers.delete(timer);
          callback();
        });
        return () => {
          timers.delete(timer);
          cancel();
        };
      },
    };
    const never: Client['watch'] = async function* (_type, { signal } = {}) {
      const metadata = { resourceVersion: '1', annotations: { 'k8s.io/initial-events-end': 'true' } };
      yield { type: 'BOOKMARK', object: { apiVersion: 'v1', kind: 'Thing', metadata } as never };
      await new Promise((resolve) => signal?.addEventListener('abort', resolve));
    };
    const cache = new InformerCache({ client: { watch: never } as Client, clock: counting });
    for (let i = 0; i < 50; i++) cache.informer(things, { namespace: `ns-${i}` });
    cache.start();
    await cache.whenSynced();
    expect(timers.size).toBe(0);
    await cache.stop();
  });
});
