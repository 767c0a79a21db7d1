import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { RequestInfo } from '../request/request-info.ts';

/** The request metrics dashboards and alerts of Kubernetes look for, under their upstream names. */
export class RequestMetrics {
  private readonly total: Counter<'verb' | 'group' | 'version' | 'resource' | 'subresource' | 'scope' | 'code'>;
  private readonly duration: Histogram<'verb' | 'group' | 'version' | 'resource' | 'subresource' | 'scope'>;
  readonly watchers: Gauge<'group' | 'version' | 'resource'>;

  private readonly isServed: (info: RequestInfo) => boolean;

  /** `isServed` keeps made-up resource names of bad requests from becoming labels. */
  constructor(registry: Registry, isServed: (info: RequestInfo) => boolean) {
    this.isServed = isServed;
    const registers = [registry];
    this.total = new Counter({
      name: 'apiserver_request_total',
      help: 'Requests answered, by verb, resource and HTTP code.',
      labelNames: ['verb', 'group', 'version', 'resource', 'subresource', 'scope', 'code'],
      registers,
    });
    this.duration = new Histogram({
      name: 'apiserver_request_duration_seconds',
      help: 'Time from arrival to the end of the answer, watches left out.',
      labelNames: ['verb', 'group', 'version', 'resource', 'subresource', 'scope'],
      buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 1, 5, 30, 60],
      registers,
    });
    this.watchers = new Gauge({
      name: 'apiserver_longrunning_requests',
      help: 'Watches under way, by resource.',
      labelNames: ['group', 'version', 'resource'],
      registers,
    });
  }

  observe(info: RequestInfo, code: number, ms: number): void {
    const known = !info.isResource || this.isServed(info);
    const labels = {
      verb: info.verb.toUpperCase(),
      group: known ? info.group : '',
      version: known ? info.version : '',
      resource: known ? info.resource : '',
      subresource: known ? info.subresource : '',
      scope: known ? scopeOf(info) : '',
    };
    this.total.inc({ ...labels, code: String(code) });
    if (info.verb !== 'watch') this.duration.observe(labels, ms / 1000);
  }
}

function scopeOf(info: RequestInfo): string {
  if (!info.isResource) return '';
  if (info.name !== '') return 'resource';
  return info.namespace === '' ? 'cluster' : 'namespace';
}
