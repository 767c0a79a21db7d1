import type { CloudEvent } from '@hypershift-ts/fleet-cloud-events';
import type { Clock } from '@hypershift-ts/kube-apimachinery';
import type { BrokerObserver, EventHandler } from '../broker.ts';
import { deliver } from '../deliver.ts';
import type { RedeliveryRule } from '../redelivery.ts';
import { redeliveryDelay } from '../redelivery.ts';

interface Message {
  readonly event: CloudEvent;
  attempts: number;
}

interface Consumer {
  readonly handler: EventHandler;
  readonly parallelism: number;
  readonly signal: AbortSignal;
  readonly observer?: BrokerObserver | undefined;
  running: number;
  idle?: (() => void) | undefined;
}

export interface SubscriptionOptions {
  readonly topic: string;
  readonly clock: Clock;
  readonly redelivery: RedeliveryRule;
  /** Events kept at most; the oldest goes first, since a newer one says the same or more. */
  readonly capacity: number;
  /** Called with events that are given up. */
  readonly giveUp: (event: CloudEvent) => void;
}

/** The queue behind one subscription id: it outlives its consumers, and they share what is in it. */
export class Subscription {
  private readonly options: SubscriptionOptions;
  private readonly waiting: Message[] = [];
  private readonly consumers = new Set<Consumer>();
  private readonly timers = new Set<() => void>();

  constructor(options: SubscriptionOptions) {
    this.options = options;
  }

  get size(): number {
    return this.waiting.length;
  }

  offer(event: CloudEvent): void {
    this.enqueue({ event, attempts: 0 });
  }

  /** Adds a consumer; the returned function takes it away and resolves when its handlers are done. */
  consume(
    handler: EventHandler,
    settings: { readonly parallelism: number; readonly observer?: BrokerObserver | undefined },
  ): () => Promise<void> {
    const stopping = new AbortController();
    const consumer: Consumer = { handler, ...settings, signal: stopping.signal, running: 0 };
    this.consumers.add(consumer);
    this.dispatch();
    return async () => {
      this.consumers.delete(consumer);
      stopping.abort();
      if (consumer.running > 0) await new Promise<void>((resolve) => (consumer.idle = resolve));
    };
  }

  /** Forgets what is waiting to be delivered again. */
  stop(): void {
    for (const cancel of this.timers) cancel();
    this.timers.clear();
  }

  private enqueue(message: Message): void {
    if (this.waiting.length >= this.options.capacity) {
      this.waiting.shift();
      const error = new Error(`more than ${this.options.capacity} events wait; the oldest was dropped`);
      for (const { observer } of this.consumers) observer?.failed?.(this.options.topic, 'overflow', error);
    }
    this.waiting.push(message);
    this.dispatch();
  }

  private dispatch(): void {
    while (this.waiting.length > 0) {
      const free = [...this.consumers].filter(({ running, parallelism }) => running < parallelism);
      const next = free.toSorted((a, b) => a.running - b.running)[0];
      if (!next) return;
      const message = this.waiting.shift()!;
      next.running++;
      void this.handle(next, message);
    }
  }

  private async handle(consumer: Consumer, message: Message): Promise<void> {
    const { topic, clock, redelivery, giveUp } = this.options;
    message.attempts++;
    const verdict = await deliver(topic, message.event, consumer.handler, {
      clock,
      signal: consumer.signal,
      observer: consumer.observer,
    });
    consumer.running--;
    if (verdict === 'reject' || (verdict === 'retry' && message.attempts >= redelivery.maxAttempts))
      giveUp(message.event);
    else if (verdict === 'retry') this.again(message, redeliveryDelay(redelivery, message.attempts));
    if (consumer.running === 0) consumer.idle?.();
    this.dispatch();
  }

  private again(message: Message, ms: number): void {
    const cancel = this.options.clock.after(ms, () => {
      this.timers.delete(cancel);
      this.enqueue(message);
    });
    this.timers.add(cancel);
  }
}
