import type { Database } from '@hypershift-ts/fleet-database';
import { pendingReconciliations } from './pending.ts';

/** What the server counts. */
export interface ApiMetrics {
  requestServed(method: string, path: string, code: number, seconds: number): void;
  reconciliationStarted(kind: string, deleting: boolean): void;
  queryServed(seconds: number, failed: boolean): void;
  /** Everything in Prometheus' text format; looks at the database for what is pending. */
  render(): Promise<{ readonly contentType: string; readonly text: string }>;
}

interface MetricsOptions {
  readonly version: string;
  readonly database: Database;
  readonly now: () => number;
  /** From when on something unreconciled counts as stuck. */
  readonly stuckAfterMs: number;
}

export async function createMetrics(options: MetricsOptions): Promise<ApiMetrics> {
  const { Counter, Gauge, Histogram, Registry } = await import('prom-client');
  const registry = new Registry();
  registry.setDefaultLabels({ component: 'hyperfleet-api', version: options.version });
  const registers = [registry];
  const byRequest = ['method', 'path', 'code'] as const;
  const byResource = ['resource_type', 'is_delete'] as const;
  const requests = new Counter({
    name: 'hyperfleet_api_requests_total',
    help: 'Requests served',
    labelNames: byRequest,
    registers,
  });
  const durations = new Histogram({
    name: 'hyperfleet_api_request_duration_seconds',
    help: 'How long requests took',
    labelNames: byRequest,
    registers,
  });
  const build = new Gauge({
    name: 'hyperfleet_api_build_info',
    help: 'What runs here',
    labelNames: ['commit'],
    registers,
  });
  build.set({ commit: '' }, 1);
  const started = new Counter({
    name: 'hyperfleet_api_reconciliation_started_total',
    help: 'Resources that became unreconciled',
    labelNames: byResource,
    registers,
  });
  const pending = new Gauge({
    name: 'hyperfleet_api_resource_pending_reconciliation',
    help: 'Resources that are not reconciled',
    labelNames: byResource,
    registers,
  });
  const stuck = new Gauge({
    name: 'hyperfleet_api_resource_pending_reconciliation_stuck',
    help: 'Resources that are not reconciled for longer than the threshold',
    labelNames: byResource,
    registers,
  });
  const stuckFor = new Gauge({
    name: 'hyperfleet_api_resource_pending_reconciliation_stuck_duration_seconds',
    help: 'How long the longest one is not reconciled',
    labelNames: byResource,
    registers,
  });
  const open = new Gauge({ name: 'hyperfleet_db_connections_open', help: 'Open connections', registers });
  const inUse = new Gauge({ name: 'hyperfleet_db_connections_in_use', help: 'Connections at work', registers });
  const queries = new Histogram({
    name: 'hyperfleet_db_query_duration_seconds',
    help: 'How long statements took',
    registers,
  });
  const failures = new Counter({ name: 'hyperfleet_db_errors_total', help: 'Statements that failed', registers });

  const refresh = async (): Promise<void> => {
    const connections = options.database.stats();
    open.set(connections.open);
    inUse.set(connections.inUse);
    const rows = await pendingReconciliations(options.database, options.now(), options.stuckAfterMs);
    for (const gauge of [pending, stuck, stuckFor]) gauge.reset();
    for (const row of rows) {
      const labels = { resource_type: row.kind, is_delete: String(row.deleting) };
      pending.set(labels, row.pending);
      stuck.set(labels, row.stuck);
      stuckFor.set(labels, row.seconds);
    }
  };

  return {
    requestServed(method, path, code, seconds) {
      const labels = { method, path, code: String(code) };
      requests.inc(labels);
      durations.observe(labels, seconds);
    },
    reconciliationStarted: (kind, deleting) => started.inc({ resource_type: kind, is_delete: String(deleting) }),
    queryServed(seconds, failed) {
      queries.observe(seconds);
      if (failed) failures.inc();
    },
    async render() {
      await refresh();
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
  };
}
