import { Counter, Histogram, type Registry } from 'prom-client';
import type { RequestInfo } from '../request/request-info.ts';

const buckets = [0.001, 0.005, 0.025, 0.1, 0.5, 1, 5, 30, 60];
const labelNames = ['verb', 'group', 'version', 'resource', 'subresource', 'scope'] as const;
type Labels = Record<(typeof labelNames)[number], string>;

/** What was seen of one kind of request since the server started. */
interface Series {
  readonly labels: Labels;
  readonly byCode: Map<number, number>;
  /** Requests per bucket of `buckets`, the last one for slower ones. */
  readonly counts: number[];
  seconds: number;
}

/**
 * The request metrics dashboards and alerts of Kubernetes look for, under their upstream names. Every request is
 * counted in plain numbers; prom-client sees them only when somebody scrapes.
 */
export class RequestMetrics {
  private readonly series = new Map<string, Series>();
  private readonly isServed: (info: RequestInfo) => boolean;

  /** `isServed` keeps made-up resource names of bad requests from becoming labels. */
  constructor(registry: Registry, isServed: (info: RequestInfo) => boolean) {
    this.isServed = isServed;
    const { series } = this;
    registry.registerMetric(
      new Counter({
        name: 'apiserver_request_total',
        help: 'Requests answered, by verb, resource and HTTP code.',
        labelNames: [...labelNames, 'code'],
        registers: [],
        collect() {
          this.reset();
          for (const { labels, byCode } of series.values())
            for (const [code, count] of byCode) this.inc({ ...labels, code: String(code) }, count);
        },
      }),
    );
    registry.registerMetric(new DurationHistogram(series));
  }

  observe(info: RequestInfo, code: number, ms: number): void {
    const series = this.seriesOf(info);
    series.byCode.set(code, (series.byCode.get(code) ?? 0) + 1);
    if (info.verb === 'watch') return;
    const seconds = ms / 1000;
    let bucket = 0;
    while (bucket < buckets.length && seconds > buckets[bucket]!) bucket++;
    series.counts[bucket]!++;
    series.seconds += seconds;
  }

  private seriesOf(info: RequestInfo): Series {
    const { verb, group, version, resource, subresource } = info;
    const scope = scopeOf(info);
    const key = `${verb}/${group}/${version}/${resource}/${subresource}/${scope}`;
    const known = this.series.get(key);
    if (known) return known;
    const labels: Labels =
      !info.isResource || this.isServed(info)
        ? { verb: verb.toUpperCase(), group, version, resource, subresource, scope }
        : { verb: verb.toUpperCase(), group: '', version: '', resource: '', subresource: '', scope: '' };
    const made: Series = {
      labels,
      byCode: new Map(),
      counts: Array.from({ length: buckets.length + 1 }, () => 0),
      seconds: 0,
    };
    // Unknown resources share one series, whatever they call themselves.
    const shared = labels.resource === resource ? key : `${verb}/?`;
    const existing = this.series.get(shared);
    if (existing) return existing;
    this.series.set(shared, made);
    return made;
  }
}

/** A histogram whose numbers were counted elsewhere. */
class DurationHistogram extends Histogram<(typeof labelNames)[number]> {
  private readonly series: ReadonlyMap<string, Series>;

  constructor(series: ReadonlyMap<string, Series>) {
    super({
      name: 'apiserver_request_duration_seconds',
      help: 'Time from arrival to the end of the answer, watches left out.',
      labelNames: [...labelNames],
      buckets,
      registers: [],
    });
    this.series = series;
  }

  /** What the registry asks for when it prints text. */
  getForPromString() {
    return this.get();
  }

  override async get() {
    const metricName = 'apiserver_request_duration_seconds';
    const values = [...this.series.values()].flatMap(({ labels, counts, seconds }) => {
      let total = 0;
      const cumulative = counts.map((count, index) => {
        total += count;
        return {
          labels: { ...labels, le: buckets[index] ?? '+Inf' },
          value: total,
          metricName: `${metricName}_bucket`,
        };
      });
      return [
        ...cumulative,
        { labels, value: seconds, metricName: `${metricName}_sum` },
        { labels, value: total, metricName: `${metricName}_count` },
      ];
    });
    return {
      name: metricName,
      help: 'Time from arrival to the end of the answer, watches left out.',
      type: 'histogram',
      values,
      aggregator: 'sum',
    } as never;
  }
}

function scopeOf(info: RequestInfo): string {
  if (!info.isResource) return '';
  if (info.name !== '') return 'resource';
  return info.namespace === '' ? 'cluster' : 'namespace';
}
