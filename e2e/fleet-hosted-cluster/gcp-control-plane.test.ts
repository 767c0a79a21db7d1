import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AdapterService, HttpApiClient, loadAdapter, MaestroTransport } from '@hypershift-ts/fleet-adapter';
import { type FleetApi, loadConfig, startFleetApi } from '@hypershift-ts/fleet-api';
import { InProcessBroker } from '@hypershift-ts/fleet-broker';
import { migrate, openPglite } from '@hypershift-ts/fleet-database';
import {
  appliedManifestWorkCrd,
  grpcAgentTransport,
  migrations,
  SourceClient,
  startBrokerServer,
  startRestServer,
  startSourceServer,
  WorkAgent,
  WorkHub,
} from '@hypershift-ts/fleet-maestro';
import { loadSentinelConfig, ResourceList, Sentinel } from '@hypershift-ts/fleet-sentinel';
import { hostedClusters } from '@hypershift-ts/hypershift-api';
import { ManagementCluster } from '@hypershift-ts/hypershift-embedded';
import { embeddedReleaseImage } from '@hypershift-ts/hypershift-release';
import { isNotFound, type JsonObject } from '@hypershift-ts/kube-apimachinery';
import { applyManifests, type Client } from '@hypershift-ts/kube-client';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { install, installDefaults } from '../../packages/hypershift/cli/src/install/index.ts';

const consumer = 'mc-us-central1-1';
const folder = new URL('../../deploy/fleet/gcp-control-plane/', import.meta.url);
const patience = { timeout: 180_000, interval: 250 };

const apiSettings = `
server: {jwt: {enabled: false}}
database: {dialect: pglite}
health: {port: 0, host: 127.0.0.1}
metrics: {port: 0, host: 127.0.0.1}
entities:
  - {kind: Cluster, plural: clusters, required_adapters: [controlplane], name_min_len: 3, name_max_len: 53}
  - {kind: NodePool, plural: nodepools, parent_kind: Cluster, on_parent_delete: cascade, required_adapters: [nodepool]}
`;

const spec = {
  gcp_project_id: 'my-project',
  gcp_project_number: '123456789012',
  gcp_region: 'us-central1',
  vpc_network_name: 'my-vpc',
  psc_subnet_name: 'my-psc',
  wif_pool_id: 'my-pool',
  wif_provider_id: 'my-provider',
  endpoint_access: 'PublicAndPrivate',
  release_image: embeddedReleaseImage('4.20.3'),
  base_domain: 'example.com',
};

