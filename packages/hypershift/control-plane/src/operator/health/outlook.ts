import type { Clock } from '@hypershift-ts/kube-apimachinery';

/** What a look from outside found: all is well, a failure, or no answer yet. */
export type Sight = { readonly known: false } | { readonly known: true; readonly failure: string | undefined };

interface Entry {
  /** What was looked at; another target makes the answer worthless. */
  readonly target: string;
  /** What the answer depended on besides; a change is a reason to look again. */
  readonly reason: string;
  sight: Sight;
  lookedAt: number;
  failures: number;
  running: boolean;
}

/** An answer that was good is believed this long. */
const goodForMs = 60_000;
const firstRetryMs = 500;
const lastRetryMs = 15_000;

/**
 * Looks at things outside the API of the management cluster, without ever holding up a reconcile: the reconcile uses
 * the last answer and is woken when there is a new one.
 */
export class Outlook {
  private readonly entries = new Map<string, Entry>();
  private readonly clock: Clock;
  private readonly signal: AbortSignal;
  /** Called when an answer differs from the one before. */
  onChange: () => void = () => {};

  constructor(clock: Clock, signal: AbortSignal) {
    this.clock = clock;
    this.signal = signal;
  }

  /** The last answer about a target; looks (again) when there is none, it is old, or there is a reason. */
  look(name: string, target: string, reason: string, run: (signal: AbortSignal) => Promise<string | undefined>): Sight {
    const known = this.entries.get(name);
    const entry: Entry =
      known?.target === target
        ? known
        : { target, reason, sight: { known: false }, lookedAt: Number.NEGATIVE_INFINITY, failures: 0, running: false };
    const now = this.clock.now();
    if (!entry.running && (entry.reason !== reason || now >= entry.lookedAt + waitOf(entry))) {
      this.start({ ...entry, reason, running: true, lookedAt: now }, name, run);
    }
    return entry.sight;
  }

  /** Nothing is to be seen there any more. */
  forget(name: string): void {
    this.entries.delete(name);
  }

  /** Milliseconds until some answer should be renewed. */
  nextLookMs(): number | undefined {
    const now = this.clock.now();
    const waits = [...this.entries.values()]
      .filter(({ running }) => !running)
      .map((entry) => Math.max(1, entry.lookedAt + waitOf(entry) - now));
    return waits.length > 0 ? Math.min(...waits) : undefined;
  }

  private start(entry: Entry, name: string, run: (signal: AbortSignal) => Promise<string | undefined>): void {
    this.entries.set(name, entry);
    const settle = (failure: string | undefined): void => {
      if (this.entries.get(name) !== entry || this.signal.aborted) return;
      const before = entry.sight;
      entry.sight = { known: true, failure };
      entry.failures = failure === undefined ? 0 : entry.failures + 1;
      entry.running = false;
      entry.lookedAt = this.clock.now();
      if (!before.known || before.failure !== failure || failure !== undefined) this.onChange();
    };
    run(this.signal).then(settle, (error: unknown) => settle(error instanceof Error ? error.message : String(error)));
  }
}

function waitOf({ sight, failures }: Entry): number {
  if (!sight.known) return 0;
  if (sight.failure === undefined) return goodForMs;
  return Math.min(lastRetryMs, firstRetryMs * 2 ** Math.min(failures - 1, 10));
}
