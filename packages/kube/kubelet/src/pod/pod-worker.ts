import { corev1, delay, isConflict, isNotFound, jsonEqual } from '@hypershift-ts/kube-apimachinery';
import { type Delayed, sharedDelayHeap } from '@hypershift-ts/kube-controller';
import type { PodFacts } from '../environment/field-values.ts';
import type { NodeContext } from '../node/node-context.ts';
import { runtimeFor, simulationAnnotations } from '../runtime/runtime-resolver.ts';
import { VolumeError } from '../volumes/payload.ts';
import type { PodVolumes } from '../volumes/pod-volumes.ts';
import { startContainer } from './container-start.ts';
import { type ContainerView, containersOf, podText } from './container-state.ts';
import { ContainerUnit } from './container-unit.ts';
import { GracePeriod } from './grace-period.ts';
import { HeldContainers } from './held-containers.ts';
import { dropOldLogs, podDirectory, removePodFiles } from './pod-directories.ts';
import type { PodPhase } from './pod-phase.ts';
import { planPod } from './pod-plan.ts';
import { checkReferences, followReferences, podAddress, prepareFiles } from './pod-preparation.ts';
import { desiredPodStatus, restartPolicyOf } from './pod-status.ts';
import { isNewer } from './resource-version.ts';
import { backOffRemaining, formatDuration } from './restart-back-off.ts';
import { StartSteps } from './start-steps.ts';
import { StatusReporter } from './status-reporter.ts';
import { stopUnits } from './stop-units.ts';

interface Verdict {
  readonly phase: PodPhase;
  readonly reason?: string;
  readonly message?: string;
}

const firstRetryMs = 500;
const longestRetryMs = 60_000;

/** Makes one pod true on this node. Everything about the pod happens in sync(), one at a time; all else only wakes it. */
export class PodWorker {
  readonly units: readonly ContainerUnit[];
  pod: corev1.Pod;
  podIP: string | undefined;
  private readonly node: NodeContext;
  private readonly podDir: string;
  private readonly startMs: number;
  private readonly held: HeldContainers;
  private readonly reporter: StatusReporter;
  private readonly steps: StartSteps;
  private readonly stopper = new AbortController();
  private readonly isGone: () => void;
  private volumes: PodVolumes | undefined;
  private isPrepared = false;
  private verdict: Verdict | undefined;
  private grace: GracePeriod | undefined;
  private graceSeconds = Number.POSITIVE_INFINITY;
  private areStopped = false;
  private isOver = false;
  private hasVanished = false;
  private isClosed = false;
  private isDirty = false;
  private active: Promise<void> | undefined;
  private failures = 0;
  private mountFailures = 0;
  private unfollow: (() => void) | undefined;
  private timer: Delayed | undefined;

  constructor(pod: corev1.Pod, node: NodeContext, isGone: () => void) {
    this.pod = pod;
    this.node = node;
    this.isGone = isGone;
    this.podDir = podDirectory(node.dataDir, pod);
    this.held = new HeldContainers(node.clock);
    this.reporter = new StatusReporter(node.client, node.log);
    this.steps = new StartSteps(node.clock);
    this.startMs = Date.parse(pod.status?.startTime ?? '') || node.clock.now();
    const waiting = (pod.spec?.initContainers ?? []).length > 0 ? 'PodInitializing' : 'ContainerCreating';
    this.units = containersOf(pod).map(({ container, role }) => {
      const runtime = runtimeFor(node.runtimes, pod, container);
      return new ContainerUnit(container, role, runtime, waiting, node.clock, {
        changed: () => this.wake(),
        probeFailed: (unit, kind, message) => this.probeFailed(unit, kind, message),
        unhealthy: (unit, kind, probe) => this.restartUnhealthy(unit, kind, probe),
      });
    });
    this.restore();
  }

