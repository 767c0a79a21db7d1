import { randomUUID } from 'node:crypto';
import type { CloudEvent } from '@hypershift-ts/fleet-cloud-events';
import { type Clock, errorMessage, systemClock } from '@hypershift-ts/kube-apimachinery';
import { type Client, type Random, RestMapper } from '@hypershift-ts/kube-client';
import { type Logger, silentLogger, WorkQueue } from '@hypershift-ts/kube-controller';
import { acceptsSpec } from '../protocol/acceptance.ts';
import { hubHash } from '../protocol/identity.ts';
import { bundleStatusOf } from '../protocol/payloads.ts';
import { answerStatusResync, encodeResync, heldHashes } from '../protocol/resync.ts';
import { SequenceIds } from '../protocol/sequence-id.ts';
import { statusHash } from '../protocol/status-hash.ts';
import { decodeWorkEvent, encodeWorkEvent, type WorkEvent, workEventType } from '../protocol/work-event.ts';
import type { ManifestWorkStatus } from '../work/manifest-work.ts';
import type { AgentTransport } from './agent-transport.ts';
import { type HeldWork, receive } from './held-work.ts';
import { removalPollMs } from './removal.ts';
import { hasChanged, passOver, type WorkCluster } from './work-pass.ts';

export interface WorkAgentOptions {
  readonly client: Client;
  readonly transport: AgentTransport;
  /** The cluster's name at the server. */
  readonly consumer: string;
  /** What the agent calls itself in its events. */
  readonly agentId: string;
  /** Where the hub is: part of the names of what the agent keeps on the cluster, so it must not change. */
  readonly hubAddress: string;
  readonly clock?: Clock;
  readonly random?: Random;
  readonly logger?: Logger;
  /** How often the objects of a work are looked at. Default 10 s. */
  readonly statusSyncMs?: number;
}

/** A work is applied again after this long even when nobody changed it, against what others did to its objects. */
const applyAgainMs = 240_000;
const workers = 10;
const firstBackOffMs = 100;
const longestBackOffMs = 300_000;

/** Applies the works of one cluster and reports how they are. Holds them in memory: the server sends all of them again. */
export class WorkAgent {
  private readonly options: WorkAgentOptions;
  private readonly clock: Clock;
  private readonly random: Random;
  private readonly log: Logger;
  private readonly cluster: WorkCluster;
  private readonly sequence: SequenceIds;
  private readonly works = new Map<string, HeldWork>();
  /** When a work is to be applied again; before that its objects are only looked at. */
  private readonly applyAt = new Map<string, number>();
  private readonly queue: WorkQueue;
  private readonly active = new Set<Promise<void>>();

  constructor(options: WorkAgentOptions) {
    const { client, clock = systemClock, random = Math.random } = options;
    this.options = options;
    this.clock = clock;
    this.random = random;
    this.log = (options.logger ?? silentLogger).child({ part: 'work-agent', consumer: options.consumer });
    const hub = hubHash(options.hubAddress);
    this.cluster = {
      name: options.consumer,
      client,
      mapper: new RestMapper(client),
      hub: { hubHash: hub, agentId: hub },
    };
    this.sequence = new SequenceIds(clock);
    this.queue = new WorkQueue({
      clock,
      random,
      rateLimit: { baseMs: firstBackOffMs, maxMs: longestBackOffMs },
      onReady: () => this.pump(),
    });
  }

  /** Works until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { transport, consumer } = this.options;
    try {
      await transport.subscribe(
        consumer,
        { onEvent: (event) => this.take(event), onSubscribed: () => void this.askForSpecs() },
        signal,
      );
    } finally {
      this.queue.close();
      await Promise.all(this.active);
    }
  }

  /** How many works there are, for status. */
  get size(): number {
    return this.works.size;
  }

  private take(event: CloudEvent): void {
    try {
      const { subresource, action } = workEventType(event.type);
      if (subresource === 'status') {
        if (action === 'resync_request') void this.answerStatuses(event);
        return;
      }
      this.receiveSpec(decodeWorkEvent(event));
    } catch (error) {
      this.log.warn({ event: event.id, type: event.type, err: error }, 'an event is dropped');
    }
  }

