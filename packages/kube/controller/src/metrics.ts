import type { Registry } from 'prom-client';
import { Counter, Gauge, Histogram } from 'prom-client';
import type { Priority, QueueObserver } from './queue/work-queue.ts';

/** What a controller reports. Gauges move by steps, so that several controllers of one name add up. */
export interface ControllerMetrics extends QueueObserver {
  reconcileStarted(): void;
  reconcileEnded(result: 'success' | 'error' | 'requeue' | 'requeue_after', seconds: number): void;
  terminalError(): void;
  panic(): void;
  setConcurrency(change: number): void;
}

interface Families {
  readonly total: Counter<'controller' | 'result'>;
  readonly errors: Counter<'controller'>;
  readonly terminalErrors: Counter<'controller'>;
  readonly panics: Counter<'controller'>;
  readonly time: Histogram<'controller'>;
  readonly maxConcurrent: Gauge<'controller'>;
  readonly activeWorkers: Gauge<'controller'>;
  readonly depth: Gauge<'name' | 'controller' | 'priority'>;
  readonly adds: Counter<'name' | 'controller'>;
  readonly queueDuration: Histogram<'name' | 'controller'>;
  readonly workDuration: Histogram<'name' | 'controller'>;
  readonly retries: Counter<'name' | 'controller'>;
}

const workBuckets = [1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1, 10];
const reconcileBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

const familiesOf = new WeakMap<Registry, Families>();

function families(registry: Registry): Families {
  const known = familiesOf.get(registry);
  if (known) return known;
  const registers = [registry];
  const byController = { labelNames: ['controller'] as const, registers };
  const byQueue = { labelNames: ['name', 'controller'] as const, registers };
  const made: Families = {
    total: new Counter({
      name: 'controller_runtime_reconcile_total',
      help: 'Total number of reconciliations per controller',
      labelNames: ['controller', 'result'],
      registers,
    }),
    errors: new Counter({
      name: 'controller_runtime_reconcile_errors_total',
      help: 'Total number of reconciliation errors per controller',
      ...byController,
    }),
    terminalErrors: new Counter({
      name: 'controller_runtime_terminal_reconcile_errors_total',
      help: 'Total number of terminal reconciliation errors per controller',
      ...byController,
    }),
    panics: new Counter({
      name: 'controller_runtime_reconcile_panics_total',
      help: 'Total number of reconciliations that threw something other than an error',
      ...byController,
    }),
    time: new Histogram({
      name: 'controller_runtime_reconcile_time_seconds',
      help: 'Length of time per reconciliation per controller',
      buckets: reconcileBuckets,
      ...byController,
    }),
    maxConcurrent: new Gauge({
      name: 'controller_runtime_max_concurrent_reconciles',
      help: 'Maximum number of concurrent reconciles per controller',
      ...byController,
    }),
    activeWorkers: new Gauge({
      name: 'controller_runtime_active_workers',
      help: 'Number of reconciles in progress per controller',
      ...byController,
    }),
    depth: new Gauge({
      name: 'workqueue_depth',
      help: 'Current depth of workqueue by workqueue and priority',
      labelNames: ['name', 'controller', 'priority'],
      registers,
    }),
    adds: new Counter({ name: 'workqueue_adds_total', help: 'Total number of adds handled by workqueue', ...byQueue }),
    queueDuration: new Histogram({
      name: 'workqueue_queue_duration_seconds',
      help: 'How long in seconds an item stays in workqueue before being requested',
      buckets: workBuckets,
      ...byQueue,
    }),
    workDuration: new Histogram({
      name: 'workqueue_work_duration_seconds',
      help: 'How long in seconds processing an item from workqueue takes',
      buckets: workBuckets,
      ...byQueue,
    }),
    retries: new Counter({
      name: 'workqueue_retries_total',
      help: 'Total number of retries handled by workqueue',
      ...byQueue,
    }),
  };
  familiesOf.set(registry, made);
  return made;
}

const metricsOf = new WeakMap<Registry, Map<string, ControllerMetrics>>();

/** The upstream controller_runtime_* and workqueue_* series of a controller, one value for all that share its name. */
export function controllerMetrics(registry: Registry | undefined, controller: string): ControllerMetrics {
  if (!registry) return noMetrics;
  const byName = metricsOf.get(registry) ?? new Map<string, ControllerMetrics>();
  metricsOf.set(registry, byName);
  const known = byName.get(controller) ?? seriesOf(families(registry), controller);
  byName.set(controller, known);
  return known;
}

function seriesOf(f: Families, controller: string): ControllerMetrics {
  const queue = { name: controller, controller };
  const depthOf = (priority: Priority) => f.depth.labels({ ...queue, priority });
  const depth = { high: depthOf('high'), normal: depthOf('normal'), low: depthOf('low') };
  const results = {
    success: f.total.labels({ controller, result: 'success' }),
    error: f.total.labels({ controller, result: 'error' }),
    requeue: f.total.labels({ controller, result: 'requeue' }),
    requeue_after: f.total.labels({ controller, result: 'requeue_after' }),
  };
  const active = f.activeWorkers.labels({ controller });
  const errors = f.errors.labels({ controller });
  const time = f.time.labels({ controller });
  const adds = f.adds.labels(queue);
  const waits = f.queueDuration.labels(queue);
  const works = f.workDuration.labels(queue);
  const retries = f.retries.labels(queue);
  // Series that exist from the start can be alerted on before the first failure.
  for (const counter of [...Object.values(results), errors, adds, retries]) counter.inc(0);
  return {
    added(priority) {
      adds.inc();
      depth[priority].inc();
    },
    retried: () => retries.inc(),
    taken(priority, waitedMs) {
      depth[priority].dec();
      waits.observe(waitedMs / 1000);
    },
    finished: (workedMs) => works.observe(workedMs / 1000),
    reconcileStarted: () => active.inc(),
    reconcileEnded(result, seconds) {
      active.dec();
      results[result].inc();
      if (result === 'error') errors.inc();
      time.observe(seconds);
    },
    terminalError: () => f.terminalErrors.inc({ controller }),
    panic: () => f.panics.inc({ controller }),
    setConcurrency: (change) => f.maxConcurrent.labels({ controller }).inc(change),
  };
}

const noMetrics: ControllerMetrics = {
  added() {},
  retried() {},
  taken() {},
  finished() {},
  reconcileStarted() {},
  reconcileEnded() {},
  terminalError() {},
  panic() {},
  setConcurrency() {},
};
