import type { CloudEvent } from '@hypershift-ts/fleet-cloud-events';
import type { Publisher } from '@hypershift-ts/fleet-broker';
import type { Clock, JsonObject } from '@hypershift-ts/kube-apimachinery';
import { delay, errorMessage, parseGoDuration, systemClock } from '@hypershift-ts/kube-apimachinery';
import type { ResourceList } from './api/resource-list.ts';
import { ListError } from './api/resource-list.ts';
import type { SentinelConfig } from './config/sentinel-config.ts';
import { SentinelExpressions } from './decision/expressions.ts';
import { idOf, PublishedGenerations } from './decision/published-generations.ts';
import { SentinelMetrics } from './metrics.ts';
import { uuidV7 } from './uuid-v7.ts';

export type SentinelLog = (level: 'debug' | 'info' | 'warning' | 'error', message: string, fields?: JsonObject) => void;

export interface SentinelOptions {
  readonly config: SentinelConfig;
  readonly list: ResourceList;
  readonly publisher: Publisher;
  readonly clock?: Clock;
  readonly log?: SentinelLog;
  /** Publish a generation that was not published yet without waiting for the debounce; default true. */
  readonly generationAware?: boolean;
  readonly version?: string;
}

export interface PollReport {
  readonly seen: number;
  readonly published: number;
  readonly failed: number;
}

const source = 'hyperfleet-sentinel';

/** Polls the API and publishes an event for every resource that its decision selects. Keeps no state that matters. */
export class Sentinel {
  readonly metrics: SentinelMetrics;
  private readonly options: SentinelOptions;
  private readonly clock: Clock;
  private readonly expressions: SentinelExpressions;
  private readonly generations = new PublishedGenerations();
  private lastSuccess: number | undefined;

  /** Throws `ConfigError` when an expression does not compile. */
  constructor(options: SentinelOptions) {
    this.options = options;
    this.clock = options.clock ?? systemClock;
    const { config } = options;
    this.expressions = new SentinelExpressions(config.message_decision, config.message_data, this.clock);
    this.metrics = new SentinelMetrics(config, options.version ?? '0.0.0');
  }

  /** Polls until the signal is aborted. A poll that fails is reported and tried again at the next interval. */
  async run(signal: AbortSignal): Promise<void> {
    const interval = parseGoDuration(this.options.config.poll_interval) ?? 5000;
    while (!signal.aborted) {
      try {
        await this.poll(signal);
      } catch (error) {
        if (signal.aborted) return;
        this.options.log?.('error', `poll failed: ${errorMessage(error)}`);
      }
      await delay(this.clock, interval, signal);
    }
  }

  /** Looks at every resource once. Throws `ListError` when they could not all be read. */
  async poll(signal?: AbortSignal): Promise<PollReport> {
    const started = this.clock.now();
    const ids = new Set<string>();
    let [seen, published, failed] = [0, 0, 0];
    try {
      for await (const resource of this.options.list.resources(signal)) {
        seen++;
        ids.add(idOf(resource));
        const outcome = await this.consider(resource);
        if (outcome === 'published') published++;
        else if (outcome === 'failed') failed++;
      }
    } catch (error) {
      if (error instanceof ListError) this.metrics.apiError(error.kind);
      throw error;
    }
    this.generations.keepOnly(ids);
    this.lastSuccess = this.clock.now();
    this.metrics.polled((this.lastSuccess - started) / 1000, published + failed, this.lastSuccess / 1000);
    return { seen, published, failed };
  }

  private async consider(resource: JsonObject): Promise<'published' | 'skipped' | 'failed'> {
    const isAware = this.options.generationAware ?? true;
    const decision = this.expressions.decide(resource, isAware ? this.generations.view : undefined);
    if (!decision.publish) {
      if (decision.error !== undefined)
        this.options.log?.('warning', `no decision about ${idOf(resource)}: ${decision.error}`);
      this.metrics.skipped(decision.reason);
      return 'skipped';
    }
    try {
      await this.options.publisher.publish(
        this.options.config.clients.broker.topic,
        this.event(resource, decision.reason),
      );
    } catch (error) {
      this.metrics.brokerError();
      this.options.log?.('error', `the event for ${idOf(resource)} was not published: ${errorMessage(error)}`);
      return 'failed';
    }
    this.generations.record(resource);
    this.metrics.published(decision.reason);
    return 'published';
  }

  private event(resource: JsonObject, reason: string): CloudEvent {
    const kind = typeof resource['kind'] === 'string' ? resource['kind'].toLowerCase() : 'resource';
    return {
      id: uuidV7(this.clock.now()),
      source,
      type: `com.redhat.hyperfleet.${kind}.reconcile`,
      datacontenttype: 'application/json',
      extensions: {},
      data: this.expressions.message(resource, reason, (path, why) =>
        this.options.log?.('warning', `message_data.${path} of ${idOf(resource)} is left out: ${why}`),
      ),
    };
  }

  /** For `/healthz`: no poll succeeded for three intervals. */
  get isStale(): boolean {
    const interval = parseGoDuration(this.options.config.poll_interval) ?? 5000;
    return this.lastSuccess !== undefined && this.clock.now() - this.lastSuccess > 3 * interval;
  }

  /** For `/readyz`. */
  async readiness(): Promise<{
    readonly status: 'ok' | 'not_ready';
    readonly checks: Readonly<Record<string, string>>;
  }> {
    const broker = await this.options.publisher.health();
    const isPolled = this.lastSuccess !== undefined && !this.isStale;
    return {
      status: broker.healthy && isPolled ? 'ok' : 'not_ready',
      checks: { broker: broker.healthy ? 'ok' : (broker.message ?? 'error'), sentinel_poll: isPolled ? 'ok' : 'stale' },
    };
  }
}