  private receiveSpec(event: WorkEvent): void {
    if (event.consumer !== this.options.consumer) return;
    const known = this.works.get(event.resourceId);
    const isDeletion = event.deletionTimestamp !== undefined;
    if (!acceptsSpec({ version: event.version, isDeletion }, known?.version)) return;
    this.works.set(event.resourceId, receive(event, known));
    this.applyAt.set(event.resourceId, 0);
    this.queue.forget(event.resourceId);
    this.queue.add(event.resourceId);
  }

  private pump(): void {
    while (this.active.size < workers) {
      const taken = this.queue.take();
      if (!taken) return;
      const work = this.work(taken.key).finally(() => {
        this.queue.done(taken.key);
        this.active.delete(work);
        this.pump();
      });
      this.active.add(work);
    }
  }

  /** One look at a work: applied when it is time, otherwise only observed. */
  private async work(id: string): Promise<void> {
    const work = this.works.get(id);
    if (!work) return;
    try {
      const isDue = this.clock.now() >= (this.applyAt.get(id) ?? 0);
      const pass = await passOver(this.cluster, work, isDue, this.now());
      if (hasChanged(work.status, pass.status) && !(await this.report(work, pass.status))) return;
      if (pass.isOver) return this.forget(id, work);
      if (isDue && !pass.hasFailed) this.applyAt.set(id, this.clock.now() + applyAgainMs * (1 + this.random() / 2));
      if (pass.hasFailed) this.queue.addRateLimited(id);
      else this.queue.forget(id);
      this.queue.addAfter(id, pass.isWaiting ? removalPollMs : this.lookAgainMs());
    } catch (error) {
      const retryInMs = this.queue.addRateLimited(id);
      this.log.warn({ work: id, err: error, retryInMs }, 'a work could not be looked at');
    }
  }

  private lookAgainMs(): number {
    return (this.options.statusSyncMs ?? 10_000) * (1 + 0.9 * this.random());
  }

  /** Sends a status; false when the work has changed meanwhile, so that what was seen is of an older one. */
  private async report(work: HeldWork, status: ManifestWorkStatus): Promise<boolean> {
    const current = this.works.get(work.id);
    if (!current || current.version !== work.version || current.isDeleting !== work.isDeleting) {
      this.queue.add(work.id);
      return false;
    }
    await this.publishStatus({ ...work, status }, 'update_request');
    const after = this.works.get(work.id);
    if (after) this.works.set(work.id, { ...after, status });
    return true;
  }

  /** A deletion that came while another incarnation was reported must not take the newcomer with it. */
  private forget(id: string, work: HeldWork): void {
    if (this.works.get(id)?.version !== work.version) return;
    this.works.delete(id);
    this.applyAt.delete(id);
    this.queue.forget(id);
  }

  private publishStatus(work: HeldWork, action: 'update_request' | 'resync_response'): Promise<void> {
    const event: WorkEvent = {
      subresource: 'status',
      action,
      source: this.options.agentId,
      resourceId: work.id,
      version: work.version,
      consumer: this.options.consumer,
      originalSource: work.source,
      sequenceId: this.sequence.next(),
      statusHash: statusHash(work.status),
      metadata: work.metadata,
      data: bundleStatusOf(work.status),
    };
    return this.options.transport.publish(encodeWorkEvent(event, randomUUID(), this.now()));
  }

  private async askForSpecs(): Promise<void> {
    const resourceVersions = [...this.works.values()].map(({ id, version }) => ({
      resourceID: id,
      resourceVersion: version,
    }));
    const { agentId: source, consumer, transport } = this.options;
    const request = { subresource: 'spec', source, consumer, data: { resourceVersions } } as const;
    try {
      await transport.publish(encodeResync(request, randomUUID(), this.now()));
    } catch (error) {
      this.log.warn({ err: errorMessage(error) }, 'the works could not be asked for');
    }
  }

  private async answerStatuses(event: CloudEvent): Promise<void> {
    try {
      const known = [...this.works.values()].map(({ id, status }) => ({ id, statusHash: statusHash(status) }));
      for (const id of answerStatusResync(known, heldHashes(event))) {
        const work = this.works.get(id);
        if (work?.status.conditions) await this.publishStatus(work, 'resync_response');
      }
    } catch (error) {
      this.log.warn({ event: event.id, err: error }, 'a question for statuses is not answered');
    }
  }

  /** To the second, as conditions have it. */
  private now(): string {
    return new Date(this.clock.now()).toISOString().replace(/\.\d+Z$/, 'Z');
  }
}
