import type { Clock } from '@hypershift-ts/kube-apimachinery';
import { LruMap } from './lru-map.ts';

/** One thing that happened, before anything is written. */
export interface Occurrence {
  /** Identifies the object it happened to. */
  readonly object: string;
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

/** What to write for an occurrence. */
export type Verdict =
  | { readonly action: 'drop' }
  | { readonly action: 'create'; readonly message: string }
  /** The same thing again: raise the count of the event written before. */
  | { readonly action: 'count'; readonly message: string; readonly written: WrittenEvent };

/** The event on the server that repetitions are counted on. */
export interface WrittenEvent {
  readonly name: string;
  readonly count: number;
}

/** client-go keeps four times as much, but has one recorder in a process; here every controller and node has its own. */
const objectLimit = 1024;
/** The server forgets an event after an hour. */
const rememberMs = 3_600_000;
const spamBurst = 25;
const spamRefillPerMs = 1 / 300_000;
const similarLimit = 10;
const similarWindowMs = 600_000;
/** Reasons told apart for one object, and messages of one reason: far more than an honest component uses. */
const reasonLimit = 32;
const writtenLimit = 2 * similarLimit;

/** What was said about an object for one reason. */
interface Group {
  readonly type: Occurrence['type'];
  readonly reason: string;
  at: number;
  messages: readonly string[];
  /** By message as it was written. */
  written: readonly (readonly [message: string, event: WrittenEvent])[];
}

interface Known {
  tokens: number;
  at: number;
  groups: readonly Group[];
}

const combined = '(combined from similar events): ';

/**
 * Decides like client-go's event correlator: repetitions are counted on one event; more than ten different messages
 * of one reason within ten minutes become one combined event; an object gets 25 events at once, then one in five
 * minutes.
 */
export class EventCorrelator {
  private readonly clock: Clock;
  private readonly objects = new LruMap<string, Known>(objectLimit);

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** How many objects it remembers. */
  get size(): number {
    return this.objects.size;
  }

  judge(occurrence: Occurrence): Verdict {
    const now = this.clock.now();
    this.objects.dropOldestWhile(({ at }) => now - at > rememberMs);
    const known = this.objects.get(occurrence.object) ?? { tokens: spamBurst, at: now, groups: [] };
    const group = groupOf(known, occurrence, now);
    const message = aggregate(group, occurrence.message, now);
    const isSpam = takeToken(known, now);
    this.objects.set(occurrence.object, known);
    if (isSpam) return { action: 'drop' };
    const written = eventFor(group, message);
    return written ? { action: 'count', message, written } : { action: 'create', message };
  }

  /** Remembers what was written for a verdict, so that repetitions are counted on it; nothing when it is gone. */
  remember(occurrence: Occurrence, message: string, event: WrittenEvent | undefined): void {
    const group = this.objects.get(occurrence.object)?.groups.find(isAbout(occurrence));
    if (!group) return;
    const others = group.written.filter(([other]) => !isSameEvent(other, message));
    group.written = event ? [...others, [message, event] as const].slice(-writtenLimit) : others;
  }

  /** Nothing more will be said about this object. */
  forget(object: string): void {
    this.objects.delete(object);
  }
}

const isAbout =
  ({ type, reason }: Occurrence) =>
  (group: Group) =>
    group.type === type && group.reason === reason;

/** All combined messages of a reason are told on one event. */
const isSameEvent = (a: string, b: string): boolean => a === b || (a.startsWith(combined) && b.startsWith(combined));

const eventFor = ({ written }: Group, message: string): WrittenEvent | undefined =>
  written.find(([other]) => isSameEvent(other, message))?.[1];

function groupOf(known: Known, occurrence: Occurrence, now: number): Group {
  const found = known.groups.find(isAbout(occurrence));
  if (found) return found;
  const { type, reason } = occurrence;
  const made: Group = { type, reason, at: now, messages: [], written: [] };
  known.groups = [...known.groups, made].slice(-reasonLimit);
  return made;
}

/** The message to write: its own, or a combined one while there is a flood of different ones. */
function aggregate(group: Group, message: string, now: number): string {
  const before = now - group.at <= similarWindowMs ? group.messages : [];
  const messages = before.includes(message) ? before : [...before, message];
  const isFlood = messages.length >= similarLimit;
  // The oldest is forgotten then, so that the list does not grow while a flood lasts.
  group.messages = isFlood ? messages.slice(1) : messages;
  group.at = now;
  return isFlood ? `${combined}${message}` : message;
}

function takeToken(known: Known, now: number): boolean {
  const tokens = Math.min(spamBurst, known.tokens + (now - known.at) * spamRefillPerMs);
  const isSpam = tokens < 1;
  known.tokens = isSpam ? tokens : tokens - 1;
  known.at = now;
  return isSpam;
}
