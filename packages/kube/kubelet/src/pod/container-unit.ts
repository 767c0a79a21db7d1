import { type Clock, type corev1, delay } from '@hypershift-ts/kube-apimachinery';
import type { LogSource } from '../logs/log-source.ts';
import { ContainerProbes, type ProbeKind } from '../probes/container-probes.ts';
import type { ContainerRuntime, RunningContainer, RunResult } from '../runtime/container-runtime.ts';
import type { ContainerExit, ContainerPhase, ContainerRole, ContainerView } from './container-state.ts';
import type { GracePeriod } from './grace-period.ts';
import { runHook } from './lifecycle-hooks.ts';
import { nextBackOff, type RestartBackOff } from './restart-back-off.ts';
import { restoredState } from './restored-state.ts';
import { terminationMessage } from './termination-message.ts';

/** How a unit reports to its pod. */
export interface UnitEvents {
  /** Something about the container changed; look at it again. */
  changed(): void;
  probeFailed(unit: ContainerUnit, kind: ProbeKind, message: string): void;
  /** A liveness or startup probe gave the container up. */
  unhealthy(unit: ContainerUnit, kind: ProbeKind, probe: corev1.Probe): void;
}

/** How long a killed container may take to be gone before the pod goes on without it. */
const killPatienceMs = 10_000;

/** One container of a pod through all its runs. */
export class ContainerUnit {
  readonly container: corev1.Container;
  readonly role: ContainerRole;
  readonly runtime: ContainerRuntime | undefined;
  phase: ContainerPhase;
  last: ContainerExit | undefined;
  restartCount = 0;
  backOff: RestartBackOff | undefined;
  running: RunningContainer | undefined;
  log: LogSource | undefined;
  previousLog: LogSource | undefined;
  stopping = false;
  private started = false;
  private ready = false;
  private probes: ContainerProbes | undefined;
  private readonly clock: Clock;
  private readonly events: UnitEvents;
  private ended: Promise<void> = Promise.resolve();

  constructor(
    container: corev1.Container,
    role: ContainerRole,
    runtime: ContainerRuntime | undefined,
    waitingReason: string,
    clock: Clock,
    events: UnitEvents,
  ) {
    this.container = container;
    this.role = role;
    this.runtime = runtime;
    this.phase = { kind: 'waiting', reason: waitingReason };
    this.clock = clock;
    this.events = events;
  }

  get isSimulated(): boolean {
    return this.runtime?.name === 'simulated';
  }

  view(): ContainerView {
    const { container, role, phase, last, restartCount, stopping } = this;
    const image = container.image ?? '';
    return {
      name: container.name,
      role,
      phase,
      last,
      restartCount,
      // An init container counts as ready once it is done.
      ready: role === 'init' ? phase.kind === 'exited' && phase.exit.exitCode === 0 : this.ready,
      started: this.started,
      image,
      imageId: `${this.runtime?.name ?? 'none'}://${image}`,
      stopping,
    };
  }

  /** Takes over what an earlier kubelet reported. */
  restore(status: corev1.ContainerStatus): void {
    const restored = restoredState(status, this.isSimulated, this.clock.now());
    this.restartCount = restored.restartCount;
    this.last = restored.last;
    if (restored.phase) this.phase = restored.phase;
    this.ready = restored.ready;
    this.started = restored.started;
  }

  /** Waiting for something; an exit before it stays visible as the last state. */
  hold(reason: string, message?: string): void {
    if (this.phase.kind === 'exited') this.last = this.phase.exit;
    this.phase = { kind: 'waiting', reason, ...(message ? { message } : {}) };
  }

  /** Notes that the container is about to run (again): counts and back-off. */
  nextRun(): number {
    const exit = this.phase.kind === 'exited' ? this.phase.exit : this.last;
    if (exit) {
      this.last = exit;
      this.restartCount++;
      this.backOff = nextBackOff(this.backOff, exit.finishedMs, this.clock.now());
      this.previousLog = this.log ?? this.previousLog;
    }
    return this.restartCount;
  }

