import type { CloudEvent } from '@hypershift-ts/fleet-cloud-events';
import { InProcessBroker } from '@hypershift-ts/fleet-broker';
import type { JsonObject } from '@hypershift-ts/kube-apimachinery';
import { ManualClock } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import { ResourceList } from './api/resource-list.ts';
import { loadSentinelConfig } from './config/sentinel-config.ts';
import { Sentinel } from './sentinel.ts';
import { uuidV7 } from './uuid-v7.ts';

const start = Date.parse('2026-01-10T10:00:00Z');
const at = (seconds: number): string => new Date(start + seconds * 1000).toISOString();

/** A cluster whose Reconciled condition was written as the API writes it: at the current generation. */
const aCluster = (id: string, generation: number, status: 'True' | 'False', updated: number): JsonObject => ({
  id,
  kind: 'Cluster',
  href: `/api/hyperfleet/v1/clusters/${id}`,
  generation,
  status: {
    conditions: [{ type: 'Reconciled', status, observed_generation: generation, last_updated_time: at(updated) }],
  },
});

const settings = `
resource_type: clusters
poll_interval: 5s
clients: {hyperfleet_api: {base_url: "http://api", page_size: 2}, broker: {topic: t}}
message_data:
  id: resource.id
  kind: resource.kind
  generation: resource.generation
  why: reason
  constant: 7
  owner: {id: resource.owner_references.id}
`;

/** A Sentinel over a list of clusters, with what it published and asked. */
function harness(
  extra = '',
  options: { readonly aware?: boolean; readonly answers?: (url: URL) => Response | undefined } = {},
) {
  const clock = new ManualClock(start);
  const broker = new InProcessBroker({ clock });
  const events: CloudEvent[] = [];
  void broker.subscriber({ subscriptionId: 'x', parallelism: 100 }).subscribe('t', (event) => {
    events.push(event);
    return Promise.resolve();
  });
  const asked: URL[] = [];
  const state: { clusters: JsonObject[] } = { clusters: [] };
  const config = loadSentinelConfig({ file: 's.yaml', text: settings + extra }, {});
  const list = new ResourceList({
    config,
    userAgent: 'hyperfleet-sentinel/1 (test)',
    random: () => 0.5,
    clock: {
      now: () => clock.now(),
      after: (ms, callback) => (queueMicrotask(() => (clock.advance(ms), callback())), () => {}),
    },
    fetch: (address) => {
      const url = new URL(address);
      asked.push(url);
      const given = options.answers?.(url);
      if (given) return Promise.resolve(given);
      const [page, size] = ['page', 'size'].map((name) => Number(url.searchParams.get(name))) as [number, number];
      const items = state.clusters.slice((page - 1) * size, page * size);
      return Promise.resolve(Response.json({ items, page, size: items.length, total: state.clusters.length }));
    },
  });
  const logs: string[] = [];
  const sentinel = new Sentinel({
    config,
    list,
    clock,
    publisher: broker.publisher(),
    log: (_level, message) => logs.push(message),
    ...(options.aware === undefined ? {} : { generationAware: options.aware }),
  });
  const poll = async (): Promise<readonly string[]> => {
    events.length = 0;
    await sentinel.poll();
    return events.map(
      ({ data }) => `${(data as JsonObject)['id'] as string}@${(data as JsonObject)['generation'] as number}`,
    );
  };
  return { sentinel, clock, state, poll, events, asked, logs };
}

