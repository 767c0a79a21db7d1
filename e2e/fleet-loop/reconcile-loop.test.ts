import { AdapterService, HttpApiClient, KubernetesTransport, loadAdapter } from '@hypershift-ts/fleet-adapter';
import { type FleetApi, loadConfig, startFleetApi } from '@hypershift-ts/fleet-api';
import { InProcessBroker } from '@hypershift-ts/fleet-broker';
import { loadSentinelConfig, ResourceList, Sentinel } from '@hypershift-ts/fleet-sentinel';
import { corev1, type JsonObject } from '@hypershift-ts/kube-apimachinery';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startTestCluster, type TestCluster } from '../harness/cluster.ts';

const apiSettings = `
server: {jwt: {enabled: false}}
database: {dialect: pglite}
health: {port: 0, host: 127.0.0.1}
metrics: {port: 0, host: 127.0.0.1}
entities:
  - {kind: Cluster, plural: clusters, required_adapters: [landing], name_min_len: 3, name_max_len: 53}
`;

const task = `
params:
  - {name: clusterId, source: event.id, required: true}
  - {name: cluster, source: {api_call: {method: GET, url: "/clusters/{{ .clusterId }}"}}, required: true}
  - {name: generation, source: cluster.generation, type: int}
  - {name: is_deleting, source: {expression: "cluster.?deleted_time.hasValue()"}}
resources:
  - name: settings
    manifest:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: "c-{{ .clusterId }}"
        namespace: default
        annotations: {hyperfleet.io/generation: "{{ .generation }}"}
      data: {region: "{{ .cluster.spec.region }}"}
    discovery: {namespace: default, by_name: "c-{{ .clusterId }}"}
    lifecycle: {delete: {when: {expression: is_deleting}}}
post:
  payloads:
    - name: report
      build:
        adapter: "{{ .adapter.name }}"
        observed_generation: {expression: generation}
        observed_time: '{{ now | date "2006-01-02T15:04:05Z07:00" }}'
        conditions:
          - {type: Applied, status: {expression: resources.?settings.hasValue()}, reason: Done, message: x}
          - {type: Available, status: {expression: resources.?settings.hasValue()}, reason: Done, message: x}
          - {type: Health, status: {expression: 'adapter.executionStatus == "success"'}, reason: Done, message: x}
          - type: Finalized
            status: {expression: 'is_deleting && adapter.executionStatus == "success" && !resources.?settings.hasValue()'}
            reason: Done
            message: x
        data: {region: {expression: 'resources.?settings.?data.?region.orValue("")'}}
  post_actions:
    - {name: send, api_call: {method: PUT, url: "/clusters/{{ .clusterId }}/statuses", body: "{{ .report }}"}}
`;

describe('API, Sentinel, broker and adapter together', () => {
  let cluster: TestCluster;
  let api: FleetApi;
  let service: AdapterService;
  let sentinel: Sentinel;

  beforeAll(async () => {
    cluster = await startTestCluster();
    const config = loadConfig({ text: apiSettings, args: ['--server-port=0', '--server-host=127.0.0.1'] });
    api = await startFleetApi({ config, version: 'test' });
    const broker = new InProcessBroker();
    const adapter = loadAdapter(
      {
        config: {
          file: 'adapter.yaml',
          text: `adapter: {name: landing}\nclients: {hyperfleet_api: {base_url: "${api.url}"}, broker: {topic: clusters}}`,
        },
        task: { file: 'task.yaml', text: task },
      },
      { env: {} },
    );
    service = new AdapterService({
      adapter,
      subscriber: broker.subscriber({ subscriptionId: 'landing' }),
      api: new HttpApiClient({ config: adapter.config.clients.hyperfleet_api, userAgent: 'hyperfleet-adapter/test' }),
      transports: { kubernetes: new KubernetesTransport(cluster.client) },
      env: {},
    });
    await service.start();
    const settings = loadSentinelConfig(
      {
        file: 'sentinel.yaml',
        text: `resource_type: clusters\nclients: {hyperfleet_api: {base_url: "${api.url}"}, broker: {topic: clusters}}\nmessage_data: {id: resource.id, kind: resource.kind, generation: resource.generation}\n`,
      },
      {},
    );
    const list = new ResourceList({ config: settings, userAgent: 'hyperfleet-sentinel/test' });
    sentinel = new Sentinel({ config: settings, list, publisher: broker.publisher() });
    await list.probe();
  });
  afterAll(async () => {
    await service?.stop();
    await api?.stop();
    await cluster?.stop();
  });

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
    vi.waitFor(
      async () => {
        await sentinel.poll();
        await check();
      },
      { timeout: 20_000, interval: 100 },
    );

  const reconciled = async (id: string) => {
    const { body } = await call('GET', `/clusters/${id}`);
    const { conditions } = body['status'] as {
      conditions: { type: string; status: string; observed_generation: number }[];
    };
    const condition = conditions.find(({ type }) => type === 'Reconciled');
    return `${condition?.status}@${condition?.observed_generation}`;
  };

  it('When a cluster is created, changed and deleted, everything should follow and nothing remain', async () => {
    const created = await call('POST', '/clusters', { kind: 'Cluster', name: 'demo', spec: { region: 'r1' } });
    expect(created.status).toBe(201);
    const id = created.body['id'] as string;
    const object = () => cluster.client.get(corev1.configmaps, { namespace: 'default', name: `c-${id}` });

    await until(async () => expect(await reconciled(id)).toBe('True@1'));
    expect((await object()).data).toEqual({ region: 'r1' });

    await call('PATCH', `/clusters/${id}`, { spec: { region: 'r2' } });
    expect(await reconciled(id)).toBe('False@2');
    await until(async () => expect(await reconciled(id)).toBe('True@2'));
    expect((await object()).data).toEqual({ region: 'r2' });
    const { body: statuses } = await call('GET', `/clusters/${id}/statuses`);
    expect(statuses['items']).toMatchObject([{ adapter: 'landing', observed_generation: 2, data: { region: 'r2' } }]);

    expect((await call('DELETE', `/clusters/${id}`)).status).toBe(202);
    await until(async () => expect((await call('GET', `/clusters/${id}`)).status).toBe(404));
    await expect(object()).rejects.toThrow('not found');
    expect(service.metrics.text()).toContain('status="success"');
  });

  it('When nothing changes, polls should publish nothing', async () => {
    const { body } = await call('POST', '/clusters', { kind: 'Cluster', name: 'quiet', spec: { region: 'r1' } });
    await until(async () => expect(await reconciled(body['id'] as string)).toBe('True@1'));
    expect(await sentinel.poll()).toEqual({ seen: 1, published: 0, failed: 0 });
  });
});