  /** The container could not be started at all. */
  failedToStart(reason: string, message: string, containerId: string): void {
    const now = this.clock.now();
    this.phase = {
      kind: 'exited',
      exit: { exitCode: 128, reason, message, startedMs: now, finishedMs: now, containerId },
    };
  }

  /** The container runs: follow it to its end. */
  began(
    running: RunningContainer,
    containerId: string,
    podIP: string,
    messageFile: string | undefined,
    startedMs: number,
  ): void {
    this.running = running;
    this.log = running.log;
    this.stopping = false;
    this.phase = { kind: 'running', startedMs, containerId };
    if (this.role === 'init') this.started = false;
    this.probes = new ContainerProbes({ container: this.container, podIP, running, clock: this.clock }, startedMs, {
      started: () => this.set('started', true),
      ready: (isReady) => this.set('ready', isReady),
      failed: (kind, message) => this.events.probeFailed(this, kind, message),
      unhealthy: (kind, probe) => this.events.unhealthy(this, kind, probe),
    });
    this.ended = running.exited.then((result) => this.hasEnded(running, result, containerId, startedMs, messageFile));
  }

  /** Begins probing; called after the postStart hook. Init containers are not probed. */
  beginProbes(): void {
    if (this.role !== 'init') this.probes?.begin();
  }

  /** Stops the container: preStop, SIGTERM, and SIGKILL when the grace period is over. Resolves when it is gone. */
  async stop(grace: GracePeriod, podIP: string): Promise<void> {
    const { running, container } = this;
    if (!running || this.stopping) return this.ended;
    this.stopping = true;
    this.probes?.stop(['startup', 'liveness']);
    const over = new AbortController();
    void grace.expired.then(() => over.abort());
    const preStop = container.lifecycle?.preStop;
    if (preStop && grace.remainingMs > 0) {
      const target = { container, podIP, running, clock: this.clock };
      await Promise.race([runHook(preStop, target, grace.remainingMs, over.signal), this.ended]);
    }
    if (grace.remainingMs > 0) running.signal(stopSignalOf(container));
    await Promise.race([this.ended, grace.expired]);
    if (this.running !== running) return;
    running.signal('SIGKILL');
    const patience = new AbortController();
    await Promise.race([this.ended, delay(this.clock, killPatienceMs, patience.signal)]);
    patience.abort();
  }

  /** Resolves when the present run, if any, is over. */
  whenEnded(): Promise<void> {
    return this.ended;
  }

  private set(field: 'started' | 'ready', value: boolean): void {
    if (this[field] === value) return;
    this[field] = value;
    this.events.changed();
  }

  private async hasEnded(
    running: RunningContainer,
    result: RunResult,
    containerId: string,
    startedMs: number,
    messageFile: string | undefined,
  ): Promise<void> {
    this.probes?.stop();
    const message =
      result.message ??
      (await terminationMessage(this.container, messageFile, result.exitCode, running.log).catch(() => undefined));
    if (this.running !== running) return;
    this.running = undefined;
    this.probes = undefined;
    this.ready = false;
    this.started = false;
    this.phase = {
      kind: 'exited',
      exit: {
        exitCode: result.exitCode,
        reason: result.reason ?? (result.exitCode === 0 ? 'Completed' : 'Error'),
        ...(message ? { message } : {}),
        startedMs,
        finishedMs: this.clock.now(),
        containerId,
      },
    };
    this.events.changed();
  }
}

/** SIGTERM unless the container asks for another signal. */
function stopSignalOf(container: corev1.Container): NodeJS.Signals {
  const { stopSignal } = (container.lifecycle ?? {}) as { readonly stopSignal?: string };
  return stopSignal && /^SIG[A-Z0-9]+$/.test(stopSignal) ? (stopSignal as NodeJS.Signals) : 'SIGTERM';
}
