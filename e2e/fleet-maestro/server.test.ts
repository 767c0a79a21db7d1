import type { CloudEvent } from '@hypershift-ts/fleet-cloud-events';
import { type Database, migrate, openPglite } from '@hypershift-ts/fleet-database';
import {
  appliedManifestWorkCrd,
  type BundleStatus,
  CloudEventClient,
  decodeWorkEvent,
  encodeWorkEvent,
  grpcAgentTransport,
  type ManifestBundle,
  migrations,
  startBrokerServer,
  startRestServer,
  startSourceServer,
  WorkAgent,
  type WorkEvent,
  WorkHub,
  workId,
} from '@hypershift-ts/fleet-maestro';
import { corev1, findCondition, isNotFound } from '@hypershift-ts/kube-apimachinery';
import { applyManifests, type Client } from '@hypershift-ts/kube-client';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startTestCluster, type TestCluster } from '../harness/cluster.ts';

const source = 'hf-controlplane';
const consumer = 'mc-eu-1';
const patience = { timeout: 20_000, interval: 20 };

const configMap = (name: string, value = 'v') => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default' },
  data: { k: value },
});

const bundle = (name: string, value = 'v'): ManifestBundle => ({
  manifests: [configMap(name, value)],
  deleteOption: { propagationPolicy: 'Foreground' },
  manifestConfigs: [
    {
      resourceIdentifier: { group: '', resource: 'configmaps', namespace: 'default', name },
      feedbackRules: [{ type: 'JSONPaths', jsonPaths: [{ name: 'k', path: '.data.k' }] }],
      updateStrategy: { type: 'ServerSideApply' },
    },
  ],
});

