import type { Clock, corev1 } from '@hypershift-ts/kube-apimachinery';
import type { Delayed } from '@hypershift-ts/kube-controller';
import { sharedDelayHeap } from '@hypershift-ts/kube-controller';
import type { Cause } from './filters/filter.ts';

type Pod = corev1.Pod;

interface Entry {
  readonly key: string;
  pod: Pod;
  /** Fixed when it comes in, so that the heap stays in order. */
  readonly priority: number;
  readonly order: number;
  attempts: number;
  /** What could help, once an attempt has failed. */
  causes: ReadonlySet<Cause>;
  state: 'ready' | 'waiting' | 'backing-off' | 'taken';
  /** Something that could help happened during the attempt itself. */
  helped: boolean;
  timer?: Delayed;
  triedAt: number;
}

const firstBackOffMs = 50;
const maxBackOffMs = 10_000;

/** Pods without a node: the most important first, those that failed when something changed that could help them. */
export class SchedulingQueue {
  private readonly clock: Clock;
  private readonly onReady: () => void;
  private readonly entries = new Map<string, Entry>();
  private arrivals = 0;
  /** A binary heap, the most important first. Entries that were removed meanwhile are skipped when they come up. */
  private readonly ready: Entry[] = [];

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
      priority: pod.spec.priority ?? 0,
      order: this.arrivals++,
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
    entry.state = 'waiting';
  }

  /** The most important pod that may be tried now: by priority, then by age. */
  take(): { readonly key: string; readonly pod: Pod } | undefined {
    let best = this.pop();
    while (best && (best.state !== 'ready' || this.entries.get(best.key) !== best)) best = this.pop();
    if (!best) return undefined;
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
    for (const key of this.entries.keys()) this.remove(key);
    this.ready.length = 0;
  }

  private help(entry: Entry): void {
    if (entry.state === 'taken') entry.helped = true;
    if (entry.state === 'waiting') this.backOff(entry);
  }

  /**
   * A pod that keeps failing is tried less and less often: 50 ms, 100 ms, ... 10 s after its last attempt. The first
   * pauses are short because something has just changed that may help it, such as its volume.
   */
  private backOff(entry: Entry): void {
    const pause = Math.min(maxBackOffMs, firstBackOffMs * 2 ** Math.min(entry.attempts - 1, 10));
    const wait = entry.attempts === 0 ? 0 : entry.triedAt + pause - this.clock.now();
    if (wait <= 0) return this.makeReady(entry);
    entry.state = 'backing-off';
    entry.timer = sharedDelayHeap(this.clock).after(wait, () => this.makeReady(entry));
  }

  private makeReady(entry: Entry): void {
    entry.state = 'ready';
    this.push(entry);
    this.onReady();
  }

  private push(entry: Entry): void {
    const { ready } = this;
    let i = ready.length;
    while (i > 0) {
      const parent = (i - 1) >> 1;
      const above = ready[parent] as Entry;
      if (!comesBefore(entry, above)) break;
      ready[i] = above;
      i = parent;
    }
    ready[i] = entry;
  }

  private pop(): Entry | undefined {
    const { ready } = this;
    const first = ready[0];
    const last = ready.pop();
    if (!first || !last || ready.length === 0) return first;
    let i = 0;
    for (;;) {
      let child = 2 * i + 1;
      if (child >= ready.length) break;
      if (child + 1 < ready.length && comesBefore(ready[child + 1] as Entry, ready[child] as Entry)) child++;
      if (!comesBefore(ready[child] as Entry, last)) break;
      ready[i] = ready[child] as Entry;
      i = child;
    }
    ready[i] = last;
    return first;
  }
}

function comesBefore(a: Entry, b: Entry): boolean {
  return a.priority === b.priority ? a.order < b.order : a.priority > b.priority;
}
