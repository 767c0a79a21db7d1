import type { ManifestWork, SourceClient } from '@hypershift-ts/fleet-maestro';
import {
  isAlreadyExists,
  isConflict,
  jsonEqual,
  type KubeObject,
  type UnstructuredObject,
} from '@hypershift-ts/kube-apimachinery';
import { generationOf, newestOf, nextOperation } from './generation.ts';
import type { ApplyOutcome, ApplyRequest, DeleteRequest, DiscoveryQuery, Transport } from './transport.ts';

const mostConflicts = 5;
const lookAgainMs = 250;

/** Brings works to clusters far away, by way of a Maestro server. */
export class MaestroTransport implements Transport {
  private readonly client: Pick<SourceClient, 'get' | 'list' | 'create' | 'update' | 'delete'>;

  constructor(client: Pick<SourceClient, 'get' | 'list' | 'create' | 'update' | 'delete'>) {
    this.client = client;
  }

  async apply(request: ApplyRequest, signal?: AbortSignal): Promise<ApplyOutcome> {
    const consumer = consumerOf(request.targetCluster, request.manifest);
    const work = checked(request.manifest);
    for (let attempt = 1; ; attempt++) {
      const existing = await this.client.get(consumer, work.metadata.name ?? '', signal);
      if (existing?.metadata.deletionTimestamp)
        throw new Error(
          `the work ${work.metadata.name} for ${consumer} is still being deleted; it is made again when it is gone`,
        );
      const outcome = nextOperation(
        work as unknown as UnstructuredObject,
        existing as UnstructuredObject | undefined,
        request.recreateOnChange,
      );
      try {
        return await this.perform(outcome, consumer, work, existing, signal);
      } catch (error) {
        if (!isConflict(error) || attempt >= mostConflicts) throw error;
      }
    }
  }

  private async perform(
    outcome: ApplyOutcome,
    consumer: string,
    work: ManifestWork,
    existing: ManifestWork | undefined,
    signal: AbortSignal | undefined,
  ): Promise<ApplyOutcome> {
    if (outcome.operation === 'update' && existing) {
      const next = merged(existing, work);
      // Every update is applied on the cluster anew, so one that says nothing new is not sent.
      if (jsonEqual(next, existing)) return { operation: 'skip', reason: 'the work has this content already' };
      await this.client.update(consumer, next);
    } else if (outcome.operation === 'recreate') {
      await this.remove(consumer, work.metadata.name ?? '', signal);
      await this.client.create(consumer, work);
    } else if (outcome.operation === 'create') {
      try {
        await this.client.create(consumer, work);
      } catch (error) {
        if (!isAlreadyExists(error)) throw error;
        return { operation: 'skip', reason: 'the work was created by somebody else meanwhile' };
      }
    }
    return outcome;
  }

  async find(query: DiscoveryQuery, signal?: AbortSignal): Promise<UnstructuredObject | undefined> {
    const consumer = query.targetCluster ?? query.namespace;
    if (!consumer || consumer === '*') throw new Error('a work is looked for without naming the cluster it is for');
    if (query.name !== undefined)
      return (await this.client.get(consumer, query.name, signal)) as UnstructuredObject | undefined;
    const works = await this.client.list(consumer, query.labels, signal);
    return newestOf(works as unknown as readonly UnstructuredObject[]);
  }

  async delete({ object, targetCluster }: DeleteRequest): Promise<void> {
    await this.client.delete(consumerOf(targetCluster, object), object.metadata.name ?? '');
  }

  /** Deletes and waits until the cluster is cleaned up. */
  private async remove(consumer: string, name: string, signal: AbortSignal | undefined): Promise<void> {
    await this.client.delete(consumer, name);
    while (await this.client.get(consumer, name, signal)) {
      await new Promise((resolve) => setTimeout(resolve, lookAgainMs));
      signal?.throwIfAborted();
    }
  }
}

function consumerOf(targetCluster: string | undefined, { metadata }: KubeObject): string {
  const consumer = targetCluster ?? metadata.namespace;
  if (!consumer) throw new Error(`the work ${metadata.name} does not say which cluster it is for`);
  return consumer;
}

/** Updates are decided by generations, so a work or an object without one would never be updated. */
function checked(manifest: UnstructuredObject): ManifestWork {
  if (manifest.kind !== 'ManifestWork')
    throw new Error(`only a ManifestWork can go through maestro, not a ${manifest.kind}`);
  const work = manifest as unknown as ManifestWork;
  const all: readonly KubeObject[] = [work, ...(work.spec?.workload?.manifests ?? [])];
  for (const { kind, metadata } of all)
    if (generationOf({ metadata }) <= 0)
      throw new Error(`${kind} ${metadata?.name} needs the annotation hyperfleet.io/generation with a positive number`);
  return work;
}

/** Labels, annotations and the spec become what is wanted; everything else stays. */
function merged(existing: ManifestWork, { metadata, spec }: ManifestWork): ManifestWork {
  return {
    ...existing,
    metadata: {
      ...existing.metadata,
      ...(metadata.labels ? { labels: { ...existing.metadata.labels, ...metadata.labels } } : {}),
      ...(metadata.annotations ? { annotations: { ...existing.metadata.annotations, ...metadata.annotations } } : {}),
    },
    spec: { ...existing.spec, ...spec },
  };
}