describe('A Maestro server with an agent over gRPC', () => {
  const heard: CloudEvent[] = [];
  const stopping = new AbortController();
  const parts: (() => unknown)[] = [];
  let database: Database;
  let cluster: TestCluster;
  let client: Client;
  let sender: CloudEventClient;
  let broker: string;
  let rest: string;

  beforeAll(async () => {
    [database, cluster] = await Promise.all([openPglite(), startTestCluster()]);
    await migrate(database, migrations);
    client = cluster.client;
    await applyManifests(client, [appliedManifestWorkCrd], { fieldManager: 'test' });
    const hub = new WorkHub({ database });
    const common = { hub, host: '127.0.0.1', port: 0 };
    const [sources, agents, api] = await Promise.all([
      startSourceServer(common),
      startBrokerServer(common),
      startRestServer(common),
    ]);
    broker = agents.address;
    rest = `${api.url}/api/maestro/v1`;
    sender = new CloudEventClient({ address: sources.address });
    const subscription = { source, cluster_name: '', data_type: '' };
    const subscribed = new Promise<void>((resolve) => {
      const handlers = { onEvent: (event: CloudEvent) => void heard.push(event), onSubscribed: resolve };
      void sender.subscribe(subscription, handlers, stopping.signal);
    });
    await subscribed;
    parts.push(
      () => sender.close(),
      () => api.close(),
      () => sources.close(),
      () => agents.close(),
      () => hub.settled(),
      () => cluster.stop(),
      () => database.close(),
    );
  }, 60_000);

  afterAll(async () => {
    await agent.stop();
    stopping.abort();
    for (const part of parts) await part();
  }, 60_000);

  const request = async (path: string, method = 'GET', body?: object) => {
    const answer = await fetch(`${rest}${path}`, { method, ...(body ? { body: JSON.stringify(body) } : {}) });
    const text = await answer.text();
    return { status: answer.status, body: text ? (JSON.parse(text) as Record<string, never>) : undefined };
  };

  const send = (
    name: string,
    action: string,
    version: number,
    data?: ManifestBundle,
    extra: Partial<WorkEvent> = {},
  ) => {
    const id = workId(source, consumer, name);
    const event: WorkEvent = {
      subresource: 'spec',
      action,
      source,
      resourceId: id,
      version,
      consumer,
      metadata: { name, namespace: consumer, uid: id, labels: { app: name } },
      ...(data ? { data } : {}),
      ...extra,
    };
    return sender.publish(encodeWorkEvent(event, `${name}-${action}-${version}`, new Date().toISOString()));
  };

  let agent = { stop: async () => {} };

  const startAgent = () => {
    const transport = grpcAgentTransport({ address: broker });
    const ending = new AbortController();
    const running = new WorkAgent({
      client,
      transport,
      consumer,
      agentId: `${consumer}-work-agent`,
      hubAddress: 'maestro',
      statusSyncMs: 50,
    }).run(ending.signal);
    agent = {
      async stop() {
        ending.abort();
        await running;
        transport.close();
      },
    };
  };

  const said = (name: string, type: string, status: string, version?: number) =>
    vi.waitFor(() => {
      const id = workId(source, consumer, name);
      const events = heard.map(decodeWorkEvent).filter(({ resourceId }) => resourceId === id);
      const last = events.at(-1);
      expect(findCondition((last?.data as BundleStatus | undefined)?.conditions, type)).toMatchObject({ status });
      if (version !== undefined) expect(last?.version).toBe(version);
      return last as WorkEvent;
    }, patience);

  const present = (name: string) => client.get(corev1.configmaps, { namespace: 'default', name });
  const gone = (name: string) =>
    vi.waitFor(
      async () => expect(isNotFound(await present(name).catch((error: unknown) => error))).toBe(true),
      patience,
    );

  it('When a consumer is unknown, a work for it should be refused with what to do', async () => {
    await expect(send('early', 'create_request', 0, bundle('early'))).rejects.toThrow(
      /maestro-7: there is no consumer mc-eu-1 .*fk_resources_consumers.*create it first/,
    );
  });

  it('When a consumer is created, it should be found by its name, once', async () => {
    expect(await request('/consumers', 'POST', { name: consumer, labels: { region: 'eu' } })).toMatchObject({
      status: 201,
      body: { kind: 'Consumer', name: consumer, labels: { region: 'eu' } },
    });
    expect(await request('/consumers', 'POST', { name: consumer })).toMatchObject({
      status: 409,
      body: { kind: 'Error', id: '6', code: 'maestro-6' },
    });
    expect(await request(`/consumers?search=${encodeURIComponent(`name='${consumer}'`)}`)).toMatchObject({
      body: { kind: 'ConsumerList', page: 1, size: 1, total: 1 },
    });
    expect(await request('/consumers', 'POST', { name: 'Not A Name' })).toMatchObject({ status: 400 });
  });

  it('When a work comes before its agent, it should be delivered when the agent is there', async () => {
    await send('first', 'create_request', 0, bundle('first'));
    startAgent();
    const event = await said('first', 'Applied', 'True', 1);
    expect(event).toMatchObject({
      source: 'mc-eu-1-work-agent',
      originalSource: 'maestro',
      metadata: { name: 'first' },
    });
    expect(event.data).toMatchObject({ manifestBundle: { manifests: [{ kind: 'ConfigMap' }] } });
    expect(await present('first')).toMatchObject({ data: { k: 'v' } });
  });

  it('When a work is read, it should be as its source made it, with its status', async () => {
    const id = workId(source, consumer, 'first');
    const { body } = await request(`/resource-bundles/${id}`);
    expect(body).toMatchObject({
      id,
      name: id,
      kind: 'ResourceBundle',
      consumer_name: consumer,
      version: 1,
      metadata: { name: 'first', namespace: consumer, labels: { app: 'first' } },
      manifests: [{ kind: 'ConfigMap' }],
      delete_option: { propagationPolicy: 'Foreground' },
      status: {
        ObservedVersion: 1,
        resourceStatus: [{ statusFeedback: { values: [{ name: 'k', fieldValue: { string: 'v' } }] } }],
      },
    });
    const search = `source='${source}' and payload->'metadata'->'labels'@>'{"app":"first"}'`;
    expect(await request(`/resource-bundles?size=400&search=${encodeURIComponent(search)}`)).toMatchObject({
      body: { kind: 'ResourceBundleList', total: 1, items: [{ id }] },
    });
  });

  it('When a work is updated, the latest version should be needed, and reach the cluster', async () => {
    await expect(send('first', 'update_request', 7, bundle('first', 'v2'))).rejects.toThrow(
      'maestro-6: the resource version is not the latest, the latest version: 1',
    );
    await send('first', 'update_request', 1, bundle('first', 'v2'));
    await said('first', 'Applied', 'True', 2);
    expect(await present('first')).toMatchObject({ data: { k: 'v2' } });
    await expect(send('first', 'create_request', 0, bundle('first'))).rejects.toThrow('This Resource already exists');
  });

  it('When another source updates a work, it should be refused', async () => {
    await expect(send('first', 'update_request', 0, bundle('first', 'x'), { source: 'other' })).rejects.toThrow(
      'belongs to another source',
    );
  });

  it('When a work has wrong objects, all of them should be named', async () => {
    const data = { manifests: [{ kind: 'ConfigMap' }, configMap('a'), configMap('a')] } as unknown as ManifestBundle;
    await expect(send('wrong', 'create_request', 0, data)).rejects.toThrow(
      'manifests[0]: apiVersion is required; manifests[2]: ConfigMap a is there twice',
    );
  });

  it('When works change while the agent is away, it should catch up', async () => {
    await send('b', 'create_request', 0, bundle('b'));
    await said('b', 'Applied', 'True');
    await agent.stop();
    await send('first', 'update_request', 2, bundle('first', 'v3'));
    await send('b', 'delete_request', 1);
    await send('c', 'create_request', 0, bundle('c'));
    await expect(send('b', 'update_request', 1, bundle('b', 'x'))).rejects.toThrow('the resource is under deletion');
    expect(await present('first')).toMatchObject({ data: { k: 'v2' } });
    startAgent();
    await said('first', 'Applied', 'True', 3);
    expect(await present('first')).toMatchObject({ data: { k: 'v3' } });
    await said('c', 'Applied', 'True');
    await gone('b');
    await said('b', 'Deleted', 'True');
    expect(await request(`/resource-bundles/${workId(source, consumer, 'b')}`)).toMatchObject({
      status: 404,
      body: { code: 'maestro-7' },
    });
  });

  it('When a consumer has works, it should not be deleted', async () => {
    const list = await request(`/consumers?search=${encodeURIComponent(`name='${consumer}'`)}`);
    const [{ id }] = (list.body as unknown as { items: [{ id: string }] }).items;
    expect(await request(`/consumers/${id}`, 'DELETE')).toMatchObject({ status: 403, body: { code: 'maestro-4' } });
  });

  it.each([
    ['/nothing', 404, 'maestro-7'],
    ['/resource-bundles?search=password%3D1', 400, 'maestro-21'],
    ['/resource-bundles?orderBy=payload', 400, 'maestro-21'],
    ['/resource-bundles?page=x', 400, 'maestro-21'],
    ['/consumers/none', 404, 'maestro-7'],
  ])('When %s is asked for, it should be refused', async (path, status, code) => {
    expect(await request(path)).toMatchObject({ status, body: { kind: 'Error', code } });
  });

  it('When a work is deleted over REST, it should go like any other', async () => {
    expect(await request(`/resource-bundles/${workId(source, consumer, 'c')}`, 'DELETE')).toMatchObject({
      status: 204,
    });
    await said('c', 'Deleted', 'True');
    await gone('c');
  });
});
