import type { Clock } from '@hypershift-ts/kube-apimachinery';
import { LruMap } from './lru-map.ts';

/** One thing that happened, before anything is written. */
export interface Occurrence {
  /** Identifies the object it happened to: kind, namespace, name, uid. */
  readonly object: string;
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

/** What to write for an occurrence. */
export type Verdict =
  | { readonly action: 'drop' }
  | { readonly action: 'create'; readonly key: string; readonly message: string }
  /** The same thing again: raise the count of the event written before. */
  | { readonly action: 'count'; readonly key: string; readonly message: string; readonly written: WrittenEvent };

/** The event on the server that repetitions are counted on. */
export interface WrittenEvent {
  readonly name: string;
  readonly namespace: string;
  readonly count: number;
  readonly firstTimestamp: string;
}

/** client-go keeps four times as much, but has one recorder in a process; here every controller and node has its own. */
const cacheSize = 1024;
const spamBurst = 25;
const spamRefillPerMs = 1 / 300_000;
const similarLimit = 10;
const similarWindowMs = 600_000;

/**
 * Decides like client-go's event correlator: repetitions are counted on one event; more than ten different messages
 * of one reason within ten minutes become one combined event; an object gets 25 events at once, then one in five
 * minutes.
 */
export class EventCorrelator {
  private readonly clock: Clock;
  private readonly buckets = new LruMap<string, { tokens: number; at: number }>(cacheSize);
  private readonly similar = new LruMap<string, { messages: readonly string[]; at: number }>(cacheSize);
  private readonly written = new LruMap<string, WrittenEvent>(cacheSize);

  constructor(clock: Clock) {
    this.clock = clock;
  }

  judge(occurrence: Occurrence): Verdict {
    const { key, message } = this.aggregate(occurrence);
    if (this.isSpam(occurrence.object)) return { action: 'drop' };
    const written = this.written.get(key);
    return written ? { action: 'count', key, message, written } : { action: 'create', key, message };
  }

  /** Remembers what was written, so that repetitions are counted on it. */
  remember(key: string, event: WrittenEvent): void {
    this.written.set(key, event);
  }

  forget(key: string): void {
    this.written.delete(key);
  }

  private isSpam(object: string): boolean {
    const now = this.clock.now();
    const bucket = this.buckets.get(object) ?? { tokens: spamBurst, at: now };
    const tokens = Math.min(spamBurst, bucket.tokens + (now - bucket.at) * spamRefillPerMs);
    this.buckets.set(object, { tokens: tokens >= 1 ? tokens - 1 : tokens, at: now });
    return tokens < 1;
  }

  private aggregate({ object, type, reason, message }: Occurrence): { key: string; message: string } {
    const group = [object, type, reason].join('\n');
    const now = this.clock.now();
    const known = this.similar.get(group);
    const before = known && now - known.at <= similarWindowMs ? known.messages : [];
    const messages = before.includes(message) ? before : [...before, message];
    const isFlood = messages.length >= similarLimit;
    // The oldest is forgotten then, so that the list does not grow while a flood lasts.
    this.similar.set(group, { messages: isFlood ? messages.slice(1) : messages, at: now });
    if (!isFlood) return { key: `${group}\n${message}`, message };
    return { key: group, message: `(combined from similar events): ${message}` };
  }
}
