import { ManualClock } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import { anEvent, brokerContract, Inbox } from '../testing/contract.ts';
import { InProcessBroker } from './in-process-broker.ts';

describe('InProcessBroker', () => {
  brokerContract(() => {
    const clock = new ManualClock(0);
    const broker = new InProcessBroker({ clock });
    return {
      publisher: () => Promise.resolve(broker.publisher()),
      subscriber: (subscriptionId, parallelism = 1) =>
        Promise.resolve(broker.subscriber({ subscriptionId, parallelism })),
      // The wait begins when the handler's answer was seen, some microtasks from now.
      passTime: () => setImmediate(() => clock.advance(60_000)),
    };
  });

  it('When an event keeps failing, it should end in the dead letter topic', async () => {
    const clock = new ManualClock(0);
    const broker = new InProcessBroker({ clock, redelivery: { maxAttempts: 3 } });
    const [inbox, dead] = [new Inbox(() => 'retry'), new Inbox()];
    await broker.subscriber({ subscriptionId: 'a' }).subscribe('clusters', inbox.handler);
    await broker.subscriber({ subscriptionId: 'ops' }).subscribe('a-dlq', dead.handler);
    await broker.publisher().publish('clusters', anEvent('1'));
    for (const count of [1, 2, 3]) {
      await inbox.received(count);
      await new Promise((resolve) => setImmediate(resolve));
      clock.advance(60_000);
    }
    expect(await dead.received(1)).toEqual(['1']);
    expect(inbox.ids).toHaveLength(3);
  });

  it('When an event is rejected, it should not come again', async () => {
    const broker = new InProcessBroker({ clock: new ManualClock(0) });
    const [inbox, dead] = [new Inbox(() => 'reject'), new Inbox()];
    await broker.subscriber({ subscriptionId: 'a' }).subscribe('clusters', inbox.handler);
    await broker.subscriber({ subscriptionId: 'ops' }).subscribe('a-dlq', dead.handler);
    await broker.publisher().publish('clusters', anEvent('1'));
    expect(await dead.received(1)).toEqual(['1']);
  });

  it('When more handlers may run, they should run side by side, and closing should wait for them', async () => {
    const broker = new InProcessBroker();
    let running = 0;
    let most = 0;
    const finish: (() => void)[] = [];
    const subscriber = broker.subscriber({ subscriptionId: 'a', parallelism: 2 });
    await subscriber.subscribe('clusters', async () => {
      most = Math.max(most, ++running);
      await new Promise<void>((resolve) => finish.push(resolve));
      running--;
    });
    for (const id of ['1', '2', '3']) await broker.publisher().publish('clusters', anEvent(id));
    expect(running).toBe(2);
    const closed = subscriber.close();
    for (const done of finish) done();
    await closed;
    expect([running, most, broker.backlog('clusters', 'a')]).toEqual([0, 2, 1]);
  });

  it('When nobody takes the events, it should keep only so many', async () => {
    const broker = new InProcessBroker({ capacity: 2 });
    await broker.subscriber({ subscriptionId: 'a' }).close();
    const subscriber = broker.subscriber({ subscriptionId: 'a' });
    await subscriber.subscribe('clusters', () => Promise.resolve());
    await subscriber.close();
    for (const id of ['1', '2', '3']) await broker.publisher().publish('clusters', anEvent(id));
    const inbox = new Inbox();
    await broker.subscriber({ subscriptionId: 'a' }).subscribe('clusters', inbox.handler);
    expect(await inbox.received(2)).toEqual(['2', '3']);
  });
});