describe('A cluster of a fleet, from the API to a control plane', () => {
  const parts: (() => unknown)[] = [];
  const secrets = mkdtempSync(join(tmpdir(), 'fleet-secrets-'));
  let management: Client;
  let api: FleetApi;
  let sentinel: Sentinel;

  beforeAll(async () => {
    writeFileSync(join(secrets, 'pull-secret.json'), '{"auths":{"quay.io":{"auth":"dXNlcjpwYXNz"}}}', { mode: 0o600 });
    writeFileSync(join(secrets, 'id_rsa.pub'), 'ssh-ed25519 AAAA somebody', { mode: 0o600 });
    const [cluster, database] = await Promise.all([ManagementCluster.start(), openPglite()]);
    management = cluster.cluster.client(undefined, 'work-agent');
    await install(
      { ...installDefaults, image: 'registry.hypershift-ts.io/hypershift-ts:test', featureSet: 'TechPreviewNoUpgrade' },
      { client: management },
    );
    await applyManifests(management, [appliedManifestWorkCrd], { fieldManager: 'test' });
    await migrate(database, migrations);
    const hub = new WorkHub({ database });
    const common = { hub, host: '127.0.0.1', port: 0 };
    const [sources, agents, rest] = await Promise.all([
      startSourceServer(common),
      startBrokerServer(common),
      startRestServer(common),
    ]);
    await fetch(`${rest.url}/api/maestro/v1/consumers`, { method: 'POST', body: JSON.stringify({ name: consumer }) });
    const way = grpcAgentTransport({ address: agents.address });
    const ending = new AbortController();
    const agent = new WorkAgent({
      client: management,
      transport: way,
      consumer,
      agentId: `${consumer}-work-agent`,
      hubAddress: 'maestro',
      statusSyncMs: 250,
    }).run(ending.signal);
    const config = loadConfig({ text: apiSettings, args: ['--server-port=0', '--server-host=127.0.0.1'] });
    api = await startFleetApi({ config, version: 'test' });
    const broker = new InProcessBroker();
    const source = new SourceClient({
      sourceId: 'controlplane-adapter',
      grpc: { address: sources.address },
      httpUrl: rest.url,
    });
    const text = (name: string) => readFileSync(new URL(name, folder), 'utf8');
    const env = { MANAGEMENT_CLUSTER_CONSUMER: consumer, HYPERFLEET_API_BASE_URL: api.url };
    const adapter = loadAdapter(
      {
        config: { file: 'adapter-config.yaml', text: text('adapter-config.yaml') },
        task: {
          file: 'task-config.yaml',
          text: text('task-config.yaml').replaceAll('/etc/adapter/secrets', secrets),
        },
      },
      { env, readFile: text },
    );
    const service = new AdapterService({
      adapter,
      subscriber: broker.subscriber({ subscriptionId: 'controlplane' }),
      api: new HttpApiClient({ config: adapter.config.clients.hyperfleet_api, userAgent: 'hyperfleet-adapter/test' }),
      transports: { maestro: new MaestroTransport(source) },
      env,
    });
    await service.start();
    const settings = loadSentinelConfig(
      {
        file: 'sentinel.yaml',
        text: `resource_type: clusters
clients: {hyperfleet_api: {base_url: "${api.url}"}, broker: {topic: clusters}}
message_decision: {result: 'condition("Reconciled").status != "True"'}
message_data: {id: resource.id, kind: resource.kind, generation: resource.generation}
`,
      },
      {},
    );
    const list = new ResourceList({ config: settings, userAgent: 'hyperfleet-sentinel/test' });
    sentinel = new Sentinel({ config: settings, list, publisher: broker.publisher() });
    parts.push(
      () => service.stop(),
      () => source.close(),
      () => api.stop(),
      async () => {
        ending.abort();
        await agent;
        way.close();
      },
      () => rest.close(),
      () => sources.close(),
      () => agents.close(),
      () => hub.settled(),
      () => database.close(),
      () => cluster.stop(),
      () => rmSync(secrets, { recursive: true, force: true }),
    );
  }, 120_000);

  afterAll(async () => {
    for (const part of parts) await part();
  }, 120_000);

  const call = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${api.url}/api/hyperfleet/v1${path}`, {
      method,
      ...(body ? { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } } : {}),
    });
    const text = await response.text();
    return { status: response.status, body: (text === '' ? {} : JSON.parse(text)) as JsonObject };
  };

  /** Pulses, as time would, until a check holds. */
  const until = (check: () => Promise<void>) =>
    vi.waitFor(async () => {
      await sentinel.poll();
      await check();
    }, patience);

  /** What the adapter says about a cluster, as `Type=Status Reason`. */
  const reported = async (id: string): Promise<readonly string[]> => {
    const { body } = await call('GET', `/clusters/${id}/statuses`);
    const [item] = body['items'] as { conditions: { type: string; status: string; reason: string }[] }[];
    return (item?.conditions ?? []).map(({ type, status, reason }) => `${type}=${status} ${reason}`);
  };

  const ready = (id: string, adapter: string) =>
    call('PUT', `/clusters/${id}/statuses`, {
      adapter,
      observed_generation: 1,
      observed_time: new Date().toISOString(),
      conditions: ['Available', 'Applied', 'Health'].map((type) => ({ type, status: 'True', reason: 'Done' })),
    });

  const hostedCluster = () => management.get(hostedClusters, { namespace: 'clusters', name: 'demo' });

  it('When a cluster is created and deleted, its control plane should come and go', async () => {
    const created = await call('POST', '/clusters', { kind: 'Cluster', name: 'demo', spec });
    expect(created.status).toBe(201);
    const id = created.body['id'] as string;

    await until(async () => expect(await reported(id)).toContain('Applied=False PreconditionsNotMet'));
    expect(isNotFound(await hostedCluster().catch((error: unknown) => error))).toBe(true);

    for (const adapter of ['validation', 'dns', 'pullsecret']) expect((await ready(id, adapter)).status).toBe(201);
    await until(async () => expect(await reported(id)).toContain('Applied=True ManifestWorkExists'));
    expect((await hostedCluster()).spec).toMatchObject({
      infraID: id,
      platform: { type: 'GCP', gcp: { project: 'my-project', region: 'us-central1' } },
    });

    await until(async () => expect(await reported(id)).toContain('Available=True ControlPlaneReady'));
    const { body } = await call('GET', `/clusters/${id}`);
    expect((body['status'] as { conditions: object[] }).conditions).toContainEqual(
      expect.objectContaining({ type: 'Reconciled', status: 'True' }),
    );

    expect((await call('DELETE', `/clusters/${id}`)).status).toBe(202);
    await until(async () => expect((await call('GET', `/clusters/${id}`)).status).toBe(404));
    expect(isNotFound(await hostedCluster().catch((error: unknown) => error))).toBe(true);
  }, 480_000);
});
