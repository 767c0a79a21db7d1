import { randomUUID } from 'node:crypto';
import { exchange, type Fetch } from '@hypershift-ts/fleet-http-client';
import { type Clock, type ObjectMeta, StatusError, systemClock } from '@hypershift-ts/kube-apimachinery';
import { workId } from '../protocol/identity.ts';
import { bundleOf, specOf, statusOf } from '../protocol/payloads.ts';
import { decodeWorkEvent, encodeWorkEvent, type WorkEvent } from '../protocol/work-event.ts';
import { CloudEventClient, type GrpcClientOptions } from '../wire/grpc-client.ts';
import type { DeleteOption, Manifest, ManifestConfig, ManifestWork } from '../work/manifest-work.ts';
import { publishFailure } from './publish-failure.ts';

export interface SourceClientOptions {
  readonly sourceId: string;
  /** gRPC, for writes and for hearing of changes. */
  readonly grpc: GrpcClientOptions;
  /** REST, for reads: `https://host:port`. */
  readonly httpUrl: string;
  readonly fetch?: Fetch;
  readonly timeoutMs?: number;
  readonly clock?: Clock;
}

/** A work as REST shows it. */
interface BundleView {
  readonly id: string;
  readonly consumer_name: string;
  readonly version: number;
  readonly deleted_at?: string;
  readonly metadata?: ObjectMeta;
  readonly manifests?: readonly Manifest[];
  readonly manifest_configs?: readonly ManifestConfig[];
  readonly delete_option?: DeleteOption;
  readonly status?: Parameters<typeof statusOf>[0] & { readonly ObservedVersion?: number };
}

const pageSize = 400;

/** The works of one source: read over REST, written over gRPC. Failures are StatusError. */
export class SourceClient {
  private readonly options: SourceClientOptions;
  private readonly events: CloudEventClient;
  private readonly clock: Clock;

  constructor(options: SourceClientOptions) {
    this.options = options;
    this.events = new CloudEventClient(options.grpc);
    this.clock = options.clock ?? systemClock;
  }

  /** The work; undefined when there is none. One on its way out has a deletion timestamp. */
  async get(consumer: string, name: string, signal?: AbortSignal): Promise<ManifestWork | undefined> {
    const id = workId(this.options.sourceId, consumer, name);
    const found = await this.read<BundleView>(`/resource-bundles/${id}`, signal);
    return found && workOf(found);
  }

  /** All works of this source for a consumer, by the labels given. */
  async list(
    consumer: string,
    labels: Readonly<Record<string, string>> = {},
    signal?: AbortSignal,
  ): Promise<readonly ManifestWork[]> {
    const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;
    const terms = [`source=${quoted(this.options.sourceId)}`, `consumer_name=${quoted(consumer)}`];
    if (Object.keys(labels).length > 0) terms.push(`payload->'metadata'->'labels'@>${quoted(JSON.stringify(labels))}`);
    const search = encodeURIComponent(terms.join(' and '));
    const works: ManifestWork[] = [];
    for (let page = 1; ; page++) {
      const path = `/resource-bundles?page=${page}&size=${pageSize}&search=${search}`;
      const answer = await this.read<{ readonly items: readonly BundleView[]; readonly total: number }>(path, signal);
      works.push(...(answer?.items ?? []).map(workOf));
      if (!answer || answer.items.length < pageSize) return works;
    }
  }

  async create(consumer: string, work: ManifestWork): Promise<void> {
    await this.publish('create_request', consumer, work, 0);
  }

  /** Replaces the content of a work that was read before; a conflict when it has changed since. */
  async update(consumer: string, work: ManifestWork): Promise<void> {
    await this.publish('update_request', consumer, work, work.metadata.generation ?? 0);
  }

  /** Resolves when the server knows; the work is gone when its cluster is cleaned up. */
  async delete(consumer: string, name: string): Promise<void> {
    const metadata = { name, namespace: consumer };
    await this.send({ ...this.about('delete_request', consumer, metadata, 0), deletionTimestamp: this.now() });
  }

  /** Hears how works are, until the signal aborts. What happened while the connection was lost must be read. */
  watch(
    handlers: { onWork(work: ManifestWork, event: WorkEvent): void; onSubscribed(): void },
    signal: AbortSignal,
  ): Promise<void> {
    const subscription = { source: this.options.sourceId, cluster_name: '', data_type: '' };
    return this.events.subscribe(
      subscription,
      {
        onEvent: (event) => {
          const work = decodeWorkEvent(event);
          handlers.onWork(workOfEvent(work), work);
        },
        onSubscribed: () => handlers.onSubscribed(),
      },
      signal,
    );
  }

  close(): void {
    this.events.close();
  }

  private async publish(
    action: string,
    consumer: string,
    { metadata, spec }: ManifestWork,
    version: number,
  ): Promise<void> {
    await this.send({ ...this.about(action, consumer, metadata, version), data: bundleOf(spec) });
  }

  private about(action: string, consumer: string, metadata: ObjectMeta, version: number): WorkEvent {
    const id = workId(this.options.sourceId, consumer, metadata.name ?? '');
    const { generation: _generation, resourceVersion: _version, creationTimestamp: _created, ...kept } = metadata;
    return {
      subresource: 'spec',
      action,
      source: this.options.sourceId,
      resourceId: id,
      version,
      consumer,
      metadata: { ...kept, namespace: consumer, uid: id },
    };
  }

  private async send(event: WorkEvent): Promise<void> {
    try {
      await this.events.publish(encodeWorkEvent(event, randomUUID(), this.now()));
    } catch (error) {
      throw publishFailure(error);
    }
  }

  private async read<T>(path: string, signal: AbortSignal | undefined): Promise<T | undefined> {
    const { httpUrl, timeoutMs = 10_000 } = this.options;
    const { status, body } = await exchange({
      method: 'GET',
      url: `${httpUrl.replace(/\/+$/, '')}/api/maestro/v1${path}`,
      timeoutMs,
      ...(signal ? { signal } : {}),
      ...(this.options.fetch ? { fetch: this.options.fetch } : {}),
    });
    if (status === 404) return undefined;
    if (status !== 200)
      throw new StatusError(status, 'InternalError', `Maestro answered ${status} to ${path}: ${body.slice(0, 500)}`);
    return JSON.parse(body) as T;
  }

  private now(): string {
    return new Date(this.clock.now()).toISOString();
  }
}

const kind = { apiVersion: 'work.open-cluster-management.io/v1', kind: 'ManifestWork' } as const;

function workOf(view: BundleView): ManifestWork {
  const { manifests = [], manifest_configs: manifestConfigs, delete_option: deleteOption, status } = view;
  return {
    ...kind,
    metadata: {
      ...view.metadata,
      namespace: view.consumer_name,
      uid: view.id,
      generation: view.version,
      resourceVersion: String(view.version),
      ...(view.deleted_at ? { deletionTimestamp: view.deleted_at } : {}),
    },
    spec: specOf({
      manifests,
      ...(manifestConfigs ? { manifestConfigs } : {}),
      ...(deleteOption ? { deleteOption } : {}),
    }),
    ...(status ? { status: statusOf(status) } : {}),
  };
}

function workOfEvent({ resourceId, version, consumer, metadata, data }: WorkEvent): ManifestWork {
  const { manifestBundle = {}, ...status } = (data ?? {}) as Parameters<typeof statusOf>[0];
  return {
    ...kind,
    metadata: { ...metadata, namespace: consumer, uid: resourceId, generation: version },
    spec: specOf(manifestBundle),
    status: statusOf(status),
  };
}
