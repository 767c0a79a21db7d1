/** Counts of one process end (server or agent) in the Prometheus text format, under upstream's names. */
export class Metrics {
  readonly #prefix: string;
  readonly #counters = new Map<string, Map<string, number>>();
  readonly #gauges = new Map<string, () => Readonly<Record<string, number>>>();
  readonly #histograms = new Map<string, { buckets: readonly number[]; counts: number[]; sum: number }>();

  constructor(subsystem: 'server' | 'agent') {
    this.#prefix = `konnectivity_network_proxy_${subsystem}_`;
  }

  /** `labels` as they are written between the braces. */
  count(name: string, labels: string): void {
    let series = this.#counters.get(name);
    if (!series) this.#counters.set(name, (series = new Map()));
    series.set(labels, (series.get(labels) ?? 0) + 1);
  }

  /** A gauge is asked for its values (by labels) when somebody reads, and costs nothing otherwise. */
  gauge(name: string, read: () => Readonly<Record<string, number>>): void {
    this.#gauges.set(name, read);
  }

  observe(name: string, buckets: readonly number[], seconds: number): void {
    let histogram = this.#histograms.get(name);
    if (!histogram) {
      histogram = { buckets, counts: Array.from({ length: buckets.length + 1 }, () => 0), sum: 0 };
      this.#histograms.set(name, histogram);
    }
    const found = buckets.findIndex((bound) => seconds <= bound);
    const index = found < 0 ? buckets.length : found;
    histogram.counts[index] = (histogram.counts[index] ?? 0) + 1;
    histogram.sum += seconds;
  }

  text(): string {
    const lines: string[] = [];
    const line = (name: string, labels: string, value: number) =>
      lines.push(`${this.#prefix}${name}${labels === '' ? '' : `{${labels}}`} ${value}`);
    for (const [name, series] of this.#counters) {
      lines.push(`# TYPE ${this.#prefix}${name} counter`);
      for (const [labels, value] of series) line(name, labels, value);
    }
    for (const [name, read] of this.#gauges) {
      lines.push(`# TYPE ${this.#prefix}${name} gauge`);
      for (const [labels, value] of Object.entries(read())) line(name, labels, value);
    }
    for (const [name, { buckets, counts, sum }] of this.#histograms) {
      lines.push(`# TYPE ${this.#prefix}${name} histogram`);
      let total = 0;
      for (const [index, count] of counts.entries()) {
        total += count;
        line(`${name}_bucket`, `le="${buckets[index] ?? '+Inf'}"`, total);
      }
      line(`${name}_sum`, '', sum);
      line(`${name}_count`, '', total);
    }
    return `${lines.join('\n')}\n`;
  }
}
