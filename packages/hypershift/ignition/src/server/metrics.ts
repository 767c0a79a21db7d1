import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** What the ignition server counts. Pools are named by their Secrets, so a caller cannot invent series. */
export interface IgnitionMetrics {
  readonly requests: Counter<'nodePool'>;
  readonly rotations: Counter;
  readonly misses: Counter;
  readonly generationSeconds: Histogram;
  /** Requests that got no payload, by reason; upstream writes an Event instead, which anybody could trigger. */
  readonly refusals: Counter<'reason'>;
}

/** Registers the metrics; `cached` is asked at every scrape. */
export function ignitionMetrics(registry: Registry, cached: () => number): IgnitionMetrics {
  const registers = [registry];
  const gauge = new Gauge({
    name: 'ign_server_payload_cache_total',
    help: 'Tokens whose payload is ready to be served.',
    registers,
    collect() {
      gauge.set(cached());
    },
  });
  return {
    requests: new Counter({
      name: 'ign_server_get_request',
      help: 'Payloads served, by pool.',
      labelNames: ['nodePool'],
      registers,
    }),
    rotations: new Counter({
      name: 'ign_server_token_rotation_total',
      help: 'Tokens replaced because of age.',
      registers,
    }),
    misses: new Counter({
      name: 'ign_server_payload_cache_miss_total',
      help: 'Payloads that had to be made.',
      registers,
    }),
    generationSeconds: new Histogram({
      name: 'ign_server_payload_generation_seconds',
      help: 'Time to make a payload.',
      buckets: [5, 15, 30, 45, 60],
      registers,
    }),
    refusals: new Counter({
      name: 'ign_server_refused_requests_total',
      help: 'Requests answered without a payload, by reason.',
      labelNames: ['reason'],
      registers,
    }),
  };
}