  /** A newer version of the pod. */
  update(pod: corev1.Pod): void {
    if (!isNewer(pod, this.pod)) return;
    const previous = this.pod;
    this.pod = pod;
    if (pod.metadata.deletionTimestamp) this.stopper.abort();
    const { labels, annotations } = previous.metadata;
    if (!jsonEqual(labels, pod.metadata.labels) || !jsonEqual(annotations, pod.metadata.annotations))
      this.volumes?.refresh();
    this.wake();
  }

  /** The pod is no more in the API: stop it without asking anybody. */
  vanished(): void {
    this.hasVanished = true;
    this.stopper.abort();
    this.wake();
  }

  wake(): void {
    if (this.isClosed) return;
    this.isDirty = true;
    this.active ??= this.run();
  }

  /** Ends the containers because the kubelet ends; the API is not told, as when a machine is switched off. */
  async shutdown(): Promise<void> {
    this.isClosed = true;
    this.stopper.abort();
    this.stopWaiting();
    if (this.timer) this.timer.callback = undefined;
    const grace = this.grace ?? new GracePeriod(this.node.clock, this.node.shutdownGraceMs);
    grace.shorten(this.node.shutdownGraceMs);
    // A look that waits for a server which is gone must not hold the end up.
    const patience = new AbortController();
    await Promise.race([this.active, delay(this.node.clock, this.node.shutdownGraceMs, patience.signal)]);
    patience.abort();
    await stopUnits(this.units, grace, this.podIP ?? '');
    grace.close();
    await this.volumes?.stop();
    this.releaseAddress();
  }

  get dataDir(): string {
    return this.node.dataDir;
  }

  unit(container: string): ContainerUnit | undefined {
    return this.units.find((unit) => unit.container.name === container);
  }

  private async run(): Promise<void> {
    await Promise.resolve();
    while (this.isDirty && !this.isClosed) {
      this.isDirty = false;
      try {
        await this.sync();
        this.failures = 0;
      } catch (error) {
        if (this.isClosed) break;
        const wait = Math.min(firstRetryMs * 2 ** this.failures++, longestRetryMs);
        this.node.log.warn({ error, pod: podText(this.pod), retryMs: wait }, 'a pod could not be brought up to date');
        this.wakeAfter(wait);
      }
    }
    this.active = undefined;
    // A wake between the last look and here found `active` set and relied on us.
    if (this.isDirty && !this.isClosed) this.wake();
  }

  private async sync(): Promise<void> {
    if (this.isOver) return this.afterEnd();
    this.checkDeadline();
    if (this.hasVanished || this.pod.metadata.deletionTimestamp || this.verdict) return this.end();
    if (!(await this.prepare())) return;
    await this.runContainers();
    if (this.verdict) return this.end();
    const waitMs = this.steps.waitMs(this.pod, this.views());
    if (waitMs === undefined) await this.publish();
    else this.wakeAfter(waitMs);
  }

  private async runContainers(): Promise<void> {
    // Simulated containers of an earlier kubelet go on as if nothing had happened.
    for (const unit of this.units)
      if (unit.phase.kind === 'running' && !unit.running) await startContainer(unit, this.scope());
    while (!this.stopper.signal.aborted) {
      const { node } = this;
      const plan = planPod({
        restartPolicy: restartPolicyOf(this.pod),
        containers: this.views(),
        backOffOf: ({ name }) => this.backOffOf(name),
      });
      if (plan.finished) {
        this.verdict = { phase: plan.finished };
        return;
      }
      for (const { container, remainingMs } of plan.backingOff) this.crashLoop(container.name, remainingMs);
      const due = plan.start.flatMap(({ name }) => this.unit(name) ?? []).filter((unit) => !this.held.isHeld(unit));
      this.wakeAfter(this.held.nextMs());
      if (due.length === 0) return;
      if (due.some(({ container }) => container.lifecycle?.postStart)) await this.publish();
      for (const unit of due) {
        if (this.stopper.signal.aborted) return;
        const reason = await startContainer(unit, this.scope());
        if (reason) this.held.hold(unit, reason, node.events, this.pod);
        else if (!unit.isSimulated && unit.restartCount > 1)
          await dropOldLogs(node.dataDir, this.pod, unit.container.name, unit.restartCount);
      }
    }
  }

