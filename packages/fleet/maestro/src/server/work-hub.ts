import { randomUUID } from 'node:crypto';
import type { CloudEvent } from '@hypershift-ts/fleet-cloud-events';
import { type Database, isForeignKeyViolation, isUniqueViolation, type Queryable } from '@hypershift-ts/fleet-database';
import { type Clock, systemClock } from '@hypershift-ts/kube-apimachinery';
import { type Logger, silentLogger } from '@hypershift-ts/kube-controller';
import { acceptsStatus, refusalOfUpdate } from '../protocol/acceptance.ts';
import type { BundleStatus, ManifestBundle } from '../protocol/payloads.ts';
import { answerSpecResync, heldHashes, heldVersions } from '../protocol/resync.ts';
import { hashOfNoStatus } from '../protocol/status-hash.ts';
import { decodeWorkEvent, encodeWorkEvent, type WorkEvent, workEventType } from '../protocol/work-event.ts';
import { type Bundle, saysDeleted, specEventOf, type StoredStatus, statusEventOf } from './bundle.ts';
import {
  bundlesOf,
  findBundle,
  insertBundle,
  markDeleted,
  removeBundle,
  storeStatus,
  updateBundle,
} from './bundle-rows.ts';
import { InTurn } from './in-turn.ts';
import { MaestroError } from './maestro-error.ts';
import { manifestProblems } from './manifest-rules.ts';
import { type ChangeType, noteChange, pendingChanges, settleChange } from './outbox.ts';
import { type Deliver, Subscribers } from './subscribers.ts';

export interface WorkHubOptions {
  readonly database: Database;
  /** What the server calls itself towards agents. */
  readonly serverId?: string;
  readonly clock?: Clock;
  readonly logger?: Logger;
}

/** Keeps the works of all sources, tells agents what their clusters should have, and sources what came of it. */
export class WorkHub {
  readonly database: Database;
  readonly serverId: string;
  private readonly clock: Clock;
  private readonly log: Logger;
  private readonly sources = new Subscribers();
  private readonly agents = new Subscribers();
  private readonly deliveries = new InTurn();

  constructor({ database, serverId = 'maestro', clock = systemClock, logger = silentLogger }: WorkHubOptions) {
    this.database = database;
    this.serverId = serverId;
    this.clock = clock;
    this.log = logger.child({ part: 'maestro' });
  }

  /** What a source wants: a new work, another content, an end, or all statuses again. */
  async fromSource(event: CloudEvent): Promise<void> {
    const { action } = workEventType(event.type);
    if (action === 'resync_request') return this.answerSource(event);
    const work = decodeWorkEvent(event);
    if (work.subresource !== 'spec') throw new MaestroError('badRequest', 'sources send events about specs');
    if (action === 'create_request') await this.create(work);
    else if (action === 'update_request') await this.update(work);
    else if (action === 'delete_request') await this.delete(work.resourceId);
    else throw new MaestroError('badRequest', `sources cannot ${action}`);
  }

  subscribeSource(source: string, deliver: Deliver): () => void {
    return this.sources.add(source, deliver);
  }

  /** What an agent says: how a work is, or what it holds. */
  async fromAgent(event: CloudEvent): Promise<void> {
    const { subresource, action } = workEventType(event.type);
    if (subresource === 'spec' && action === 'resync_request') return this.answerAgent(event);
    if (subresource !== 'status' || !['update_request', 'resync_response'].includes(action))
      throw new MaestroError('badRequest', `agents cannot send ${subresource}.${action}`);
    await this.takeStatus(decodeWorkEvent(event));
  }

  subscribeAgent(consumer: string, deliver: Deliver): () => void {
    const unsubscribe = this.agents.add(consumer, deliver);
    void this.deliver(consumer);
    return unsubscribe;
  }

  private async create(work: WorkEvent): Promise<void> {
    const data = contentOf(work);
    const bundle = {
      id: work.resourceId,
      source: work.source,
      consumer: work.consumer,
      version: work.version || 1,
      metadata: work.metadata ?? {},
      data,
    };
    try {
      await this.change(bundle.id, bundle.consumer, 'Create', (tx) => insertBundle(tx, bundle));
    } catch (error) {
      if (isUniqueViolation(error)) throw new MaestroError('alreadyExists', 'This Resource already exists');
      if (isForeignKeyViolation(error))
        throw new MaestroError(
          'notFound',
          `there is no consumer ${work.consumer} (violates foreign key constraint "fk_resources_consumers"); create it first`,
        );
      throw error;
    }
  }

  private async update(work: WorkEvent): Promise<void> {
    const data = contentOf(work);
    const { resourceId: id } = work;
    await this.change(id, work.consumer, 'Update', async (tx) => {
      const row = await locked(tx, id);
      if (row.source !== work.source)
        throw new MaestroError('forbidden', `the resource ${id} belongs to another source`);
      const refusal = refusalOfUpdate(work.version, { ...row, isDeleting: row.deletedAt !== undefined });
      if (refusal) throw new MaestroError('conflict', refusal);
      await updateBundle(tx, { id, version: row.version + 1, metadata: work.metadata ?? row.metadata, data });
    });
  }

  /** Marks a work for deletion; it is gone when its agent says so. Whether it was there does not matter. */
  async delete(id: string): Promise<void> {
    const row = await findBundle(this.database, id);
    if (!row) return;
    await this.database.transaction(async (tx) => {
      if (await markDeleted(tx, id)) await noteChange(tx, id, row.consumer, 'Delete');
    });
    void this.deliver(row.consumer);
  }

