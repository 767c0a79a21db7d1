import type { KubeObject, ResourceType } from '@hypershift-ts/kube-apimachinery';
import { ManualClock } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import { MemoryClient, settle } from '../testing/memory-client.ts';
import { ClientEventRecorder } from './client-recorder.ts';
import { EventCorrelator } from './event-correlator.ts';

interface Recorded extends KubeObject {
  readonly count: number;
  readonly message: string;
  readonly type: string;
  readonly reason: string;
  readonly involvedObject: object;
}

const events: ResourceType<Recorded> = {
  group: '',
  version: 'v1',
  kind: 'Event',
  resource: 'events',
  namespaced: true,
};
const web: KubeObject = {
  apiVersion: 'example.org/v1',
  kind: 'Web',
  metadata: { namespace: 'shop', name: 'site', uid: 'u1' },
};

function setUp() {
  const client = new MemoryClient();
  const clock = new ManualClock();
  const recorder = new ClientEventRecorder({ client, clock, component: 'web-controller' });
  const written = async () => (await client.list(events)).items;
  return { client, clock, recorder, written };
}

describe('ClientEventRecorder', () => {
  it('When the same thing happens again, it should raise the count of the one event', async () => {
    const { client, recorder, written } = setUp();
    for (let i = 0; i < 5; i++) recorder.warning(web, 'Failed', 'no luck');
    recorder.normal(web, 'Created', 'made a page');
    await recorder.flush();
    const all = await written();
    expect(all.map(({ type, reason, message, count }) => [type, reason, message, count])).toEqual([
      ['Warning', 'Failed', 'no luck', 5],
      ['Normal', 'Created', 'made a page', 1],
    ]);
    expect(all[0]).toMatchObject({
      metadata: { namespace: 'shop', name: expect.stringMatching(/^site\.[0-9a-f]+$/) },
      involvedObject: { apiVersion: 'example.org/v1', kind: 'Web', namespace: 'shop', name: 'site', uid: 'u1' },
    });
    expect(client.calls.filter((call) => call.startsWith('create'))).toHaveLength(2);
  });

  it('When one reason comes with ever other words, it should combine them', async () => {
    const { recorder, written } = setUp();
    for (let i = 0; i < 15; i++) recorder.warning(web, 'Failed', `attempt ${i}`);
    await recorder.flush();
    const all = await written();
    expect(all).toHaveLength(10);
    expect(all.at(-1)).toMatchObject({ count: 6, message: '(combined from similar events): attempt 14' });
  });

  it('When an object floods, it should let 25 through and then one every five minutes', async () => {
    const { client, clock, recorder } = setUp();
    const writes = () => client.calls.filter((call) => /^(create|patch)/.test(call)).length;
    for (let i = 0; i < 40; i++) recorder.normal(web, 'Tick', 'tock');
    await recorder.flush();
    expect(writes()).toBe(25);
    clock.advance(300_000);
    for (let i = 0; i < 3; i++) recorder.normal(web, 'Tick', 'tock');
    await recorder.flush();
    expect(writes()).toBe(26);
    recorder.normal({ ...web, metadata: { ...web.metadata, name: 'other', uid: 'u2' } }, 'Tick', 'tock');
    await recorder.flush();
    expect(writes()).toBe(27);
  });

  it('When the event to count on has expired, it should begin a new one', async () => {
    const { client, recorder, written } = setUp();
    recorder.normal(web, 'Tick', 'tock');
    await recorder.flush();
    await client.deleteCollection(events);
    recorder.normal(web, 'Tick', 'tock');
    await recorder.flush();
    expect((await written()).map(({ count }) => count)).toEqual([1]);
  });

  it('When the server is away, it should try again a few times and never throw', async () => {
    const { client, clock, recorder, written } = setUp();
    let failures = 2;
    client.onCall = (verb) => {
      if (verb === 'create' && failures-- > 0) throw new Error('no network');
    };
    recorder.normal(web, 'Tick', 'tock');
    for (let i = 0; i < 3; i++) {
      await settle();
      clock.advance(10_000);
    }
    await recorder.flush();
    expect(await written()).toHaveLength(1);
    await recorder.close();
    recorder.normal(web, 'After', 'the end');
    await recorder.flush();
    expect(await written()).toHaveLength(1);
  });

  it('When an object is gone, it should remember nothing of it', async () => {
    const { client, recorder } = setUp();
    const writes = () => client.calls.filter((call) => call.startsWith('create')).length;
    recorder.normal(web, 'Tick', 'tock');
    await recorder.flush();
    recorder.forget({ ...web, metadata: { uid: 'u1', name: 'site' } });
    recorder.normal(web, 'Tick', 'tock');
    recorder.forget(web);
    await recorder.flush();
    expect(writes()).toBe(2);
    recorder.normal(web, 'Tick', 'tock');
    await recorder.flush();
    expect(writes()).toBe(3);
  });
});

describe('EventCorrelator', () => {
  const about = (object: string, message = 'tock') => ({ object, type: 'Normal' as const, reason: 'Tick', message });

  it('When nothing was said about objects for an hour, it should forget them', () => {
    const clock = new ManualClock();
    const correlator = new EventCorrelator(clock);
    for (const object of ['a', 'b']) correlator.judge(about(object));
    clock.advance(1_800_000);
    correlator.judge(about('b'));
    clock.advance(1_900_000);
    correlator.judge(about('c'));
    expect(correlator.size).toBe(2);
    correlator.forget('c');
    expect(correlator.size).toBe(1);
  });

  it('When one message of many is repeated, it should be counted on its own event', () => {
    const correlator = new EventCorrelator(new ManualClock());
    for (const message of ['one', 'two']) {
      expect(correlator.judge(about('a', message))).toEqual({ action: 'create', message });
      correlator.remember(about('a', message), message, { name: `event of ${message}`, count: 1 });
    }
    expect(correlator.judge(about('a', 'one'))).toEqual({
      action: 'count',
      message: 'one',
      written: { name: 'event of one', count: 1 },
    });
  });
});
