import { setMaxListeners } from 'node:events';
import type { KubeObject, ObjectKey } from '@hypershift-ts/kube-apimachinery';
import { keyOf, parseKey } from '@hypershift-ts/kube-apimachinery';
import type { Informer, Random } from '@hypershift-ts/kube-client';
import type { Tracer } from '@opentelemetry/api';
import { context as otelContext, SpanStatusCode, trace } from '@opentelemetry/api';
import type { Registry } from 'prom-client';
import type { Controller, Enqueue, ReconcileContext } from './controller.ts';
import { observeQueue } from './live-metrics.ts';
import type { ControllerMetrics } from './metrics.ts';
import { controllerMetrics } from './metrics.ts';
import { ownersOfType } from './owner-references.ts';
import { sharedDelayHeap } from './queue/delay-heap.ts';
import type { Priority } from './queue/work-queue.ts';
import { WorkQueue } from './queue/work-queue.ts';
import { retryOf } from './retry.ts';

/** What a controller gets from its surroundings. */
export type ControllerEnvironment = Omit<ReconcileContext, 'attempt' | 'signal'> & {
  readonly random: Random;
  readonly registry?: Registry | undefined;
  readonly tracer?: Tracer | undefined;
};

type KeysOf = (object: KubeObject) => readonly ObjectKey[] | undefined | Promise<readonly ObjectKey[] | undefined>;

/** Reconciles started in one turn of the event loop before other work gets its chance. */
const startsPerTurn = 32;

/** One controller at work on one cluster. */
export class RunningController {
  readonly definition: Controller;
  readonly queue: WorkQueue;
  private readonly env: ControllerEnvironment;
  private readonly metrics: ControllerMetrics;
  private readonly tracer: Tracer;
  private readonly stopper = new AbortController();
  private readonly unsubscribe: (() => void)[] = [];
  private readonly informers: Informer<KubeObject>[] = [];
  private state: 'new' | 'started' | 'stopped' = 'new';
  private pumpScheduled = false;
  private active = 0;
  private startedThisTurn = 0;
  private onIdle: (() => void) | undefined;

  constructor(definition: Controller, env: ControllerEnvironment) {
    this.definition = definition;
    // Every request of every reconcile may listen to this one signal; that is no leak.
    setMaxListeners(0, this.stopper.signal);
    const { name, events = env.events } = definition;
    this.env = { ...env, events, log: env.log.child({ controller: name }) };
    this.metrics = controllerMetrics(env.registry, definition.name);
    this.tracer = env.tracer ?? trace.getTracer('@hypershift-ts/kube-controller');
    this.queue = new WorkQueue({
      clock: env.clock,
      random: env.random,
      rateLimit: definition.rateLimit,
      gatherMs: definition.gatherMs,
      observer: this.metrics,
      onReady: () => this.schedulePump(),
    });
  }

  /** Subscribes to everything the controller watches; keys gather in the queue until start(). */
  subscribe(): void {
    const { for: main, owns, watches } = this.definition;
    this.follow(main, (object) => [parseKey(keyOf(object))]);
    for (const source of owns) this.follow(source, (object) => ownersOfType(object, main.type, source.owner));
    for (const source of watches) {
      const context = { cache: source.cache ?? this.env.cache, client: this.env.client };
      this.follow(source, (object) => source.map(object, context));
    }
  }

  /** The informers this controller reads, once subscribed. */
  sources(): readonly Informer<KubeObject>[] {
    return this.informers;
  }

  start(): void {
    if (this.state !== 'new') return;
    this.state = 'started';
    this.metrics.setConcurrency(this.definition.concurrency);
    this.unsubscribe.push(observeQueue(this.env.registry, this.queue, this.definition.name));
    const context = { ...this.env, signal: this.stopper.signal };
    for (const source of this.definition.sources) {
      const stop = source(this.enqueue, context);
      if (stop) this.unsubscribe.push(stop);
    }
    this.schedulePump();
  }

  /** Takes no new keys, waits for reconciles in progress, and aborts those that take longer than `graceMs`. */
  async stop(graceMs: number): Promise<void> {
    if (this.state === 'stopped') return;
    if (this.state === 'started') this.metrics.setConcurrency(-this.definition.concurrency);
    this.state = 'stopped';
    for (const end of this.unsubscribe.splice(0)) end();
    this.queue.close();
    if (this.active > 0) {
      const heap = sharedDelayHeap(this.env.clock);
      const deadline = heap.after(graceMs, () => {
        this.env.log.warn({ active: this.active }, 'reconciles are still running past the grace period; aborting them');
        this.stopper.abort();
        this.onIdle?.();
      });
      await new Promise<void>((resolve) => {
        this.onIdle = resolve;
      });
      heap.cancel(deadline);
    }
    this.stopper.abort();
  }

  readonly enqueue: Enqueue = (key, options = {}) => {
    const text = keyText(key);
    if (options.afterMs) this.queue.addAfter(text, options.afterMs, options.priority);
    else this.queue.add(text, options.priority);
  };