  private async change(
    id: string,
    consumer: string,
    type: ChangeType,
    write: (tx: Queryable) => Promise<void>,
  ): Promise<void> {
    await this.database.transaction(async (tx) => {
      await write(tx);
      await noteChange(tx, id, consumer, type);
    });
    void this.deliver(consumer);
  }

  /** Tells the agent of a consumer what it was not told yet. Without one, changes wait. */
  private async deliver(consumer: string): Promise<void> {
    try {
      await this.deliveries.run(consumer, async () => {
        while (this.agents.has(consumer)) {
          const changes = await pendingChanges(this.database, consumer);
          for (const change of changes) {
            const bundle = await findBundle(this.database, change.id);
            if (bundle && this.agents.has(consumer)) this.agents.send(consumer, this.specEvent(bundle, change.type));
            await settleChange(this.database, change);
          }
          if (changes.length === 0) return;
        }
      });
    } catch (error) {
      this.log.error({ consumer, err: error }, 'works could not be delivered; they are at the next change or resync');
    }
  }

  private specEvent(bundle: Bundle, type: ChangeType): CloudEvent {
    const action = bundle.deletedAt ? 'delete_request' : type === 'Create' ? 'create_request' : 'update_request';
    return specEventOf(bundle, this.serverId, action, randomUUID(), this.now());
  }

  private async answerAgent(event: CloudEvent): Promise<void> {
    const consumer = String(event.extensions['clustername'] ?? '');
    const bundles = await bundlesOf(this.database, 'consumer_name', consumer);
    const byId = new Map(bundles.map((bundle) => [bundle.id, bundle]));
    const stored = bundles.map(({ id, version, deletedAt }) => ({ id, version, isDeleting: deletedAt !== undefined }));
    const { send, forget } = answerSpecResync(stored, heldVersions(event));
    for (const id of send) {
      const bundle = byId.get(id);
      if (bundle)
        this.agents.send(consumer, specEventOf(bundle, this.serverId, 'resync_response', randomUUID(), this.now()));
    }
    for (const { id, version } of forget) {
      const gone: WorkEvent = {
        subresource: 'spec',
        action: 'resync_response',
        source: this.serverId,
        resourceId: id,
        version,
        consumer,
        deletionTimestamp: this.now(),
      };
      this.agents.send(consumer, encodeWorkEvent(gone, randomUUID(), this.now()));
    }
  }

  private async takeStatus(work: WorkEvent): Promise<void> {
    if (work.originalSource !== this.serverId)
      throw new MaestroError('badRequest', `the status is for ${work.originalSource}, not ${this.serverId}`);
    const data = (work.data ?? {}) as BundleStatus;
    const status: StoredStatus = {
      version: work.version,
      sequenceId: work.sequenceId ?? '',
      hash: work.statusHash ?? '',
      reporter: work.source,
      data,
    };
    const told = await this.database.transaction(async (tx) => {
      const row = await findBundle(tx, work.resourceId, true);
      // The end of a work that is no more, or a report that took the wrong way.
      if (!row) return undefined;
      if (row.consumer !== work.consumer)
        throw new MaestroError('badRequest', `${row.id} is a work of ${row.consumer}, not of ${work.consumer}`);
      if (saysDeleted(data)) {
        // Only what was to be deleted can be gone; an agent that lost its cluster must not take the spec with it.
        if (!row.deletedAt) return undefined;
        await removeBundle(tx, row.id);
        return row;
      }
      if (!acceptsStatus(status, { version: row.version, sequenceId: row.status?.sequenceId })) return undefined;
      await storeStatus(tx, row.id, status);
      return row;
    });
    if (told) this.sources.send(told.source, statusEventOf(told, this.serverId, status, randomUUID(), this.now()));
  }

  /** A source that was away hears what it says it does not know. */
  private async answerSource(event: CloudEvent): Promise<void> {
    const held = heldHashes(event);
    for (const bundle of await bundlesOf(this.database, 'source', event.source)) {
      const known = held.get(bundle.id);
      if (!bundle.status || (held.size > 0 && known === (bundle.status.hash || hashOfNoStatus))) continue;
      this.sources.send(event.source, statusEventOf(bundle, this.serverId, bundle.status, randomUUID(), this.now()));
    }
  }

  /** Waits until what was changed has been told to those who listen. */
  async settled(): Promise<void> {
    await this.deliveries.idle();
  }

  private now(): string {
    return new Date(this.clock.now()).toISOString();
  }
}

function contentOf({ data }: WorkEvent): ManifestBundle {
  if (typeof data !== 'object' || data === null || Array.isArray(data))
    throw new MaestroError('validation', 'the event has no data with manifests');
  const bundle = data as ManifestBundle;
  if (bundle.manifests !== undefined && !Array.isArray(bundle.manifests))
    throw new MaestroError('validation', 'manifests is no list');
  const problems = manifestProblems(bundle);
  if (problems.length > 0) throw new MaestroError('validation', problems.join('; '));
  return bundle;
}

async function locked(tx: Queryable, id: string): Promise<Bundle> {
  const row = await findBundle(tx, id, true);
  if (!row) throw new MaestroError('notFound', `there is no resource ${id}`);
  return row;
}
