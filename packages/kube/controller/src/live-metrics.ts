import type { KubeObject } from '@hypershift-ts/kube-apimachinery';
import type { Informer, InformerCache } from '@hypershift-ts/kube-client';
import type { Registry } from 'prom-client';
import { Counter, Gauge } from 'prom-client';
import type { WorkQueue } from './queue/work-queue.ts';

/** What is read only when somebody scrapes, so that keeping it up to date costs nothing. */
interface Observed {
  readonly queues: Map<WorkQueue, string>;
  readonly caches: Map<InformerCache, () => number>;
}

const observedBy = new WeakMap<Registry, Observed>();

function observed(registry: Registry): Observed {
  let known = observedBy.get(registry);
  if (!known) {
    known = { queues: new Map(), caches: new Map() };
    observedBy.set(registry, known);
    registerQueueGauges(registry, known);
    registerInformerGauges(registry, known);
  }
  return known;
}

/** Includes the queue in workqueue_unfinished_work_seconds and its kin until the returned function is called. */
export function observeQueue(registry: Registry | undefined, queue: WorkQueue, controller: string): () => void {
  if (!registry) return () => {};
  const { queues } = observed(registry);
  queues.set(queue, controller);
  return () => void queues.delete(queue);
}

/** Includes the cache's informers in the informer_* gauges until the returned function is called. */
export function observeCache(registry: Registry | undefined, cache: InformerCache, now: () => number): () => void {
  if (!registry) return () => {};
  const { caches } = observed(registry);
  caches.set(cache, now);
  return () => void caches.delete(cache);
}

function registerQueueGauges(registry: Registry, { queues }: Observed): void {
  const labelNames = ['name', 'controller'] as const;
  const sum = new Map<string, { totalMs: number; longestMs: number }>();
  const measure = () => {
    sum.clear();
    for (const [queue, name] of queues) {
      const { totalMs, longestMs } = queue.unfinished();
      const known = sum.get(name) ?? { totalMs: 0, longestMs: 0 };
      sum.set(name, { totalMs: known.totalMs + totalMs, longestMs: Math.max(known.longestMs, longestMs) });
    }
    return sum;
  };
  const gauge = (name: string, help: string, pick: (value: { totalMs: number; longestMs: number }) => number) =>
    new Gauge({
      name,
      help,
      labelNames,
      registers: [registry],
      collect() {
        this.reset();
        for (const [controller, value] of measure()) this.set({ name: controller, controller }, pick(value) / 1000);
      },
    });
  gauge(
    'workqueue_unfinished_work_seconds',
    'How many seconds of work has been done that is in progress and has not been observed by work_duration',
    ({ totalMs }) => totalMs,
  );
  gauge(
    'workqueue_longest_running_processor_seconds',
    'How many seconds has the longest running processor for workqueue been running',
    ({ longestMs }) => longestMs,
  );
}

function registerInformerGauges(registry: Registry, { caches }: Observed): void {
  const each = function* (): Generator<readonly [string, Informer<KubeObject>, number]> {
    for (const [cache, now] of caches) {
      for (const informer of cache.all()) yield [informer.type.resource, informer, now()];
    }
  };
  const gauge = (
    name: string,
    help: string,
    value: (informer: Informer<KubeObject>, now: number) => number,
    combine: (a: number, b: number) => number,
  ) =>
    new Gauge({
      name,
      help,
      labelNames: ['resource'] as const,
      registers: [registry],
      collect() {
        this.reset();
        const values = new Map<string, number>();
        for (const [resource, informer, now] of each()) {
          const next = value(informer, now);
          const known = values.get(resource);
          values.set(resource, known === undefined ? next : combine(known, next));
        }
        for (const [resource, number] of values) this.set({ resource }, number);
      },
    });
  const add = (a: number, b: number) => a + b;
  const quiet = (informer: Informer<KubeObject>, now: number) =>
    informer.activity.lastActivityMs === 0 ? 0 : (now - informer.activity.lastActivityMs) / 1000;
  gauge('informer_quiet_seconds', 'Longest time any informer has heard nothing, not even a bookmark', quiet, Math.max);
  gauge('informer_synced', 'Informers that have read everything once', (one) => (one.hasSynced() ? 1 : 0), add);
  gauge('informer_objects', 'Objects held by informers', (informer) => informer.size, add);
  gauge('informer_failures', 'Failed lists and watches of the present informers', (one) => one.activity.failures, add);
}

const requestCounters = new WeakMap<Registry, Counter<'code' | 'method' | 'host'>>();

/** An `onRequest` for HttpClient that counts into rest_client_requests_total. */
export function requestCounter(
  registry: Registry,
): (request: { readonly method: string; readonly code: number; readonly host: string }) => void {
  let counter = requestCounters.get(registry);
  if (!counter) {
    counter = new Counter({
      name: 'rest_client_requests_total',
      help: 'Number of HTTP requests, partitioned by status code, method, and host',
      labelNames: ['code', 'method', 'host'],
      registers: [registry],
    });
    requestCounters.set(registry, counter);
  }
  const counted = counter;
  return ({ method, code, host }) => counted.inc({ code: code === 0 ? '<error>' : String(code), method, host });
}