  private follow(source: Controller['for'], keysOf: KeysOf): void {
    const { namespace, labelSelector, fieldSelector, predicate } = source;
    const gatherMs = (object: KubeObject, previous?: KubeObject) =>
      source.gatherMsOf?.(object, previous) ?? this.definition.gatherMs;
    const informer = (source.cache ?? this.env.cache).informer(source.type, {
      ...(namespace === undefined ? {} : { namespace }),
      ...(labelSelector === undefined ? {} : { labelSelector }),
      ...(fieldSelector === undefined ? {} : { fieldSelector }),
    });
    this.informers.push(informer);
    const end = informer.addHandler({
      added: (object, initial) => {
        if (predicate?.created?.(object) ?? true)
          this.admit(keysOf, [object], initial ? 'low' : 'normal', gatherMs(object));
      },
      // A change may move an object from one owner or target to another: both want to know.
      updated: (previous, next) => {
        if (predicate?.updated?.(previous, next) ?? true)
          this.admit(keysOf, [previous, next], 'normal', gatherMs(next, previous));
      },
      deleted: (object) => {
        if (source === this.definition.for) this.forget(object);
        if (predicate?.deleted?.(object) ?? true) this.admit(keysOf, [object], 'normal', this.definition.gatherMs);
      },
    });
    this.unsubscribe.push(end);
  }

  private admit(keysOf: KeysOf, objects: readonly KubeObject[], priority: Priority, withinMs: number): void {
    for (const object of objects) {
      const keys = keysOf(object);
      if (keys instanceof Promise) {
        keys.then(
          (found) => this.enqueueAll(found, priority, withinMs),
          (error: unknown) => this.env.log.error({ err: error, object: keyOf(object) }, 'mapping an object failed'),
        );
      } else this.enqueueAll(keys, priority, withinMs);
    }
  }

  private enqueueAll(keys: readonly ObjectKey[] | undefined, priority: Priority, withinMs: number): void {
    for (const key of keys ?? []) this.queue.addWithin(keyText(key), withinMs, priority);
  }

  /** What was planned for a deleted object, or said about it, is of no use any more. */
  private forget(object: KubeObject): void {
    this.queue.cancelDelayed(keyOf(object));
    this.env.events.forget?.(object);
  }

  private schedulePump(): void {
    if (this.pumpScheduled || this.state !== 'started') return;
    this.pumpScheduled = true;
    setImmediate(() => {
      this.pumpScheduled = false;
      this.startedThisTurn = 0;
      this.pump();
    });
  }

  private pump(): void {
    while (this.state === 'started' && this.active < this.definition.concurrency) {
      if (this.startedThisTurn >= startsPerTurn) return this.schedulePump();
      const item = this.queue.take();
      if (!item) return;
      this.active++;
      this.startedThisTurn++;
      void this.work(item.key);
    }
  }

  private async work(key: string): Promise<void> {
    const { clock } = this.env;
    const started = clock.now();
    this.metrics.reconcileStarted();
    let result: 'success' | 'error' | 'requeue' | 'requeue_after' = 'error';
    try {
      result = await this.attempt(key);
    } finally {
      this.metrics.reconcileEnded(result, (clock.now() - started) / 1000);
      this.queue.done(key);
      this.active--;
      if (this.active === 0) this.onIdle?.();
      this.pump();
    }
  }

  private async attempt(key: string): Promise<'success' | 'error' | 'requeue' | 'requeue_after'> {
    const { definition, queue, env } = this;
    const object = parseKey(key);
    const span = this.tracer.startSpan(`reconcile ${definition.name}`, {
      attributes: {
        'k8s.controller.name': definition.name,
        'k8s.object.key': key,
      },
    });
    const { signal, release } = this.signalFor();
    const context: ReconcileContext = {
      client: env.client,
      cache: env.cache,
      clock: env.clock,
      events: env.events,
      log: env.log,
      signal,
      attempt: queue.failuresOf(key),
    };
    try {
      const outcome = await otelContext.with(trace.setSpan(otelContext.active(), span), () =>
        definition.reconcile(object, context),
      );
      queue.forget(key);
      if (!outcome?.requeueAfterMs) return 'success';
      queue.addAfter(key, outcome.requeueAfterMs);
      return 'requeue_after';
    } catch (error) {
      const result = this.failed(key, error);
      span.setStatus({ code: SpanStatusCode.ERROR });
      if (error instanceof Error && result === 'error') span.recordException(error);
      return result;
    } finally {
      release();
      span.end();
    }
  }

  private failed(key: string, error: unknown): 'error' | 'requeue' {
    const { queue, env, metrics } = this;
    // A reconcile that was told to stop has not failed.
    if (this.stopper.signal.aborted) return 'requeue';
    if (!(error instanceof Error)) metrics.panic();
    const retry = retryOf(error);
    if (retry === 'now') {
      const retryInMs = queue.addRateLimited(key);
      env.log.debug({ err: error, object: key, retryInMs }, 'lost a race, trying again');
      return 'requeue';
    }
    if (retry === 'backoff') {
      const retryInMs = Math.round(queue.addRateLimited(key));
      env.log.error({ err: error, object: key, attempt: queue.failuresOf(key), retryInMs }, 'reconcile failed');
      return 'error';
    }
    queue.forget(key);
    metrics.terminalError();
    env.log.error({ err: error, object: key }, 'reconcile failed; waiting for the object to change');
    return 'error';
  }

  /** The signal for one reconcile: the controller's own unless there is a time limit. */
  private signalFor(): { signal: AbortSignal; release: () => void } {
    const { timeoutMs } = this.definition;
    if (timeoutMs === undefined) return { signal: this.stopper.signal, release: () => {} };
    const limit = new AbortController();
    const stop = () => limit.abort();
    this.stopper.signal.addEventListener('abort', stop, { once: true });
    const heap = sharedDelayHeap(this.env.clock);
    const timer = heap.after(timeoutMs, () => {
      limit.abort(new Error(`the reconcile took longer than ${timeoutMs} ms`));
    });
    return {
      signal: limit.signal,
      release: () => {
        heap.cancel(timer);
        this.stopper.signal.removeEventListener('abort', stop);
      },
    };
  }
}

function keyText({ namespace, name }: ObjectKey): string {
  return namespace ? `${namespace}/${name}` : name;
}
