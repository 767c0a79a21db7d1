import type { CloudEvent } from '@hypershift-ts/fleet-cloud-events';
import type { BrokerHealth, Subscriber, Verdict } from '@hypershift-ts/fleet-broker';
import type { Log } from '@hypershift-ts/fleet-serving';
import { errorMessage } from '@hypershift-ts/kube-apimachinery';
import type { LoadedAdapter } from '../config/load.ts';
import type { RunDependencies } from '../run/context.ts';
import type { AdapterEvent } from '../run/event.ts';
import { adapterEvent } from '../run/event.ts';
import { runTask } from '../run/run.ts';
import { AdapterMetrics } from './metrics.ts';

export interface AdapterServiceOptions extends Pick<RunDependencies, 'api' | 'transports' | 'env'> {
  readonly adapter: LoadedAdapter;
  readonly subscriber: Subscriber;
  readonly log?: Log;
  readonly version?: string;
  /** What one event may take; default two minutes. */
  readonly budgetMs?: number;
}

/**
 * Handles the events of a topic with one configuration. A run that failed for a reason that may pass is delivered
 * again after a while; one that failed for good is reported by its post actions and taken out of the way.
 */
export class AdapterService {
  readonly metrics: AdapterMetrics;
  private readonly options: AdapterServiceOptions;

  constructor(options: AdapterServiceOptions) {
    this.options = options;
    this.metrics = new AdapterMetrics(options.adapter.config.adapter.name, options.version ?? '0.0.0');
  }

  /** Begins to receive events. */
  async start(): Promise<void> {
    const topic = this.options.adapter.config.clients.broker?.topic;
    if (topic === undefined || topic === '')
      throw new Error('clients.broker.topic is not set; set it or HYPERFLEET_BROKER_TOPIC');
    await this.options.subscriber.subscribe(topic, (event) => this.handle(event));
  }

  /** Receives no more and waits for the runs under way. */
  async stop(): Promise<void> {
    await this.options.subscriber.close();
    this.metrics.stopped();
  }

  health(): Promise<BrokerHealth> {
    return this.options.subscriber.health();
  }

  /** Performs the run for one event. */
  async handle(event: CloudEvent): Promise<Verdict> {
    const { adapter, log, api, transports, env, budgetMs = 120_000 } = this.options;
    let given: AdapterEvent;
    try {
      given = adapterEvent(event);
    } catch (error) {
      log?.('error', `an event cannot be handled: ${errorMessage(error)}`, { event_id: event.id });
      return 'reject';
    }
    const { clock } = adapter.texts;
    const started = clock.now();
    const fields = { event_id: given.id, ...identityOf(given) };
    // A subscriber that closes lets runs end: what was begun is better finished than repeated.
    const budget = new AbortController();
    const cancel = clock.after(budgetMs, () => budget.abort(new Error(`the run took longer than ${budgetMs} ms`)));
    const result = await runTask(adapter, given, {
      api,
      transports,
      signal: budget.signal,
      ...(env ? { env } : {}),
      log: (level, message, more) => log?.(level, message, { ...fields, ...more }),
    });
    cancel();
    this.metrics.processed(result, (clock.now() - started) / 1000);
    log?.(
      'info',
      `event handled: ${result.status}${result.skipReason === undefined ? '' : ` (${result.skipReason})`}`,
      fields,
    );
    if (result.status === 'success') return 'ack';
    return result.retry === 'backoff' ? 'retry' : 'reject';
  }
}

function identityOf({ data }: AdapterEvent): Record<string, string> {
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  return { resource_type: text(data['kind']), resource_id: text(data['id']) };
}