describe('Sentinel', () => {
  it('When a resource is new or changed, it should be published at once, and then only after the debounce', async () => {
    const { state, poll, clock } = harness();
    state.clusters = [aCluster('a', 1, 'False', 0)];
    expect(await poll()).toEqual(['a@1']);
    clock.advance(5000);
    expect(await poll()).toEqual([]);
    clock.advance(6000);
    expect(await poll()).toEqual(['a@1']);
    state.clusters = [aCluster('a', 2, 'False', 11)];
    expect(await poll()).toEqual(['a@2']);
    state.clusters = [aCluster('a', 2, 'True', 12)];
    expect(await poll()).toEqual([]);
    clock.advance(31 * 60_000);
    expect(await poll()).toEqual(['a@2']);
  });

  it('When it starts anew, it should leave alone what is reconciled', async () => {
    const { state, poll } = harness();
    state.clusters = [aCluster('a', 4, 'True', 0), aCluster('b', 2, 'False', 0)];
    expect(await poll()).toEqual(['b@2']);
  });

  it('When generations are not watched, it should wait as upstream does', async () => {
    const { state, poll, clock } = harness('', { aware: false });
    state.clusters = [aCluster('a', 1, 'False', 0)];
    expect(await poll()).toEqual([]);
    clock.advance(11_000);
    expect(await poll()).toEqual(['a@1']);
  });

  it('When a decision is configured, it alone should decide', async () => {
    const { state, poll, logs } = harness(`
message_decision:
  params: [{name: deleting, expr: has(resource.deleted_time)}, {name: size, expr: resource.spec.size}]
  result: deleting && size > 1
`);
    state.clusters = [
      { ...aCluster('a', 1, 'True', 0), deleted_time: at(0), spec: { size: 2 } },
      { ...aCluster('b', 1, 'True', 0), spec: { size: 2 } },
      { ...aCluster('c', 1, 'True', 0), deleted_time: at(0) },
    ];
    expect(await poll()).toEqual(['a@1']);
    expect(logs.filter((line) => line.startsWith('no decision'))).toEqual([
      'no decision about c: size: no such key: spec',
    ]);
  });

  it('When an event is published, it should have the form that consumers know', async () => {
    const { state, poll, events, logs } = harness();
    state.clusters = [aCluster('a', 1, 'False', 0)];
    await poll();
    expect(events).toEqual([
      {
        id: expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/) as string,
        source: 'hyperfleet-sentinel',
        type: 'com.redhat.hyperfleet.cluster.reconcile',
        datacontenttype: 'application/json',
        extensions: {},
        data: { id: 'a', kind: 'Cluster', generation: 1, why: 'message decision matched', constant: 7, owner: {} },
      },
    ]);
    expect(logs).toEqual(['message_data.owner.id of a is left out: no such key: owner_references']);
  });

  it('When there are several pages, it should read them all in a stable order with its selector', async () => {
    const { state, poll, asked } = harness(
      `resource_selector: [{label: region, value: "o'x"}, {label: shard, value: "1"}]\n`,
    );
    state.clusters = ['a', 'b', 'c', 'd', 'e'].map((id) => aCluster(id, 1, 'False', 0));
    expect(await poll()).toHaveLength(5);
    expect(asked.map((url) => url.searchParams.get('page'))).toEqual(['1', '2', '3']);
    expect(Object.fromEntries(asked[0]!.searchParams)).toEqual({
      page: '1',
      size: '2',
      order: 'id asc',
      search: "labels.region='o''x' and labels.shard='1'",
    });
  });

  it('When the API stumbles, it should try again; when it refuses, it should say so', async () => {
    let failures = 2;
    const { state, poll, asked, sentinel } = harness('', {
      answers: (url) => {
        if (url.searchParams.get('page') === '3') return new Response('no', { status: 401 });
        return failures-- > 0 ? new Response('busy', { status: 503 }) : undefined;
      },
    });
    state.clusters = [aCluster('a', 1, 'False', 0)];
    expect(await poll()).toEqual(['a@1']);
    expect(asked).toHaveLength(3);
    state.clusters = ['a', 'b', 'c', 'd', 'e'].map((id) => aCluster(id, 2, 'False', 0));
    await expect(poll()).rejects.toThrow('HTTP 401');
    expect(sentinel.metrics.text()).toContain('error_type="auth_error"} 1');
  });

  it('When it is asked how it is, it should tell from its polls', async () => {
    const { sentinel, poll, clock, state } = harness();
    expect(await sentinel.readiness()).toMatchObject({ status: 'not_ready' });
    state.clusters = [aCluster('a', 1, 'False', 0), aCluster('b', 1, 'True', 0)];
    await poll();
    expect(await sentinel.readiness()).toEqual({ status: 'ok', checks: { broker: 'ok', sentinel_poll: 'ok' } });
    expect(sentinel.metrics.text()).toContain(
      'hyperfleet_sentinel_events_published_total{component="sentinel",version="0.0.0",resource_type="clusters",resource_selector="all",reason="message decision matched"} 1',
    );
    clock.advance(15_001);
    expect(sentinel.isStale).toBe(true);
  });

  it('When an expression is wrong, it should not start', () => {
    expect(() => harness('message_decision: {params: [], result: "is_recnciled"}')).toThrow(
      "message_decision.result: not a CEL expression: ERROR: <input>:1:1: undeclared reference to 'is_recnciled'",
    );
  });

  it('When it runs, it should poll at its interval until it is stopped', async () => {
    const { sentinel, clock, asked } = harness();
    const stop = new AbortController();
    const done = sentinel.run(stop.signal);
    for (const polls of [1, 2, 3]) {
      while (asked.length < polls) await new Promise((resolve) => setImmediate(resolve));
      await new Promise((resolve) => setImmediate(resolve));
      clock.advance(5000);
    }
    stop.abort();
    await done;
    expect(asked.length).toBeGreaterThanOrEqual(3);
  });
});

describe('uuidV7', () => {
  it('When made, it should carry the moment', () => {
    expect(uuidV7(0x0123456789ab, (size) => Buffer.alloc(size, 0xff))).toBe('01234567-89ab-7fff-bfff-ffffffffffff');
  });
});
