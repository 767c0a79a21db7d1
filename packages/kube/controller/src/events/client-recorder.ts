import type { Clock, KubeObject, ResourceType } from '@hypershift-ts/kube-apimachinery';
import { delay, formatTime, isNotFound, StatusError, systemClock } from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';
import type { Logger } from '../logger.ts';
import { silentLogger } from '../logger.ts';
import type { Occurrence } from './event-correlator.ts';
import { EventCorrelator } from './event-correlator.ts';
import type { EventRecorder } from './event-recorder.ts';

export interface ClientRecorderOptions {
  readonly client: Client;
  /** Who says it: `source.component` and `reportingComponent`. */
  readonly component: string;
  readonly host?: string;
  readonly clock?: Clock;
  readonly log?: Logger;
}

interface CoreEvent extends KubeObject {
  readonly involvedObject: object;
  readonly reason: string;
  readonly message: string;
  readonly type: string;
  readonly source: object;
  readonly firstTimestamp: string;
  readonly lastTimestamp: string;
  readonly count: number;
  readonly reportingComponent: string;
  readonly reportingInstance: string;
}

const events: ResourceType<CoreEvent> = {
  group: '',
  version: 'v1',
  kind: 'Event',
  resource: 'events',
  namespaced: true,
};

const maxQueued = 1000;
const attempts = 5;
const retryMs = 10_000;

interface Pending {
  readonly about: KubeObject;
  readonly occurrence: Occurrence;
  readonly atMs: number;
}

/** Writes core/v1 Events in the background, one at a time, aggregated and limited as client-go does it. */
export class ClientEventRecorder implements EventRecorder {
  private readonly client: Client;
  private readonly component: string;
  private readonly host: string;
  private readonly clock: Clock;
  private readonly log: Logger;
  private readonly correlator: EventCorrelator;
  private readonly queue: (Pending | { readonly gone: string })[] = [];
  private readonly stopper = new AbortController();
  private draining: Promise<void> | undefined;
  private sequence = 0;

  constructor(options: ClientRecorderOptions) {
    this.client = options.client;
    this.component = options.component;
    this.host = options.host ?? '';
    this.clock = options.clock ?? systemClock;
    this.log = options.log ?? silentLogger;
    this.correlator = new EventCorrelator(this.clock);
  }

  normal(about: KubeObject, reason: string, message: string): void {
    this.enqueue(about, 'Normal', reason, message);
  }

  warning(about: KubeObject, reason: string, message: string): void {
    this.enqueue(about, 'Warning', reason, message);
  }

  /** The object is gone: what was said about it need not be remembered any longer. */
  forget(about: KubeObject): void {
    const object = identityOf(about);
    // What waits to be written about it would only be remembered again.
    if (this.queue.length > 0) this.queue.push({ gone: object });
    else this.correlator.forget(object);
  }

  /** Resolves when everything recorded so far was written or given up. */
  async flush(): Promise<void> {
    await this.draining;
  }

  /** Gives up what is still waiting and writes nothing more. */
  async close(): Promise<void> {
    this.queue.length = 0;
    this.stopper.abort();
    await this.draining;
  }

  private enqueue(about: KubeObject, type: 'Normal' | 'Warning', reason: string, message: string): void {
    if (this.stopper.signal.aborted) return;
    if (this.queue.length >= maxQueued) {
      this.log.warn({ reason, object: about.metadata.name }, 'too many events at once; one was dropped');
      return;
    }
    const object = identityOf(about);
    // The API refuses longer messages.
    const text = message.length > 1024 ? `${message.slice(0, 1021)}...` : message;
    this.queue.push({ about, occurrence: { object, type, reason, message: text }, atMs: this.clock.now() });
    this.draining ??= this.drain().finally(() => {
      this.draining = undefined;
    });
  }

  private async drain(): Promise<void> {
    // Lets the caller finish first: recording must not slow a reconcile down.
    await Promise.resolve();
    for (let pending = this.queue.shift(); pending; pending = this.queue.shift()) {
      if ('gone' in pending) {
        this.correlator.forget(pending.gone);
        continue;
      }
      const verdict = this.correlator.judge(pending.occurrence);
      if (verdict.action === 'drop') continue;
      await this.persist(() => this.write(pending, verdict), pending);
    }
  }

  private async write(pending: Pending, verdict: Exclude<ReturnType<EventCorrelator['judge']>, { action: 'drop' }>) {
    const { occurrence, about } = pending;
    const { message } = verdict;
    const namespace = about.metadata.namespace ?? 'default';
    if (verdict.action === 'count') {
      const { name, count } = verdict.written;
      try {
        const body = { count: count + 1, lastTimestamp: formatTime(pending.atMs), message };
        await this.client.patch(events, { namespace, name }, { type: 'merge', body }, { signal: this.stopper.signal });
        this.correlator.remember(occurrence, message, { name, count: count + 1 });
        return;
      } catch (error) {
        // Events expire after an hour: begin a new one.
        if (!isNotFound(error)) throw error;
        this.correlator.remember(occurrence, message, undefined);
      }
    }
    const made = await this.client.create(events, this.newEvent(pending, message), { signal: this.stopper.signal });
    this.correlator.remember(occurrence, message, { name: made.metadata.name ?? '', count: 1 });
  }

  private newEvent({ about, occurrence, atMs }: Pending, message: string) {
    const { namespace, name, uid, resourceVersion } = about.metadata;
    const time = formatTime(atMs);
    return {
      metadata: {
        name: `${name}.${(BigInt(atMs) * 1_000_000n + BigInt(this.sequence++ % 1_000_000)).toString(16)}`,
        namespace: namespace ?? 'default',
      },
      involvedObject: { apiVersion: about.apiVersion, kind: about.kind, namespace, name, uid, resourceVersion },
      reason: occurrence.reason,
      message,
      type: occurrence.type,
      source: { component: this.component, ...(this.host ? { host: this.host } : {}) },
      firstTimestamp: time,
      lastTimestamp: time,
      count: 1,
      reportingComponent: this.component,
      reportingInstance: this.host,
    };
  }

  /** Tries again when the server cannot be reached; what the server refused is not worth repeating. */
  private async persist(write: () => Promise<void>, { occurrence }: Pending): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await write();
      } catch (error) {
        if (this.stopper.signal.aborted) return;
        const refused = error instanceof StatusError && error.code < 500 && error.code !== 429;
        if (refused || attempt >= attempts) {
          this.log.debug({ err: error, reason: occurrence.reason }, 'an event could not be written');
          return;
        }
        await delay(this.clock, retryMs, this.stopper.signal);
      }
    }
  }
}

/** Names repeat and uids do not; what has none (yet) is known by all its names. */
function identityOf({ apiVersion, kind, metadata }: KubeObject): string {
  const { uid, namespace = '', name = '' } = metadata;
  return uid || [apiVersion, kind, namespace, name].join('/');
}
