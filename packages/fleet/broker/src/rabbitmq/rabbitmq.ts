import type { CloudEvent } from '@hypershift-ts/fleet-cloud-events';
import { decodeStructured, encodeStructured, structuredContentType } from '@hypershift-ts/fleet-cloud-events';
import type { Clock } from '@hypershift-ts/kube-apimachinery';
import { delay, systemClock } from '@hypershift-ts/kube-apimachinery';
import type { Channel, ChannelModel, ConfirmChannel, ConsumeMessage, RecoveringChannelModel } from 'amqplib';
import { connect } from 'amqplib';
import type {
  BrokerHealth,
  BrokerObserver,
  EventHandler,
  Publisher,
  Subscriber,
  SubscriberOptions,
} from '../broker.ts';
import type { RabbitMqConfig } from '../config/broker-config.ts';
import { deliver } from '../deliver.ts';
import type { RedeliveryRule } from '../redelivery.ts';
import { defaultRedelivery, DeliveryCounts, redeliveryDelay } from '../redelivery.ts';

/** Opens a connection that comes back by itself; `setup` runs after every time it does. */
export type AmqpConnect = (
  url: string,
  setup: (model: {
    createChannel(): Promise<Channel>;
    createConfirmChannel(): Promise<ConfirmChannel>;
  }) => Promise<void>,
) => Promise<RecoveringChannelModel>;

export interface RabbitMqOptions {
  readonly config: RabbitMqConfig;
  readonly clock?: Clock;
  readonly connect?: AmqpConnect;
  readonly redelivery?: Partial<RedeliveryRule>;
}

// A wrong address must end a start; a server that goes away later comes back some day.
const recovery = { initialDelay: 200, maxDelay: 30_000, factor: 2, jitter: 0.2, initialMaxRetries: 5 };

const recoveringConnect: AmqpConnect = (url, setup) =>
  connect(url, { recovery: { ...recovery, setup: (model: ChannelModel) => setup(model) }, timeout: 10_000 });

/** Events that fail are held back here while they wait, so there must be room for them beside those at work. */
const roomForFailed = 100;

/** The state of one connection. */
class Link {
  private state: BrokerHealth = { healthy: false, message: 'not connected yet' };
  private readonly observer: BrokerObserver | undefined;
  private readonly label: string;

  constructor(observer: BrokerObserver | undefined, label: string) {
    this.observer = observer;
    this.label = label;
  }

  follow(model: RecoveringChannelModel): void {
    model.on('connect', () => (this.state = { healthy: true }));
    // Nobody listening would turn these into an exception that ends the process.
    for (const name of ['disconnect', 'connect-failed', 'error']) {
      model.on(name, (error: Error) => {
        this.state = { healthy: false, message: error?.message ?? 'disconnected' };
        this.observer?.failed?.(this.label, 'connection', error);
      });
    }
    this.state = { healthy: true };
  }

  health(): BrokerHealth {
    return this.state;
  }
}

async function assertExchange(channel: Channel, topic: string, { exchange, exchange_type: type }: RabbitMqConfig) {
  const name = exchange ?? topic;
  await channel.assertExchange(name, type, { durable: true });
  return name;
}

/** Publishes to the durable exchange that is named after the topic. */
export async function rabbitMqPublisher(options: RabbitMqOptions, observer?: BrokerObserver): Promise<Publisher> {
  const { config } = options;
  let channel: Channel | undefined;
  let exchanges = new Map<string, Promise<string>>();
  const link = new Link(observer, 'publisher');
  const model = await (options.connect ?? recoveringConnect)(config.url, async (fresh) => {
    channel = config.publisher_confirm ? await fresh.createConfirmChannel() : await fresh.createChannel();
    channel.on('error', (error) => observer?.failed?.('publisher', 'connection', error));
    exchanges = new Map();
  });
  link.follow(model);
  return {
    async publish(topic: string, event: CloudEvent) {
      try {
        if (!channel || !link.health().healthy) throw new Error('there is no connection to RabbitMQ');
        if (!exchanges.has(topic)) exchanges.set(topic, assertExchange(channel, topic, config));
        await send(channel, await exchanges.get(topic)!, event, config);
        observer?.published?.(topic);
      } catch (error) {
        exchanges.delete(topic);
        observer?.failed?.(topic, 'publish', error);
        throw error;
      }
    },
    health: () => Promise.resolve(link.health()),
    close: () => model.close(),
  };
}

function send(channel: Channel, exchange: string, event: CloudEvent, config: RabbitMqConfig): Promise<void> {
  const body = Buffer.from(encodeStructured(event));
  const properties = { persistent: true, contentType: structuredContentType, messageId: event.id };
  if (!config.publisher_confirm) {
    channel.publish(exchange, config.routing_key, body, properties);
    return Promise.resolve();
  }
  return new Promise((resolve, reject) => {
    (channel as ConfirmChannel).publish(exchange, config.routing_key, body, properties, (error: unknown) =>
      error ? reject(error instanceof Error ? error : new Error('RabbitMQ refused the event')) : resolve(),
    );
  });
}

interface Subscribed {
  readonly topic: string;
  readonly handler: EventHandler;
}

/** Consumes from the durable queue `<queue or topic>-<subscription id>`. */
export async function rabbitMqSubscriber(options: RabbitMqOptions, settings: SubscriberOptions): Promise<Subscriber> {
  const consumer = new RabbitMqConsumer(options, settings);
  await consumer.open();
  return consumer;
}

