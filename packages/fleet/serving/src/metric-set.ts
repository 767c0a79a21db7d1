export type Labels = Readonly<Record<string, string>>;

const BUCKETS = [0.1, 0.5, 1, 2, 5, 10, 30, 60, 120];

interface Histogram {
  readonly labels: Labels;
  readonly buckets: number[];
  count: number;
  sum: number;
}

type Kind = 'counter' | 'gauge';

/** Numbers about a service, written as Prometheus reads them. */
export class MetricSet {
  private readonly prefix: string;
  private readonly base: Labels;
  private readonly kinds = new Map<string, Kind>();
  private readonly samples = new Map<string, Map<string, { readonly labels: Labels; value: number }>>();
  private readonly histograms = new Map<string, Map<string, Histogram>>();

  /** Every name gets the prefix, every sample the labels. */
  constructor(prefix: string, base: Labels) {
    this.prefix = prefix;
    this.base = base;
  }

  /** Adds to a counter. */
  count(name: string, labels: Labels = {}, by = 1): void {
    const sample = this.sample(name, 'counter', labels);
    sample.value += by;
  }

  /** Sets a gauge. */
  set(name: string, value: number, labels: Labels = {}): void {
    this.sample(name, 'gauge', labels).value = value;
  }

  /** Adds to a gauge. */
  add(name: string, by: number, labels: Labels = {}): void {
    this.sample(name, 'gauge', labels).value += by;
  }

  /** Adds a duration in seconds to a histogram. */
  observe(name: string, seconds: number, labels: Labels = {}): void {
    const family = this.histograms.get(name) ?? new Map<string, Histogram>();
    this.histograms.set(name, family);
    const key = JSON.stringify(labels);
    const histogram = family.get(key) ?? { labels, buckets: BUCKETS.map(() => 0), count: 0, sum: 0 };
    family.set(key, histogram);
    BUCKETS.forEach((most, i) => {
      if (seconds <= most) histogram.buckets[i] = histogram.buckets[i]! + 1;
    });
    histogram.count++;
    histogram.sum += seconds;
  }

  text(): string {
    const lines: string[] = [];
    for (const [name, family] of this.samples) {
      lines.push(`# TYPE ${this.prefix}${name} ${this.kinds.get(name)}`);
      for (const { labels, value } of family.values()) lines.push(this.line(name, labels, value));
    }
    for (const [name, family] of this.histograms) {
      lines.push(`# TYPE ${this.prefix}${name} histogram`);
      for (const { labels, buckets, count, sum } of family.values()) {
        BUCKETS.forEach((most, i) =>
          lines.push(this.line(`${name}_bucket`, { ...labels, le: String(most) }, buckets[i]!)),
        );
        lines.push(this.line(`${name}_bucket`, { ...labels, le: '+Inf' }, count));
        lines.push(this.line(`${name}_sum`, labels, sum), this.line(`${name}_count`, labels, count));
      }
    }
    return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
  }

  private sample(name: string, kind: Kind, labels: Labels): { readonly labels: Labels; value: number } {
    this.kinds.set(name, kind);
    const family = this.samples.get(name) ?? new Map<string, { labels: Labels; value: number }>();
    this.samples.set(name, family);
    const key = JSON.stringify(labels);
    let sample = family.get(key);
    if (!sample) family.set(key, (sample = { labels, value: 0 }));
    return sample;
  }

  private line(name: string, labels: Labels, value: number): string {
    const all = Object.entries({ ...this.base, ...labels }).map(([key, text]) => `${key}="${escaped(text)}"`);
    return `${this.prefix}${name}{${all.join(',')}} ${value}`;
  }
}

function escaped(text: string): string {
  return text.replace(/[\\"\n]/g, (char) => (char === '\n' ? '\\n' : `\\${char}`));
}
