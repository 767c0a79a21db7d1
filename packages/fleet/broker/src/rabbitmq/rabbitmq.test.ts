import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Clock } from '@hypershift-ts/kube-apimachinery';
import type { BrokerErrorKind, Publisher, Subscriber } from '../broker.ts';
import type { RabbitMqConfig } from '../config/broker-config.ts';
import { AmqpServer } from '../testing/amqp-server.ts';
import { anEvent, brokerContract, Inbox } from '../testing/contract.ts';
import { rabbitMqPublisher, rabbitMqSubscriber } from './rabbitmq.ts';

/** No wait is longer than a moment. */
const quick: Clock = {
  now: () => Date.now(),
  after: (_ms, callback) => {
    const timer = setTimeout(callback, 0);
    return () => clearTimeout(timer);
  },
};

describe('the RabbitMQ binding', () => {
  let server: AmqpServer;
  const open: (Publisher | Subscriber)[] = [];

  beforeEach(async () => {
    server = await AmqpServer.start();
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((one) => one.close()));
    await server.stop();
  });

  const config = (extra: Partial<RabbitMqConfig> = {}): RabbitMqConfig => ({
    url: server.url,
    exchange_type: 'topic',
    routing_key: '',
    prefetch_count: 0,
    prefetch_size: 0,
    publisher_confirm: true,
    ...extra,
  });

  const publisher = async (extra: Partial<RabbitMqConfig> = {}): Promise<Publisher> => {
    const one = await rabbitMqPublisher({ config: config(extra), clock: quick });
    open.push(one);
    return one;
  };

  const subscriber = async (
    subscriptionId: string,
    parallelism = 1,
    failed?: (topic: string, kind: BrokerErrorKind) => void,
  ): Promise<Subscriber> => {
    const settings = { subscriptionId, parallelism, ...(failed ? { observer: { failed } } : {}) };
    const one = await rabbitMqSubscriber({ config: config(), clock: quick }, settings);
    open.push(one);
    return one;
  };

  brokerContract(() => ({ publisher: () => publisher(), subscriber, passTime: () => {} }));

  it('When it subscribes, names and kinds should be those that others use', async () => {
    await (await subscriber('adapter-1')).subscribe('fleet-clusters', () => Promise.resolve());
    expect([...server.exchanges]).toEqual([
      ['fleet-clusters', { type: 'topic', bindings: new Set(['fleet-clusters-adapter-1']) }],
    ]);
    expect([...server.queues.keys()]).toEqual(['fleet-clusters-adapter-1']);
  });

  it('When confirmation is not wanted, publishing should work all the same', async () => {
    const inbox = new Inbox();
    await (await subscriber('a')).subscribe('clusters', inbox.handler);
    await (await publisher({ publisher_confirm: false })).publish('clusters', anEvent('1'));
    expect(await inbox.received(1)).toEqual(['1']);
  });

  it('When a message is no event, it should be taken away and the next one handled', async () => {
    const inbox = new Inbox();
    const kinds: string[] = [];
    await (await subscriber('a', 1, (_topic, kind) => kinds.push(kind))).subscribe('clusters', inbox.handler);
    // The header says: class 60, weight 0, size of the body, no properties.
    const header = Buffer.from([0, 60, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0]);
    server.publish({ exchange: 'clusters', key: '', header, body: Buffer.from('{'), redelivered: false });
    await (await publisher()).publish('clusters', anEvent('1'));
    expect(await inbox.received(1)).toEqual(['1']);
    expect(kinds).toEqual(['conversion']);
  });

  it('When an event keeps failing, it should be given up', async () => {
    const [inbox, after] = [new Inbox((event) => (event.id === 'bad' ? 'retry' : 'ack')), new Inbox()];
    await (await subscriber('a')).subscribe('clusters', inbox.handler);
    const sender = await publisher();
    await sender.publish('clusters', anEvent('bad'));
    await inbox.received(5);
    await (await subscriber('b')).subscribe('clusters', after.handler);
    await sender.publish('clusters', anEvent('good'));
    await after.received(1);
    expect(await inbox.received(6)).toEqual(['bad', 'bad', 'bad', 'bad', 'bad', 'good']);
    expect(server.queues.get('clusters-a')!.messages).toEqual([]);
  });

  it('When the connection breaks, it should come back with its consumers', async () => {
    const inbox = new Inbox();
    await (await subscriber('a')).subscribe('clusters', inbox.handler);
    server.cut();
    const sender = await publisher();
    await sender.publish('clusters', anEvent('1'));
    expect(await inbox.received(1)).toEqual(['1']);
    expect(await sender.health()).toEqual({ healthy: true });
  });
});
