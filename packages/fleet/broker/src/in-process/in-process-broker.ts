import type { CloudEvent } from '@hypershift-ts/fleet-cloud-events';
import { decodeStructured, encodeStructured } from '@hypershift-ts/fleet-cloud-events';
import type { Clock } from '@hypershift-ts/kube-apimachinery';
import { systemClock } from '@hypershift-ts/kube-apimachinery';
import type { BrokerObserver, EventHandler, Publisher, Subscriber, SubscriberOptions } from '../broker.ts';
import type { RedeliveryRule } from '../redelivery.ts';
import { defaultRedelivery } from '../redelivery.ts';
import { Subscription } from './subscription.ts';

export interface InProcessBrokerOptions {
  readonly clock?: Clock;
  readonly redelivery?: Partial<RedeliveryRule>;
  /** Events that one subscription keeps at most; default 100 000. */
  readonly capacity?: number;
}

/**
 * A broker inside the process, with the contract of the real ones: every subscription id gets every event of its
 * topic, subscribers of one id share them, what fails comes again after a while, and what keeps failing goes to the
 * topic `<subscription id>-dlq`.
 */
export class InProcessBroker {
  private readonly clock: Clock;
  private readonly redelivery: RedeliveryRule;
  private readonly capacity: number;
  private readonly topics = new Map<string, Map<string, Subscription>>();

  constructor(options: InProcessBrokerOptions = {}) {
    this.clock = options.clock ?? systemClock;
    this.redelivery = { ...defaultRedelivery, ...options.redelivery };
    this.capacity = options.capacity ?? 100_000;
  }

  publisher(observer?: BrokerObserver): Publisher {
    return {
      publish: (topic, event) => {
        this.offer(topic, event);
        observer?.published?.(topic);
        return Promise.resolve();
      },
      health: () => Promise.resolve({ healthy: true }),
      close: () => Promise.resolve(),
    };
  }

  subscriber({ subscriptionId, parallelism = 1, observer }: SubscriberOptions): Subscriber {
    const stops: (() => Promise<void>)[] = [];
    return {
      subscribe: (topic: string, handler: EventHandler) => {
        stops.push(this.subscription(topic, subscriptionId).consume(handler, { parallelism, observer }));
        return Promise.resolve();
      },
      health: () => Promise.resolve({ healthy: true }),
      close: async () => {
        await Promise.all(stops.splice(0).map((stop) => stop()));
      },
    };
  }

  /** Events that wait for a subscription, not counting those that wait to be delivered again. */
  backlog(topic: string, subscriptionId: string): number {
    return this.topics.get(topic)?.get(subscriptionId)?.size ?? 0;
  }

  /** Forgets everything. */
  close(): void {
    for (const subscriptions of this.topics.values()) for (const one of subscriptions.values()) one.stop();
    this.topics.clear();
  }

  private offer(topic: string, event: CloudEvent): void {
    const subscriptions = this.topics.get(topic);
    if (!subscriptions) return;
    // Through the wire format, so that receivers get their own copy and see what they would see elsewhere.
    const text = encodeStructured(event);
    for (const subscription of subscriptions.values()) subscription.offer(decodeStructured(text));
  }

  /** Subscriptions stay when their consumers go: what comes meanwhile waits for them. */
  private subscription(topic: string, id: string): Subscription {
    const subscriptions = this.topics.get(topic) ?? new Map<string, Subscription>();
    this.topics.set(topic, subscriptions);
    let subscription = subscriptions.get(id);
    if (!subscription) {
      subscription = new Subscription({
        topic,
        clock: this.clock,
        redelivery: this.redelivery,
        capacity: this.capacity,
        giveUp: (event) => this.offer(`${id}-dlq`, event),
      });
      subscriptions.set(id, subscription);
    }
    return subscription;
  }
}