  private async prepare(): Promise<boolean> {
    if (this.isPrepared) return true;
    this.podIP ??= podAddress(this.pod, this.node);
    try {
      if (this.units.some((unit) => !unit.isSimulated))
        this.volumes ??= await prepareFiles(this.node, this.podDir, () => this.facts());
      else await checkReferences(this.node, this.facts());
      this.isPrepared = true;
      this.stopWaiting();
      return true;
    } catch (error) {
      if (!(error instanceof VolumeError)) throw error;
      this.node.events.warning(this.pod, 'FailedMount', error.message);
      await this.publish();
      this.unfollow ??= followReferences(this.node, this.pod, () => this.wake());
      this.wakeAfter(Math.min(firstRetryMs * 2 ** this.mountFailures++, longestRetryMs));
      return false;
    }
  }

  private stopWaiting(): void {
    this.unfollow?.();
    this.unfollow = undefined;
  }

  /** Stops what runs, then says the last word. */
  private async end(): Promise<void> {
    this.stopper.abort();
    this.stopWaiting();
    const seconds = this.wantedGraceSeconds();
    if (!this.grace) {
      this.grace = new GracePeriod(this.node.clock, seconds * 1000);
      // Simulated pods come and go by the thousand; an Event for each would cost more than the pod.
      for (const { container, running, isSimulated } of this.units)
        if (running && !this.verdict && !isSimulated)
          this.node.events.normal(this.pod, 'Killing', `Stopping container ${container.name}`);
      void stopUnits(this.units, this.grace, this.podIP ?? '').then(() => {
        this.grace?.close();
        this.areStopped = true;
        this.wake();
      });
    } else if (seconds < this.graceSeconds) this.grace.shorten(seconds * 1000);
    this.graceSeconds = seconds;
    if (!this.areStopped) return this.publish();
    this.verdict ??= { phase: this.endedWell() ? 'Succeeded' : 'Failed' };
    await this.publish();
    await this.volumes?.tearDown();
    this.volumes = undefined;
    this.releaseAddress();
    this.isOver = true;
    return this.afterEnd();
  }

  private async afterEnd(): Promise<void> {
    const { name = '', namespace = '', uid = '', deletionTimestamp } = this.pod.metadata;
    if (this.hasVanished) {
      this.isClosed = true;
      if (this.timer) this.timer.callback = undefined;
      if (this.units.some((unit) => !unit.isSimulated)) await removePodFiles(this.node.dataDir, this.pod);
      this.isGone();
    } else if (deletionTimestamp) {
      try {
        await this.node.client.delete(
          corev1.pods,
          { namespace, name },
          { gracePeriodSeconds: 0, preconditions: { uid } },
        );
      } catch (error) {
        if (!isNotFound(error) && !isConflict(error)) throw error;
      }
    }
  }

  private async publish(): Promise<void> {
    if (this.hasVanished || this.isClosed) return;
    const { pod, node, verdict } = this;
    const desired = desiredPodStatus({
      pod,
      containers: this.views(),
      prepared: this.isPrepared,
      podIP: this.podIP,
      hostIP: node.hostIP,
      startMs: this.startMs,
      // While containers are still stopping, the pod is not over yet.
      ...(verdict && (this.areStopped || verdict.reason) ? { verdict } : {}),
      nowMs: node.clock.now(),
    });
    const wanted = simulationAnnotations(
      this.units.map(({ container, runtime }) => ({ name: container.name, runtime })),
    );
    const answer = await this.reporter.report(pod, desired, wanted);
    if (answer && isNewer(answer, this.pod)) this.pod = answer;
  }

