import type { CloudEvent } from '@hypershift-ts/fleet-cloud-events';
import { expect, it } from 'vitest';
import type { Publisher, Subscriber, Verdict } from '../broker.ts';

export function anEvent(id: string): CloudEvent {
  return {
    id,
    source: 'hyperfleet-sentinel',
    type: 'com.redhat.hyperfleet.cluster.reconcile',
    datacontenttype: 'application/json',
    extensions: {},
    data: { id: `cluster-${id}`, kind: 'Cluster', generation: 2 },
  };
}

/** Collects what a handler sees and lets a test wait for it. */
export class Inbox {
  readonly ids: string[] = [];
  private readonly waiting: { readonly count: number; readonly resolve: () => void }[] = [];
  private readonly verdict: (event: CloudEvent, count: number) => Verdict | void;

  constructor(verdict: (event: CloudEvent, count: number) => Verdict | void = () => 'ack') {
    this.verdict = verdict;
  }

  readonly handler = (event: CloudEvent): Promise<Verdict | void> => {
    this.ids.push(event.id);
    for (const { count, resolve } of this.waiting) if (this.ids.length >= count) resolve();
    const verdict = this.verdict(event, this.ids.length);
    return Promise.resolve(verdict);
  };

  async received(count: number): Promise<readonly string[]> {
    if (this.ids.length < count) await new Promise<void>((resolve) => this.waiting.push({ count, resolve }));
    return this.ids;
  }
}

export interface BrokerUnderTest {
  publisher(): Promise<Publisher>;
  subscriber(subscriptionId: string, parallelism?: number): Promise<Subscriber>;
  /** Lets the time pass that failed events wait. */
  passTime(): void;
}

/** What every binding must do. */
export function brokerContract(open: () => BrokerUnderTest): void {
  it('When two ids subscribe, both should get every event', async () => {
    const broker = open();
    const [a, b] = [new Inbox(), new Inbox()];
    await (await broker.subscriber('a')).subscribe('clusters', a.handler);
    await (await broker.subscriber('b')).subscribe('clusters', b.handler);
    const publisher = await broker.publisher();
    await publisher.publish('clusters', anEvent('1'));
    await publisher.publish('clusters', anEvent('2'));
    expect(await a.received(2)).toEqual(['1', '2']);
    expect(await b.received(2)).toEqual(['1', '2']);
  });

  it('When two subscribers share an id, each event should go to one of them', async () => {
    const broker = open();
    const inbox = new Inbox();
    await (await broker.subscriber('shared')).subscribe('clusters', inbox.handler);
    await (await broker.subscriber('shared')).subscribe('clusters', inbox.handler);
    const publisher = await broker.publisher();
    for (const id of ['1', '2', '3', '4']) await publisher.publish('clusters', anEvent(id));
    expect((await inbox.received(4)).toSorted()).toEqual(['1', '2', '3', '4']);
  });

  it('When a handler fails, its event should come again', async () => {
    const broker = open();
    const inbox = new Inbox((_event, count) => {
      if (count === 1) throw new Error('not now');
      return 'ack';
    });
    await (await broker.subscriber('a')).subscribe('clusters', inbox.handler);
    await (await broker.publisher()).publish('clusters', anEvent('1'));
    await inbox.received(1);
    await Promise.resolve();
    broker.passTime();
    expect(await inbox.received(2)).toEqual(['1', '1']);
  });

  it('When nobody listens any more, events should wait for the next one', async () => {
    const broker = open();
    const [first, second] = [new Inbox(), new Inbox()];
    const before = await broker.subscriber('a');
    await before.subscribe('clusters', first.handler);
    await before.close();
    await (await broker.publisher()).publish('clusters', anEvent('1'));
    await (await broker.subscriber('a')).subscribe('clusters', second.handler);
    expect(await second.received(1)).toEqual(['1']);
    expect(first.ids).toEqual([]);
  });
}
