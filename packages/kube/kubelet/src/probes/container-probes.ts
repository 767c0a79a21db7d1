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

/** Probes one run of a container, from its start until stop(). All waiting is entries in one shared heap. */
export class ContainerProbes {
  private readonly target: ProbeTarget;
  private readonly startedMs: number;
  private readonly events: ProbeEvents;
  private readonly pending = new Map<ProbeKind, Delayed>();
  private readonly stopped = new Set<ProbeKind>();

  constructor(target: ProbeTarget, startedMs: number, events: ProbeEvents) {
    this.target = target;
    this.startedMs = startedMs;
    this.events = events;
  }

  begin(): void {
    const { startupProbe } = this.target.container;
    if (startupProbe) this.schedule('startup', startupProbe, tally());
    else this.afterStartup();
  }

  /** Ends all probing, or that of some kinds. */
  stop(kinds: readonly ProbeKind[] = ['startup', 'liveness', 'readiness']): void {
    for (const kind of kinds) {
      this.stopped.add(kind);
      const entry = this.pending.get(kind);
      if (entry) entry.callback = undefined;
      this.pending.delete(kind);
    }
  }

  private afterStartup(): void {
    if (this.stopped.has('readiness')) return;
    const { livenessProbe, readinessProbe } = this.target.container;
    this.events.started();
    if (readinessProbe) this.schedule('readiness', readinessProbe, tally());
    else this.events.ready(true);
    // Nothing can go wrong with a container that does not exist.
    if (livenessProbe && !this.target.running.answersProbes) this.schedule('liveness', livenessProbe, tally());
  }

  private schedule(kind: ProbeKind, probe: corev1.Probe, counts: Tally, afterMs?: number): void {
    if (this.stopped.has(kind)) return;
    const { clock, running } = this.target;
    const untilDelayIsOver = this.startedMs + (probe.initialDelaySeconds ?? 0) * 1000 - clock.now();
    if (running.answersProbes) {
      const more = ((probe.successThreshold ?? 1) - 1) * periodMs(probe);
      this.wait(kind, untilDelayIsOver + more, () => this.succeeded(kind));
      return;
    }
    this.wait(kind, afterMs ?? untilDelayIsOver, () => void this.probe(kind, probe, counts));
  }

  private wait(kind: ProbeKind, ms: number, then: () => void): void {
    this.pending.set(kind, sharedDelayHeap(this.target.clock).after(Math.max(0, ms), then));
  }

  private async probe(kind: ProbeKind, probe: corev1.Probe, counts: Tally): Promise<void> {
    const began = this.target.clock.now();
    const result = await runAction(probe, this.target, (probe.timeoutSeconds ?? 1) * 1000);
    if (this.stopped.has(kind)) return;
    const verdict = judge(counts, result, probe);
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
    if (kind === 'startup' && verdict === 'success') return;
    this.schedule(kind, probe, counts, periodMs(probe) - (this.target.clock.now() - began));
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