  private checkDeadline(): void {
    const seconds = this.pod.spec?.activeDeadlineSeconds;
    if (seconds === undefined || this.verdict) return;
    const remaining = this.startMs + seconds * 1000 - this.node.clock.now();
    if (remaining > 0) return this.wakeAfter(remaining);
    const message = 'Pod was active on the node longer than the specified deadline';
    this.verdict = { phase: 'Failed', reason: 'DeadlineExceeded', message };
    this.node.events.normal(this.pod, 'DeadlineExceeded', message);
  }

  private restore(): void {
    const { status } = this.pod;
    if (status?.phase === 'Succeeded' || status?.phase === 'Failed') this.isOver = true;
    for (const unit of this.units) {
      const known = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])].find(
        ({ name }) => name === unit.container.name,
      );
      if (known) unit.restore(known);
    }
  }

  private restartUnhealthy(unit: ContainerUnit, kind: string, probe: corev1.Probe): void {
    const seconds = probe.terminationGracePeriodSeconds ?? this.pod.spec?.terminationGracePeriodSeconds ?? 30;
    this.node.events.normal(
      this.pod,
      'Killing',
      `Container ${unit.container.name} failed ${kind} probe, will be restarted`,
    );
    const grace = new GracePeriod(this.node.clock, seconds * 1000);
    void unit.stop(grace, this.podIP ?? '').then(() => grace.close());
  }

  private probeFailed(unit: ContainerUnit, kind: string, message: string): void {
    if (unit.stopping) return;
    this.node.events.warning(
      this.pod,
      'Unhealthy',
      `${kind.charAt(0).toUpperCase()}${kind.slice(1)} probe failed: ${message}`,
    );
  }

  private crashLoop(container: string, remainingMs: number): void {
    const unit = this.unit(container);
    if (!unit) return;
    this.wakeAfter(remainingMs);
    if (unit.phase.kind === 'waiting' && unit.phase.reason === 'CrashLoopBackOff') return;
    const wait = formatDuration(unit.backOff?.delayMs ?? 0);
    const message = `back-off ${wait} restarting failed container=${container} pod=${podText(this.pod)}`;
    unit.hold('CrashLoopBackOff', message);
    this.node.events.warning(
      this.pod,
      'BackOff',
      `Back-off restarting failed container ${container} in pod ${podText(this.pod)}`,
    );
  }

  private backOffOf(container: string): number {
    const unit = this.unit(container);
    const exit = unit?.phase.kind === 'exited' ? unit.phase.exit : unit?.last;
    return exit ? backOffRemaining(unit?.backOff, exit.finishedMs, this.node.clock.now()) : 0;
  }

  private wantedGraceSeconds(): number {
    const { metadata, spec } = this.pod;
    const own = spec?.terminationGracePeriodSeconds ?? 30;
    if (this.hasVanished) return Math.min(1, own);
    return metadata.deletionTimestamp ? (metadata.deletionGracePeriodSeconds ?? own) : own;
  }

  private endedWell(): boolean {
    return this.units.every(
      ({ role, phase }) => role !== 'main' || (phase.kind === 'exited' && phase.exit.exitCode === 0),
    );
  }

  private views(): ContainerView[] {
    return this.units.map((unit) => unit.view());
  }

  private scope() {
    const { node, podDir, volumes } = this;
    return { node, facts: this.facts(), podDir, volumes, signal: this.stopper.signal };
  }

  private facts(): PodFacts {
    const { hostIP, nodeName, allocatable } = this.node;
    return { pod: this.pod, podIP: this.podIP ?? '', hostIP, nodeName, allocatable };
  }

  private releaseAddress(): void {
    if (this.podIP && !this.pod.spec?.hostNetwork) this.node.addresses.release(this.podIP);
  }

  private wakeAfter(ms: number | undefined): void {
    if (ms === undefined || this.isClosed) return;
    const { clock } = this.node;
    if (this.timer?.callback && this.timer.dueMs <= clock.now() + ms) return;
    if (this.timer) this.timer.callback = undefined;
    this.timer = sharedDelayHeap(clock).after(ms, () => this.wake());
  }
}
