import type { UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import type { ApiClient, ApiRequest } from '@hypershift-ts/fleet-adapter';
import { KubernetesTransport, loadAdapter, runTask } from '@hypershift-ts/fleet-adapter';
import { corev1 } from '@hypershift-ts/kube-apimachinery';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestCluster, type TestCluster } from '../harness/cluster.ts';

const task = `
params:
  - {name: clusterId, source: event.id, required: true}
  - name: cluster
    source: {api_call: {method: GET, url: "/clusters/{{ .clusterId }}"}}
    required: true
  - {name: generation, source: cluster.generation, type: int}
  - {name: deleting, source: {expression: "cluster.?deleted_time.hasValue()"}}
resources:
  - name: settings
    manifest:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: "{{ .clusterId }}-settings"
        namespace: "fleet-{{ .clusterId }}"
        labels: {hyperfleet.io/cluster-id: "{{ .clusterId }}"}
        annotations: {hyperfleet.io/generation: "{{ .generation }}"}
      data: {region: "{{ .cluster.spec.region }}"}
    discovery:
      namespace: "fleet-{{ .clusterId }}"
      by_selectors: {label_selector: {hyperfleet.io/cluster-id: "{{ .clusterId }}"}}
    lifecycle: {delete: {when: {expression: deleting}}}
post:
  payloads:
    - name: report
      build:
        region: {expression: 'resources.?settings.?data.?region.orValue("")'}
        gone: {expression: "!resources.?settings.hasValue()"}
        health: {expression: adapter.executionStatus}
  post_actions:
    - {name: send, api_call: {method: PUT, url: "/clusters/{{ .clusterId }}/statuses", body: "{{ .report }}"}}
`;

/** The API of a fleet with one cluster, as far as the task asks it. */
class OneCluster implements ApiClient {
  cluster: object = {};
  readonly reports: unknown[] = [];

  call({ method, body }: ApiRequest) {
    if (method === 'PUT') this.reports.push(JSON.parse(body ?? 'null'));
    return Promise.resolve({ status: 200, body: JSON.stringify(this.cluster), attempts: 1 });
  }
}

const adapter = (text = task) =>
  loadAdapter(
    { config: { file: 'config.yaml', text: 'adapter: {name: e2e}' }, task: { file: 'task.yaml', text } },
    { env: {} },
  );

describe('an adapter with the Kubernetes transport', () => {
  let server: TestCluster;
  let transport: KubernetesTransport;

  beforeAll(async () => {
    server = await startTestCluster();
    transport = new KubernetesTransport(server.client);
    await server.client.create(corev1.namespaces, { metadata: { name: 'fleet-c1' } });
  });
  afterAll(() => server.stop());

  const handle = (api: OneCluster, text?: string) =>
    runTask(
      adapter(text),
      { id: 'e', type: 'cluster.reconcile', data: { id: 'c1' } },
      { api, transports: { kubernetes: transport }, env: {} },
    );

  const stored = () => server.client.get(corev1.configmaps, { namespace: 'fleet-c1', name: 'c1-settings' });

  it('When a cluster is created, changed, repeated and deleted, the object should follow', async () => {
    const api = new OneCluster();
    api.cluster = { generation: 1, spec: { region: 'r1' } };
    expect((await handle(api)).resources).toMatchObject([{ operation: 'create', status: 'success' }]);
    const first = await stored();

    expect((await handle(api)).resources).toMatchObject([{ operation: 'skip', reason: 'generation 1 unchanged' }]);
    expect((await stored()).metadata.resourceVersion).toBe(first.metadata.resourceVersion);

    api.cluster = { generation: 2, spec: { region: 'r2' } };
    expect((await handle(api)).resources).toMatchObject([{ operation: 'update', reason: 'generation changed 1->2' }]);
    expect(await stored()).toMatchObject({ data: { region: 'r2' }, metadata: { uid: first.metadata.uid } });

    api.cluster = { generation: 3, spec: { region: 'r2' }, deleted_time: '2026-01-01T00:00:00Z' };
    expect((await handle(api)).resources).toMatchObject([{ operation: 'delete', resourceName: 'c1-settings' }]);
    expect((await handle(api)).resources).toMatchObject([{ reason: 'resource already deleted or never existed' }]);
    expect(api.reports.at(-1)).toEqual({ region: '', gone: true, health: 'success' });
    await expect(stored()).rejects.toThrow('not found');
  });

  it('When an object is to be recreated, it should be a new one', async () => {
    const api = new OneCluster();
    const text = task.replace('    lifecycle:', '    recreate_on_change: true\n    lifecycle:');
    api.cluster = { generation: 1, spec: { region: 'r1' } };
    await handle(api, text);
    const { uid } = (await stored()).metadata;
    api.cluster = { generation: 2, spec: { region: 'r1' } };
    expect((await handle(api, text)).resources).toMatchObject([{ operation: 'recreate' }]);
    expect((await stored()).metadata.uid).not.toBe(uid);
  });

  it('When finalizers hold an object, it should still be there for expressions, and keep them through updates', async () => {
    const api = new OneCluster();
    const held = await stored();
    await server.client.patch(
      corev1.configmaps,
      { namespace: 'fleet-c1', name: 'c1-settings' },
      {
        type: 'merge',
        body: { metadata: { finalizers: ['example.com/hold'] } },
      },
    );
    api.cluster = { generation: 7, spec: { region: 'r9' } };
    await handle(api);
    expect((await stored()).metadata.finalizers).toEqual(['example.com/hold']);
    api.cluster = { generation: 8, spec: {}, deleted_time: '2026-01-01T00:00:00Z' };
    await handle(api);
    expect(api.reports.at(-1)).toMatchObject({ gone: false, health: 'success' });
    expect((await stored()).metadata.uid).toBe(held.metadata.uid);
  });

  it('When the cluster refuses an object, the run should fail for good and say why', async () => {
    const api = new OneCluster();
    api.cluster = { generation: 1, spec: { region: 'r1' } };
    const result = await handle(api, task.replace('name: "{{ .clusterId }}-settings"', 'name: "Not Valid"'));
    expect(result).toMatchObject({ status: 'failed', retry: 'never' });
    expect(result.errors.resources).toContain('settings: ConfigMap "Not Valid" is invalid');
  });

  it('When a kind does not exist, there should be nothing to find', async () => {
    const query = { apiVersion: 'example.com/v1', kind: 'Nothing', name: 'x' };
    expect(await transport.find(query)).toBeUndefined();
    const object = { apiVersion: 'example.com/v1', kind: 'Nothing', metadata: { name: 'x' } } as UnstructuredObject;
    await expect(transport.apply({ manifest: object })).rejects.toThrow('no matches for kind');
  });
});
