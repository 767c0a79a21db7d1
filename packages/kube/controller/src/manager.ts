import { setMaxListeners } from 'node:events';
import type { Clock } from '@hypershift-ts/kube-apimachinery';
import { systemClock } from '@hypershift-ts/kube-apimachinery';
import type { Client, Random } from '@hypershift-ts/kube-client';
import { InformerCache } from '@hypershift-ts/kube-client';
import type { Tracer } from '@opentelemetry/api';
import type { Registry } from 'prom-client';
import type { Controller } from './controller.ts';
import type { EventRecorder } from './events/event-recorder.ts';
import { silentRecorder } from './events/silent-recorder.ts';
import type { HealthCheck, HealthReport } from './health.ts';
import { runChecks } from './health.ts';
import type { LeaderElectionOptions } from './leader-election.ts';
import { LeaderElector, LeadershipLost } from './leader-election.ts';
import { observeCache } from './live-metrics.ts';
import type { Logger } from './logger.ts';
import { silentLogger } from './logger.ts';
import { RunningController } from './running-controller.ts';

export interface ManagerOptions {
  readonly client: Client;
  /** A cache shared with others, which the manager starts but leaves running. Default: its own. */
  readonly cache?: InformerCache;
  readonly clock?: Clock;
  readonly random?: Random;
  readonly logger?: Logger;
  readonly events?: EventRecorder;
  /** Metrics go here; none without it. */
  readonly registry?: Registry;
  readonly tracer?: Tracer;
  readonly leaderElection?: LeaderElectionOptions;
  /** How long reconciles in progress may take after stop(). Default 30 s. */
  readonly gracePeriodMs?: number;
  /** How long the first list of every watched type may take. Default 2 min. */
  readonly cacheSyncTimeoutMs?: number;
}

/** Something else that starts with the controllers; returns how to end it. */
export type Runnable = (signal: AbortSignal) => Promise<void>;

/** Runs controllers on one cluster: caches first, then leadership, then work; stops in the reverse order. */
export class Manager {
  readonly cache: InformerCache;
  private readonly options: ManagerOptions;
  private readonly clock: Clock;
  private readonly log: Logger;
  private readonly controllers: RunningController[] = [];
  private readonly runnables: Runnable[] = [];
  private readonly healthChecks = new Map<string, HealthCheck>();
  private readonly readyChecks = new Map<string, HealthCheck>();
  private readonly stopper = new AbortController();
  private readonly elector: LeaderElector | undefined;
  private readonly background: Promise<void>[] = [];
  private state: 'new' | 'starting' | 'running' | 'stopping' | 'stopped' = 'new';
  private unobserve = () => {};
  private failure: Error | undefined;
  private readonly ended: Promise<Error | undefined>;
  private settleEnded: (failure: Error | undefined) => void = () => {};

  constructor(options: ManagerOptions) {
    this.options = options;
    this.clock = options.clock ?? systemClock;
    this.log = options.logger ?? silentLogger;
    const random = options.random ?? Math.random;
    setMaxListeners(0, this.stopper.signal);
    this.cache =
      options.cache ??
      new InformerCache({
        client: options.client,
        clock: this.clock,
        random,
        onError: (error, type) => this.log.debug({ err: error, resource: type.resource }, 'watch will be retried'),
      });
    if (options.leaderElection) {
      const env = { client: options.client, clock: this.clock, random, log: this.log };
      this.elector = new LeaderElector(options.leaderElection, env);
    }
    this.ended = new Promise((resolve) => {
      this.settleEnded = resolve;
    });
    this.readyChecks.set('informer-sync', () => {
      for (const informer of this.cache.all()) {
        if (!informer.hasSynced()) throw new Error(`${informer.type.resource} not synced`);
      }
    });
  }

  /** Adds a controller; before start(). */
  add(...controllers: readonly Controller[]): this {
    if (this.state !== 'new') throw new Error('controllers must be added before the manager starts');
    for (const definition of controllers) {
      if (this.controllers.some((other) => other.definition.name === definition.name)) {
        throw new Error(`there is already a controller named "${definition.name}"`);
      }
      this.controllers.push(
        new RunningController(definition, {
          client: this.options.client,
          cache: this.cache,
          clock: this.clock,
          random: this.options.random ?? Math.random,
          log: this.log,
          events: this.options.events ?? silentRecorder,
          registry: this.options.registry,
          tracer: this.options.tracer,
        }),
      );
    }
    return this;
  }