class RabbitMqConsumer implements Subscriber {
  private readonly options: RabbitMqOptions;
  private readonly settings: SubscriberOptions;
  private readonly clock: Clock;
  private readonly link: Link;
  private readonly subscribed: Subscribed[] = [];
  private readonly counts = new DeliveryCounts();
  private readonly stopping = new AbortController();
  private readonly queue: { readonly run: () => Promise<void> }[] = [];
  private readonly atWork = new Set<Promise<void>>();
  private readonly tags = new Map<string, Channel>();
  private model: RecoveringChannelModel | undefined;
  private channel: Channel | undefined;
  private running = 0;

  constructor(options: RabbitMqOptions, settings: SubscriberOptions) {
    this.options = options;
    this.settings = settings;
    this.clock = options.clock ?? systemClock;
    this.link = new Link(settings.observer, 'subscriber');
  }

  async open(): Promise<void> {
    const { config, connect: open = recoveringConnect } = this.options;
    this.model = await open(config.url, async (fresh) => {
      const channel = await fresh.createChannel();
      channel.on('error', (error) => this.settings.observer?.failed?.('subscriber', 'connection', error));
      await channel.prefetch(config.prefetch_count || this.parallelism + roomForFailed);
      this.channel = channel;
      this.tags.clear();
      // What was delivered over the old connection comes again over the new one.
      this.queue.length = 0;
      for (const one of this.subscribed) await this.consume(channel, one);
    });
    this.link.follow(this.model);
  }

  private get parallelism(): number {
    return this.settings.parallelism ?? 1;
  }

  async subscribe(topic: string, handler: EventHandler): Promise<void> {
    if (!this.channel) throw new Error('there is no connection to RabbitMQ');
    const one = { topic, handler };
    await this.consume(this.channel, one);
    this.subscribed.push(one);
  }

  private async consume(channel: Channel, { topic, handler }: Subscribed): Promise<void> {
    const { config } = this.options;
    const exchange = await assertExchange(channel, topic, config);
    const queue = `${config.queue ?? topic}-${this.settings.subscriptionId}`;
    await channel.assertQueue(queue, { durable: true });
    await channel.bindQueue(queue, exchange, config.routing_key);
    const options = config.consumer_tag === undefined ? {} : { consumerTag: config.consumer_tag };
    const { consumerTag } = await channel.consume(
      queue,
      (message) => {
        if (message) this.accept(channel, topic, handler, message);
        else this.settings.observer?.failed?.(topic, 'connection', new Error('RabbitMQ cancelled the consumer'));
      },
      options,
    );
    this.tags.set(consumerTag, channel);
  }

  private accept(channel: Channel, topic: string, handler: EventHandler, message: ConsumeMessage): void {
    let event: CloudEvent;
    try {
      event = decodeStructured(message.content.toString('utf8'));
    } catch (error) {
      this.settings.observer?.failed?.(topic, 'conversion', error);
      // It would never be readable; a dead letter policy of the queue may still keep it.
      channel.nack(message, false, false);
      return;
    }
    this.queue.push({ run: () => this.handle(channel, topic, handler, message, event) });
    this.dispatch();
  }

  private dispatch(): void {
    while (this.running < this.parallelism && !this.stopping.signal.aborted) {
      const next = this.queue.shift();
      if (!next) return;
      this.running++;
      const work = next.run().finally(() => {
        this.atWork.delete(work);
        this.running--;
        this.dispatch();
      });
      this.atWork.add(work);
    }
  }

  private async handle(
    channel: Channel,
    topic: string,
    handler: EventHandler,
    message: ConsumeMessage,
    event: CloudEvent,
  ): Promise<void> {
    const { signal } = this.stopping;
    const { observer } = this.settings;
    const verdict = await deliver(topic, event, handler, { clock: this.clock, signal, observer });
    const rule = { ...defaultRedelivery, ...this.options.redelivery };
    const attempt = verdict === 'retry' ? this.counts.next(event.id) : 0;
    // The Sentinel publishes again what still needs it, so failed events must not pile up.
    if (verdict === 'retry' && attempt < rule.maxAttempts) {
      const wait = redeliveryDelay(rule, attempt);
      // Waiting must not keep other events from being handled.
      void delay(this.clock, wait, signal).then(() => this.settle(topic, () => channel.nack(message, false, true)));
      return;
    }
    this.counts.forget(event.id);
    if (verdict === 'ack') this.settle(topic, () => channel.ack(message));
    else this.settle(topic, () => channel.nack(message, false, false));
  }

  /** On a channel that is closed by now there is nothing to settle: the message comes again. */
  private settle(topic: string, answer: () => void): void {
    try {
      answer();
    } catch (error) {
      this.settings.observer?.failed?.(topic, 'connection', error);
    }
  }

  health(): Promise<BrokerHealth> {
    return Promise.resolve(this.link.health());
  }

  async close(): Promise<void> {
    const cancelled = [...this.tags].map(([tag, channel]) => channel.cancel(tag).catch(() => undefined));
    await Promise.all(cancelled);
    // Events not begun yet go back when the connection closes; those that wait for a retry go back now.
    this.queue.length = 0;
    this.stopping.abort();
    await Promise.all(this.atWork);
    await Promise.resolve();
    await this.model?.close();
  }
}
