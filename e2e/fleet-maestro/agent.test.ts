import type { CloudEvent } from '@hypershift-ts/fleet-cloud-events';
import {
  type AgentSubscriber,
  type AgentTransport,
  appliedManifestWorkCrd,
  appliedManifestWorks,
  type BundleStatus,
  decodeWorkEvent,
  encodeResync,
  encodeWorkEvent,
  type ManifestBundle,
  WorkAgent,
  type WorkEvent,
} from '@hypershift-ts/fleet-maestro';
import { corev1, findCondition, isNotFound } from '@hypershift-ts/kube-apimachinery';
import { applyManifests, type Client } from '@hypershift-ts/kube-client';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startTestCluster, type TestCluster } from '../harness/cluster.ts';

const consumer = 'mc-eu-1';

/** The server's side of the way, in this process. */
class Hub implements AgentTransport {
  readonly reports: WorkEvent[] = [];
  readonly questions: CloudEvent[] = [];
  private subscriber: AgentSubscriber | undefined;

  async subscribe(_consumer: string, subscriber: AgentSubscriber, signal: AbortSignal): Promise<void> {
    this.subscriber = subscriber;
    subscriber.onSubscribed();
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  }

  async publish(event: CloudEvent): Promise<void> {
    if (event.type.endsWith('resync_request')) this.questions.push(event);
    else this.reports.push(decodeWorkEvent(event));
  }

  send(id: string, version: number, data: ManifestBundle, fields: Partial<WorkEvent> = {}): void {
    const event: WorkEvent = {
      subresource: 'spec',
      action: 'update_request',
      source: 'maestro',
      resourceId: id,
      version,
      consumer,
      metadata: { name: id, namespace: consumer },
      data,
      ...fields,
    };
    this.subscriber?.onEvent(encodeWorkEvent(event, `${id}-${version}`, new Date().toISOString()));
  }

  delete(id: string, version: number): void {
    this.send(id, version, {}, { action: 'delete_request', deletionTimestamp: new Date().toISOString() });
  }

  ask(data: Parameters<typeof encodeResync>[0]['data']): void {
    this.subscriber?.onEvent(encodeResync({ subresource: 'status', source: 'maestro', consumer, data }, 'q', ''));
  }

  /** The last report about a work. */
  last(id: string): { readonly event: WorkEvent; readonly status: BundleStatus } | undefined {
    const event = this.reports.findLast(({ resourceId }) => resourceId === id);
    return event && { event, status: event.data as BundleStatus };
  }

  /** The last report that says this about the work. */
  async said(id: string, type: string, status: string, version?: number): Promise<BundleStatus> {
    return vi.waitFor(
      () => {
        const last = this.last(id);
        const condition = findCondition(last?.status.conditions, type);
        expect(condition).toMatchObject({ status });
        if (version !== undefined) expect(last?.event.version).toBe(version);
        return last?.status ?? {};
      },
      { timeout: 20_000, interval: 20 },
    );
  }
}

const configMap = (name: string, data: Record<string, string> = { k: 'v' }) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default' },
  data,
});