  /** Adds something that runs while this process leads; its rejection stops the manager. */
  addRunnable(runnable: Runnable): this {
    this.runnables.push(runnable);
    return this;
  }

  addHealthCheck(name: string, check: HealthCheck): this {
    this.healthChecks.set(name, check);
    return this;
  }

  addReadyCheck(name: string, check: HealthCheck): this {
    this.readyChecks.set(name, check);
    return this;
  }

  /** What /healthz answers. */
  healthz(): Promise<HealthReport> {
    return runChecks(this.healthChecks);
  }

  /** What /readyz answers. */
  readyz(): Promise<HealthReport> {
    return runChecks(this.readyChecks);
  }

  isLeader(): boolean {
    return this.state === 'running' && (this.elector?.isLeader() ?? true);
  }

  /** Resolves when all controllers work (caches synced, leadership won), or at once when stopped meanwhile. */
  async start(): Promise<void> {
    if (this.state !== 'new') throw new Error('a manager starts once');
    this.state = 'starting';
    try {
      for (const controller of this.controllers) controller.subscribe();
      this.unobserve = observeCache(this.options.registry, this.cache, () => this.clock.now());
      this.cache.start();
      await this.waitForCaches();
      if (this.stopper.signal.aborted) return;
      for (const controller of this.controllers) if (!controller.definition.leaderOnly) controller.start();
      if (this.elector && !(await this.elector.acquire(this.stopper.signal))) return;
      if (this.stopper.signal.aborted) return;
      if (this.elector) this.supervise(this.elector.hold(this.stopper.signal));
      for (const controller of this.controllers) controller.start();
      for (const runnable of this.runnables) this.supervise(runnable(this.stopper.signal));
      this.state = 'running';
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  /** Starts, works until the signal aborts or something fatal happens, and stops; rejects with what was fatal. */
  async run(signal: AbortSignal): Promise<void> {
    const stop = () => void this.stop();
    if (signal.aborted) return;
    signal.addEventListener('abort', stop, { once: true });
    try {
      await this.start();
      const failure = await this.ended;
      if (failure) throw failure;
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  /** Drains and ends everything; safe to call at any time and more than once. */
  async stop(): Promise<void> {
    if (this.state === 'stopping' || this.state === 'stopped') {
      await this.ended;
      return;
    }
    this.state = 'stopping';
    // Without the lease somebody else may begin any moment: nothing of ours may go on.
    const graceMs = this.failure instanceof LeadershipLost ? 0 : (this.options.gracePeriodMs ?? 30_000);
    await Promise.all(this.controllers.map((controller) => controller.stop(graceMs)));
    this.stopper.abort();
    await Promise.allSettled(this.background);
    // Only now: another replica must not begin before our last reconcile has ended.
    await this.elector?.release();
    this.unobserve();
    if (!this.options.cache) await this.cache.stop();
    this.state = 'stopped';
    this.settleEnded(this.failure);
  }

  private async waitForCaches(): Promise<void> {
    const limitMs = this.options.cacheSyncTimeoutMs ?? 120_000;
    const limit = new AbortController();
    const stop = () => limit.abort();
    setMaxListeners(0, limit.signal);
    this.stopper.signal.addEventListener('abort', stop, { once: true });
    const cancel = this.clock.after(limitMs, stop);
    const informers = new Set(this.controllers.flatMap((controller) => controller.sources()));
    await Promise.all([...informers].map((informer) => informer.whenSynced(limit.signal)));
    cancel();
    this.stopper.signal.removeEventListener('abort', stop);
    const late = [...informers].filter((informer) => !informer.hasSynced());
    if (late.length === 0 || this.stopper.signal.aborted || this.state !== 'starting') return;
    const causes = late.map(({ type, activity: { lastError } }) => {
      return `${type.resource} (${lastError instanceof Error ? lastError.message : 'no answer'})`;
    });
    throw new Error(`could not read everything the controllers watch within ${limitMs} ms: ${causes.join(', ')}`);
  }

  /** A background task whose failure ends the manager. */
  private supervise(task: Promise<void>): void {
    this.background.push(
      task.catch((error: unknown) => {
        if (this.stopper.signal.aborted) return;
        this.failure ??= error instanceof Error ? error : new Error(String(error));
        this.log.error({ err: error }, 'stopping');
        // Not awaited: stop() waits for this very task.
        void this.stop();
      }),
    );
  }
}
