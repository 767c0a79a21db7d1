import type { Clock, corev1 } from '@hypershift-ts/kube-apimachinery';
import type { Delayed } from '@hypershift-ts/kube-controller';
import { sharedDelayHeap } from '@hypershift-ts/kube-controller';
import type { Cause } from './filters/filter.ts';

type Pod = corev1.Pod;

interface Entry {
  readonly key: string;
  pod: Pod;
  readonly since: number;
  attempts: number;
  /** What could help, once an attempt has failed. */
  causes: ReadonlySet<Cause>;
  state: 'ready' | 'waiting' | 'backing-off' | 'taken';
  /** Something that could help happened during the attempt itself. */
  helped: boolean;
  timer?: Delayed;
  triedAt: number;
}

const firstBackOffMs = 1_000;
const maxBackOffMs = 10_000;

/** Pods without a node: the most important first, those that failed when something changed that could help them. */
export class SchedulingQueue {
  private readonly clock: Clock;
  private readonly onReady: () => void;
  private readonly entries = new Map<string, Entry>();
  private readonly ready = new Set<Entry>();

  constructor(clock: Clock, onReady: () => void) {
    this.clock = clock;
    this.onReady = onReady;
  }

  get size(): number {
    return this.entries.size;
  }

  /** Adds a pod or takes note of its new version; a change of the pod itself is worth another attempt. */
  put(key: string, pod: Pod, retry: boolean): void {
    const known = this.entries.get(key);
    if (known && known.pod.metadata.uid === pod.metadata.uid) {
      known.pod = pod;
      if (retry) this.help(known);
      return;
    }
    if (known) this.remove(key);
    const entry: Entry = {
      key,
      pod,
      since: this.clock.now(),
      attempts: 0,
      causes: new Set(),
      state: 'ready',
      helped: false,
      triedAt: 0,
    };
    this.entries.set(key, entry);
    this.makeReady(entry);
  }

  remove(key: string): void {
    const entry = this.entries.get(key);
    if (!entry) return;
    if (entry.timer) entry.timer.callback = undefined;
    this.entries.delete(key);
    this.ready.delete(entry);
  }

  /** The most important pod that may be tried now: by priority, then by age. */
  take(): { readonly key: string; readonly pod: Pod } | undefined {
    let best: Entry | undefined;
    for (const entry of this.ready) if (!best || comesBefore(entry, best)) best = entry;
    if (!best) return undefined;
    this.ready.delete(best);
    best.state = 'taken';
    best.helped = false;
    best.attempts++;
    best.triedAt = this.clock.now();
    return best;
  }

  /** The attempt found no node; wait until one of the causes changes. */
  failed(key: string, causes: ReadonlySet<Cause>): void {
    const entry = this.entries.get(key);
    if (!entry || entry.state !== 'taken') return;
    entry.causes = causes;
    entry.state = 'waiting';
    if (entry.helped) this.help(entry);
  }

  /** The attempt broke: try again after a pause whatever happens. */
  retry(key: string): void {
    const entry = this.entries.get(key);
    if (entry) this.backOff(entry);
  }

  /** Something changed: whoever waits for that kind of thing is tried again. */
  moved(cause: Cause): void {
    for (const entry of this.entries.values()) {
      if (entry.state === 'taken') entry.helped = true;
      else if (entry.state === 'waiting' && entry.causes.has(cause)) this.help(entry);
    }
  }

  close(): void {
    for (const key of [...this.entries.keys()]) this.remove(key);
  }

  private help(entry: Entry): void {
    if (entry.state === 'taken') entry.helped = true;
    if (entry.state === 'waiting') this.backOff(entry);
  }

  /** A pod that keeps failing is tried less and less often: 1 s, 2 s, ... 10 s after its last attempt. */
  private backOff(entry: Entry): void {
    const pause = Math.min(maxBackOffMs, firstBackOffMs * 2 ** Math.min(entry.attempts - 1, 10));
    const wait = entry.attempts === 0 ? 0 : entry.triedAt + pause - this.clock.now();
    if (wait <= 0) return this.makeReady(entry);
    entry.state = 'backing-off';
    entry.timer = sharedDelayHeap(this.clock).after(wait, () => this.makeReady(entry));
  }

  private makeReady(entry: Entry): void {
    entry.state = 'ready';
    this.ready.add(entry);
    this.onReady();
  }
}

function comesBefore(a: Entry, b: Entry): boolean {
  const priority = (a.pod.spec.priority ?? 0) - (b.pod.spec.priority ?? 0);
  return priority === 0 ? a.since < b.since : priority > 0;
}
