import type { SentinelConfig } from './config/sentinel-config.ts';

const prefix = 'hyperfleet_sentinel_';
const BUCKETS = [0.1, 0.5, 1, 2, 5, 10, 30, 60, 120];

type Labels = Readonly<Record<string, string>>;

/** Counts what a Sentinel does and writes it as Prometheus reads it. */
export class SentinelMetrics {
  private readonly base: Labels;
  private readonly counters = new Map<string, number>();
  private readonly buckets = BUCKETS.map(() => 0);
  private pending = 0;
  private lastPoll = 0;
  private polls = { count: 0, seconds: 0 };

  constructor({ resource_type, resource_selector }: SentinelConfig, version: string) {
    const selector = resource_selector.map(({ label, value }) => `${label}:${value}`).join(',') || 'all';
    this.base = { component: 'sentinel', version, resource_type, resource_selector: selector };
  }

  published(reason: string): void {
    this.add('events_published_total', { reason });
  }
  skipped(reason: string): void {
    this.add('resources_skipped_total', { reason });
  }
  apiError(error_type: 'fetch_error' | 'auth_error'): void {
    this.add('api_errors_total', { error_type });
  }
  brokerError(): void {
    this.add('broker_errors_total', { error_type: 'publish_error' });
  }

  polled(seconds: number, pending: number, at: number): void {
    this.polls = { count: this.polls.count + 1, seconds: this.polls.seconds + seconds };
    BUCKETS.forEach((most, i) => {
      if (seconds <= most) this.buckets[i] = this.buckets[i]! + 1;
    });
    this.pending = pending;
    this.lastPoll = at;
  }

  text(): string {
    const lines = [
      ...this.family('pending_resources', 'gauge', [['', {}, this.pending]]),
      ...['events_published_total', 'resources_skipped_total', 'api_errors_total', 'broker_errors_total'].flatMap(
        (name) => this.family(name, 'counter', this.samplesOf(name)),
      ),
      ...this.family('poll_duration_seconds', 'histogram', [
        ...BUCKETS.map((most, i) => ['_bucket', { le: String(most) }, this.buckets[i]!] as const),
        ['_bucket', { le: '+Inf' }, this.polls.count],
        ['_sum', {}, this.polls.seconds],
        ['_count', {}, this.polls.count],
      ]),
      ...this.family('last_successful_poll_timestamp_seconds', 'gauge', [['', {}, this.lastPoll]]),
    ];
    return `${lines.join('\n')}\n`;
  }

  private add(name: string, labels: Labels): void {
    const key = JSON.stringify([name, labels]);
    this.counters.set(key, (this.counters.get(key) ?? 0) + 1);
  }

  private samplesOf(name: string): (readonly [string, Labels, number])[] {
    return [...this.counters].flatMap(([key, value]) => {
      const [of, labels] = JSON.parse(key) as [string, Labels];
      return of === name ? [['', labels, value] as const] : [];
    });
  }

  private family(name: string, type: string, samples: readonly (readonly [string, Labels, number])[]): string[] {
    if (samples.length === 0) return [];
    return [
      `# TYPE ${prefix}${name} ${type}`,
      ...samples.map(
        ([suffix, labels, value]) => `${prefix}${name}${suffix}{${labelText({ ...this.base, ...labels })}} ${value}`,
      ),
    ];
  }
}

function labelText(labels: Labels): string {
  const escaped = (value: string): string => value.replace(/[\\"\n]/g, (char) => (char === '\n' ? '\\n' : `\\${char}`));
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${escaped(value)}"`)
    .join(',');
}
