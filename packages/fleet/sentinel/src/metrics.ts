import { MetricSet } from '@hypershift-ts/fleet-serving';
import type { SentinelConfig } from './config/sentinel-config.ts';

/** What a Sentinel counts. */
export class SentinelMetrics {
  private readonly set: MetricSet;

  constructor({ resource_type, resource_selector }: SentinelConfig, version: string) {
    const selector = resource_selector.map(({ label, value }) => `${label}:${value}`).join(',') || 'all';
    const base = { component: 'sentinel', version, resource_type, resource_selector: selector };
    this.set = new MetricSet('hyperfleet_sentinel_', base);
  }

  published(reason: string): void {
    this.set.count('events_published_total', { reason });
  }
  skipped(reason: string): void {
    this.set.count('resources_skipped_total', { reason });
  }
  apiError(error_type: 'fetch_error' | 'auth_error'): void {
    this.set.count('api_errors_total', { error_type });
  }
  brokerError(): void {
    this.set.count('broker_errors_total', { error_type: 'publish_error' });
  }

  polled(seconds: number, pending: number, at: number): void {
    this.set.observe('poll_duration_seconds', seconds);
    this.set.set('pending_resources', pending);
    this.set.set('last_successful_poll_timestamp_seconds', at);
  }

  text(): string {
    return this.set.text();
  }
}
