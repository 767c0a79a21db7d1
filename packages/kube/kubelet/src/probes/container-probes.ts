import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import { type Delayed, sharedDelayHeap } from '@hypershift-ts/kube-controller';
import { type ProbeResult, type ProbeTarget, runAction } from './probe-actions.ts';

export type ProbeKind = 'startup' | 'liveness' | 'readiness';

export interface ProbeEvents {
  /** The startup probe has passed, or there is none. */
  started(): void;
  ready(isReady: boolean): void;
  /** A liveness or startup probe has failed for good: the container must be restarted. */
  unhealthy(kind: ProbeKind, probe: corev1.Probe): void;
  /** One probe failed; for Events. */
  failed(kind: ProbeKind, message: string): void;
}

/** One probe of a container through its life. */
interface Round {
  readonly kind: ProbeKind;
  readonly probe: corev1.Probe;
  readonly counts: Tally;
  /** When the manifest wants the next one. */
  dueMs: number;
  /** Until the next one beyond what the manifest asks for. */
  earlyMs: number;
  hasPassed: boolean;
  isAsking: boolean;
  pending: Delayed | undefined;
}

/** Programs of this process are ready in milliseconds; waiting for the period would be most of a control plane's start. */
const firstEarlyMs = 10;

/**
 * Probes one run of a container, from its start until stop(). All waiting is entries in one shared heap. Programs of this
 * process are asked early and often until they pass; only what the manifest asks for counts as a failure.
 */
export class ContainerProbes {
  private readonly target: ProbeTarget;
  private readonly startedMs: number;
  private readonly events: ProbeEvents;
  private readonly rounds = new Map<ProbeKind, Round>();
  private readonly stopped = new Set<ProbeKind>();

  constructor(target: ProbeTarget, startedMs: number, events: ProbeEvents) {
    this.target = target;
    this.startedMs = startedMs;
    this.events = events;
  }

  begin(): void {
    const { startupProbe } = this.target.container;
    if (startupProbe) this.start('startup', startupProbe);
    else this.afterStartup();
    this.target.running.probing?.onWanted(() => this.askNow());
  }

  /** Ends all probing, or that of some kinds. */
  stop(kinds: readonly ProbeKind[] = ['startup', 'liveness', 'readiness']): void {
    for (const kind of kinds) {
      this.stopped.add(kind);
      this.cancel(this.rounds.get(kind));
      this.rounds.delete(kind);
    }
  }

  /** The container says that it has changed: what is still missing is asked for again. */
  private askNow(): void {
    for (const round of this.rounds.values()) {
      if (round.kind === 'liveness') continue;
      round.earlyMs = firstEarlyMs;
      if (round.isAsking) continue;
      this.wait(round, 0);
    }
  }

  private afterStartup(): void {
    if (this.stopped.has('readiness')) return;
    const { livenessProbe, readinessProbe } = this.target.container;
    this.events.started();
    if (readinessProbe) this.start('readiness', readinessProbe);
    else this.events.ready(true);
    // Nothing can go wrong with a container that does not exist.
    if (livenessProbe && !this.target.running.answersProbes) this.start('liveness', livenessProbe);
  }

  private start(kind: ProbeKind, probe: corev1.Probe): void {
    const { running, clock } = this.target;
    // What is asked early anyway need not fail for the record while it starts.
    const delayMs = (probe.initialDelaySeconds ?? 0) * 1000 || (running.probing ? periodMs(probe) : 0);
    const dueMs = this.startedMs + delayMs;
    const round: Round = {
      kind,
      probe,
      counts: tally(),
      dueMs,
      earlyMs: firstEarlyMs,
      hasPassed: false,
      isAsking: false,
      pending: undefined,
    };
    this.rounds.set(kind, round);
    if (running.answersProbes) {
      const more = ((probe.successThreshold ?? 1) - 1) * periodMs(probe);
      round.pending = sharedDelayHeap(clock).after(Math.max(0, dueMs + more - clock.now()), () => this.succeeded(kind));
      return;
    }
    this.next(round);
  }

  private next(round: Round): void {
    const untilDue = round.dueMs - this.target.clock.now();
    if (!this.isEager(round)) return this.wait(round, untilDue);
    const early = round.earlyMs;
    round.earlyMs *= 2;
    this.wait(round, Math.min(untilDue, early));
  }

  /** Commands cost a process each, and nobody waits for a liveness probe. */
  private isEager({ kind, probe, hasPassed }: Round): boolean {
    return this.target.running.probing !== undefined && kind !== 'liveness' && !probe.exec && !hasPassed;
  }

  private wait(round: Round, ms: number): void {
    if (this.stopped.has(round.kind)) return;
    this.cancel(round);
    round.pending = sharedDelayHeap(this.target.clock).after(Math.max(0, ms), () => void this.ask(round));
  }

  private cancel(round: Round | undefined): void {
    if (round?.pending) sharedDelayHeap(this.target.clock).cancel(round.pending);
  }

  private async ask(round: Round): Promise<void> {
    const { kind, probe, counts } = round;
    const began = this.target.clock.now();
    round.isAsking = true;
    const result = await runAction(probe, this.target, (probe.timeoutSeconds ?? 1) * 1000);
    round.isAsking = false;
    if (this.stopped.has(kind)) return;
    // Nobody asked for this one: it can only bring good news.
    if (!result.ok && began < round.dueMs) return this.next(round);
    const verdict = judge(counts, result, probe);
    round.hasPassed = result.ok;
    if (!result.ok) this.events.failed(kind, result.message);
    if (verdict === 'success') this.succeeded(kind);
    if (verdict === 'failure') {
      if (kind === 'readiness') this.events.ready(false);
      else {
        this.stop();
        this.events.unhealthy(kind, probe);
        return;
      }
    }
    if (kind === 'startup' && verdict === 'success') return void this.rounds.delete(kind);
    round.dueMs = began + periodMs(probe);
    this.next(round);
  }

  private succeeded(kind: ProbeKind): void {
    if (kind === 'startup') this.afterStartup();
    else if (kind === 'readiness') this.events.ready(true);
  }
}

/** Results in a row. */
export interface Tally {
  lastOk: boolean | undefined;
  run: number;
}

export function tally(): Tally {
  return { lastOk: undefined, run: 0 };
}

/** Counts a result; a verdict only when as many in a row as the probe's threshold asks for. */
export function judge(counts: Tally, { ok }: ProbeResult, probe: corev1.Probe): 'success' | 'failure' | undefined {
  counts.run = counts.lastOk === ok ? counts.run + 1 : 1;
  counts.lastOk = ok;
  const threshold = ok ? (probe.successThreshold ?? 1) : (probe.failureThreshold ?? 3);
  if (counts.run < threshold) return undefined;
  return ok ? 'success' : 'failure';
}

function periodMs(probe: corev1.Probe): number {
  return (probe.periodSeconds ?? 10) * 1000;
}