describe('A work agent', () => {
  const hub = new Hub();
  const stopping = new AbortController();
  let test: TestCluster;
  let client: Client;
  let running: Promise<void>;

  beforeAll(async () => {
    test = await startTestCluster();
    client = test.client;
    await applyManifests(client, [appliedManifestWorkCrd], { fieldManager: 'test' });
    const agent = new WorkAgent({
      client,
      transport: hub,
      consumer,
      agentId: `${consumer}-work-agent`,
      hubAddress: 'maestro-broker.hf.svc:8091',
      statusSyncMs: 50,
    });
    running = agent.run(stopping.signal);
  }, 60_000);

  afterAll(async () => {
    stopping.abort();
    await running;
    await test.stop();
  }, 60_000);

  const present = (name: string) => client.get(corev1.configmaps, { namespace: 'default', name });
  const gone = (name: string) =>
    vi.waitFor(async () => expect(isNotFound(await present(name).catch((error: unknown) => error))).toBe(true), {
      timeout: 20_000,
      interval: 20,
    });

  it('When it starts, it should ask for everything', () => {
    expect(hub.questions[0]).toMatchObject({
      source: 'mc-eu-1-work-agent',
      extensions: { clustername: consumer, originalsource: '' },
      data: { resourceVersions: [] },
    });
  });

  it('When a work comes, it should apply it, own it, and report what was asked for', async () => {
    hub.send('first', 1, {
      manifests: [configMap('hello')],
      manifestConfigs: [
        {
          resourceIdentifier: { resource: 'configmaps', name: 'hello', namespace: 'default' },
          feedbackRules: [{ type: 'JSONPaths', jsonPaths: [{ name: 'k', path: '.data.k' }] }],
          updateStrategy: { type: 'ServerSideApply' },
        },
      ],
    });
    const status = await hub.said('first', 'Applied', 'True');
    expect(status.resourceStatus?.[0]).toMatchObject({
      resourceMeta: { ordinal: 0, group: '', version: 'v1', kind: 'ConfigMap', resource: 'configmaps', name: 'hello' },
      statusFeedback: { values: [{ name: 'k', fieldValue: { type: 'String', string: 'v' } }] },
    });
    expect(hub.last('first')?.event).toMatchObject({ version: 1, originalSource: 'maestro', consumer });
    const [record] = (await client.list(appliedManifestWorks)).items;
    expect(record?.metadata.name).toBe('5b013df9197acbc89ea2ffe8bb993bb736645c605c8916952b171e73b4715123-first');
    const { metadata } = await present('hello');
    expect(metadata.ownerReferences).toEqual([
      expect.objectContaining({ kind: 'AppliedManifestWork', uid: record?.metadata.uid }),
    ]);
    expect(record?.status?.appliedResources).toEqual([
      expect.objectContaining({ resource: 'configmaps', name: 'hello', uid: metadata.uid }),
    ]);
  });

  it('When somebody changes an object, the feedback should follow', async () => {
    const patch = { type: 'merge', body: { data: { k: 'changed' } } } as const;
    await client.patch(corev1.configmaps, { namespace: 'default', name: 'hello' }, patch);
    await vi.waitFor(
      () =>
        expect(hub.last('first')?.status.resourceStatus?.[0]?.statusFeedback?.values?.[0]?.fieldValue).toEqual({
          type: 'String',
          string: 'changed',
        }),
      { timeout: 20_000, interval: 20 },
    );
  });

  it('When nothing changes, it should report nothing', async () => {
    await hub.said('first', 'Available', 'True');
    const { resourceVersion } = (await present('hello')).metadata;
    const reports = hub.reports.length;
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(hub.reports.length).toBe(reports);
    expect((await present('hello')).metadata.resourceVersion).toBe(resourceVersion);
  });

  it('When a newer spec lacks an object, it should remove that and keep the rest', async () => {
    hub.send('second', 1, { manifests: [configMap('a'), configMap('b')] });
    await hub.said('second', 'Applied', 'True');
    const { uid } = (await present('a')).metadata;
    hub.send('second', 2, { manifests: [configMap('a', { k: 'v2' }), configMap('c')] });
    await hub.said('second', 'Applied', 'True', 2);
    await gone('b');
    expect(await present('a')).toMatchObject({ metadata: { uid }, data: { k: 'v2' } });
    expect(await present('c')).toBeDefined();
  });

  it('When an older spec comes late, it should be ignored', async () => {
    const reports = hub.reports.length;
    hub.send('second', 1, { manifests: [configMap('late')] });
    hub.send('third', 1, { manifests: [configMap('d')] });
    await hub.said('third', 'Applied', 'True');
    expect(hub.reports.slice(reports).filter(({ resourceId }) => resourceId === 'second')).toEqual([]);
    await gone('late');
  });

  it('When one object cannot be applied, the others should be, and the report should say why', async () => {
    const broken = { ...configMap('x'), apiVersion: 'example.com/v1', kind: 'Nothing' };
    hub.send('fourth', 1, { manifests: [broken, configMap('e')] });
    const status = await hub.said('fourth', 'Applied', 'False');
    expect(findCondition(status.conditions, 'Applied')?.message).toBe('1 of 2 manifests could not be applied');
    expect(findCondition(status.resourceStatus?.[0]?.conditions, 'Applied')).toMatchObject({
      reason: 'AppliedManifestFailed',
      message: 'Failed to apply manifest: no matches for kind "Nothing" in version "example.com/v1"',
    });
    expect(findCondition(status.resourceStatus?.[1]?.conditions, 'Applied')).toMatchObject({ status: 'True' });
    expect(await present('e')).toBeDefined();
  });

  it('When a work has nothing to apply, the report should say so', async () => {
    hub.send('empty', 1, { manifests: [] });
    const status = await hub.said('empty', 'Applied', 'False');
    expect(findCondition(status.conditions, 'Applied')?.message).toBe(
      'The work cannot be applied: the work has no manifests',
    );
  });

  it('When an object belongs to somebody else, a read-only work should only look', async () => {
    await client.create(corev1.configmaps, configMap('foreign', { k: 'theirs' }));
    hub.send('looking', 1, {
      manifests: [configMap('foreign', { k: 'ours' })],
      manifestConfigs: [
        {
          resourceIdentifier: { resource: 'configmaps', name: 'foreign', namespace: 'default' },
          feedbackRules: [{ type: 'JSONPaths', jsonPaths: [{ name: 'k', path: '.data.k' }] }],
          updateStrategy: { type: 'ReadOnly' },
        },
      ],
    });
    const status = await hub.said('looking', 'Available', 'True');
    expect(status.resourceStatus?.[0]?.statusFeedback?.values?.[0]?.fieldValue).toMatchObject({ string: 'theirs' });
    expect((await present('foreign')).metadata.ownerReferences).toBeUndefined();
  });

  it('When the server lacks statuses, it should get those it has not', async () => {
    const { statusHash } = hub.last('second')?.event ?? {};
    const reports = hub.reports.length;
    hub.ask({
      statusHashes: [
        { resourceID: 'second', statusHash: statusHash ?? '' },
        { resourceID: 'third', statusHash: 'another' },
      ],
    });
    await vi.waitFor(() => expect(hub.reports.length).toBeGreaterThan(reports));
    expect(hub.reports.slice(reports).map(({ resourceId, action }) => `${resourceId} ${action}`)).toEqual([
      'third resync_response',
    ]);
  });

  it('When a work is deleted, its objects should go, and the last report should say so', async () => {
    hub.delete('second', 3);
    await hub.said('second', 'Deleted', 'True', 3);
    await gone('a');
    await gone('c');
    const records = (await client.list(appliedManifestWorks)).items.map(({ spec }) => spec.manifestWorkName);
    expect(records).not.toContain('second');
  });

  it('When an object is held, the deletion should wait for it and say so', async () => {
    const held = {
      ...configMap('held'),
      metadata: { ...configMap('held').metadata, finalizers: ['example.com/hold'] },
    };
    hub.send('holding', 1, { manifests: [held] });
    await hub.said('holding', 'Applied', 'True');
    hub.delete('holding', 1);
    const status = await hub.said('holding', 'Deleting', 'True');
    expect(findCondition(status.conditions, 'Deleting')?.reason).toBe('WorkDeleting');
    const patch = { type: 'merge', body: { metadata: { finalizers: null } } } as const;
    await client.patch(corev1.configmaps, { namespace: 'default', name: 'held' }, patch);
    await hub.said('holding', 'Deleted', 'True');
  });

  it('When a work is to leave its objects, they should stay without an owner', async () => {
    hub.send('leaving', 1, { manifests: [configMap('stays')], deleteOption: { propagationPolicy: 'Orphan' } });
    await hub.said('leaving', 'Applied', 'True');
    hub.delete('leaving', 1);
    await hub.said('leaving', 'Deleted', 'True');
    expect((await present('stays')).metadata.ownerReferences).toBeUndefined();
  });

  it('When it is told to delete what it never had, it should say that it is gone', async () => {
    hub.delete('never', 7);
    const { conditions } = await hub.said('never', 'Deleted', 'True', 7);
    expect(conditions?.[0]?.message).toBe('The manifests are deleted from the cluster mc-eu-1');
  });
});
