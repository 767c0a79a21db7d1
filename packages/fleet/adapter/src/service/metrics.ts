import { MetricSet } from '@hypershift-ts/fleet-serving';
import type { RunResult } from '../run/run.ts';

/** What an adapter counts. */
export class AdapterMetrics {
  private readonly set: MetricSet;

  constructor(component: string, version: string) {
    this.set = new MetricSet('hyperfleet_adapter_', { component, version });
    this.set.set('build_info', 1);
    this.set.set('up', 1);
  }

  stopped(): void {
    this.set.set('up', 0);
  }

  processed(result: RunResult, seconds: number): void {
    const status = result.status === 'failed' ? 'failed' : result.skipReason === undefined ? 'success' : 'skipped';
    this.set.count('events_processed_total', { status });
    this.set.observe('event_processing_duration_seconds', seconds);
    for (const phase of Object.keys(result.errors)) this.set.count('errors_total', { error_type: phase });
    for (const { operation, kind, status: outcome } of result.resources) {
      if (operation !== 'delete' || kind === undefined) continue;
      this.set.count('resources_deleted_total', {
        resource_type: kind,
        status: outcome === 'success' ? 'success' : 'error',
      });
    }
  }

  text(): string {
    return this.set.text();
  }
}
