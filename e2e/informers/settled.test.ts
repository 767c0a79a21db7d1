import type { KubeObject, ResourceType } from '@hypershift-ts/kube-apimachinery';
import type { ApplyObject, Client } from '@hypershift-ts/kube-client';
import { clusterConfigFrom, HttpClient, parseKubeconfig } from '@hypershift-ts/kube-client';
import {
  applyIfChanged,
  controller,
  controllerReference,
  createOrUpdate,
  Manager,
  patchStatus,
} from '@hypershift-ts/kube-controller';
import { EmbeddedCluster } from '@hypershift-ts/kube-embedded';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

const type = (group: string, kind: string, resource: string): ResourceType<KubeObject> => ({
  group,
  version: 'v1',
  kind,
  resource,
  namespaced: true,
});
const deployments = type('apps', 'Deployment', 'deployments');
const services = type('', 'Service', 'services');
const configMaps = type('', 'ConfigMap', 'configmaps');
const serviceAccounts = type('', 'ServiceAccount', 'serviceaccounts');
const key = { namespace: 'default', name: 'web' };

const desired: readonly [ResourceType<KubeObject>, ApplyObject][] = [
  [
    deployments,
    {
      metadata: { ...key, labels: { app: 'web' }, annotations: { 'example.org/note': 'x' } },
      spec: {
        replicas: 2,
        selector: { matchLabels: { app: 'web' } },
        template: {
          metadata: { labels: { app: 'web' } },
          spec: {
            containers: [
              {
                name: 'main',
                image: 'example.org/web:1',
                ports: [{ containerPort: 8080 }, { containerPort: 8443, name: 'tls' }],
                env: [{ name: 'A', value: '1' }],
                resources: { requests: { cpu: '100m', memory: '64Mi' } },
                volumeMounts: [{ name: 'tmp', mountPath: '/tmp' }],
              },
            ],
            volumes: [{ name: 'tmp', emptyDir: {} }],
            tolerations: [{ key: 'x', operator: 'Exists' }],
          },
        },
      },
    },
  ],
  [services, { metadata: key, spec: { selector: { app: 'web' }, ports: [{ port: 80, targetPort: 8080 }] } }],
  [configMaps, { metadata: { ...key, finalizers: ['example.org/keep'] }, data: { a: '1', b: '2' } }],
];

describe('writing to the embedded API server', () => {
  let cluster: EmbeddedCluster;
  let https: HttpClient;
  const clients: { name: string; client: () => Client }[] = [
    { name: 'in process', client: () => cluster.client() },
    { name: 'HTTPS', client: () => https },
  ];

  beforeAll(async () => {
    cluster = await EmbeddedCluster.start({ controllers: false });
    https = new HttpClient(clusterConfigFrom(parseKubeconfig(cluster.adminKubeconfig(), 'admin', '/')));
  });
  afterAll(async () => {
    await https.close();
    await cluster.stop();
  });

  describe.each(clients)('$name', ({ name, client }) => {
    const fieldManager = `settled-${name.replace(' ', '-').toLowerCase()}`;

    it.each(desired)(
      'When the same object is applied again, it should write nothing (%#)',
      async (resource, object) => {
        await applyIfChanged(client(), resource, object, { fieldManager });
        const again = await applyIfChanged(client(), resource, object, { fieldManager });
        expect(again.operation).toBe('unchanged');
      },
    );

    it('When a field is no longer wanted, it should be given up with one write', async () => {
      const object = { metadata: { ...key, name: `dropped-${fieldManager}` }, data: { a: '1', b: '2' } };
      await applyIfChanged(client(), configMaps, object, { fieldManager });
      const less = { ...object, data: { a: '1' } };
      const { operation, object: live } = await applyIfChanged(client(), configMaps, less, { fieldManager });
      expect(operation).toBe('updated');
      expect(live).toMatchObject({ data: { a: '1' } });
      expect((live as { data?: object }).data).not.toHaveProperty('b');
      expect((await applyIfChanged(client(), configMaps, less, { fieldManager })).operation).toBe('unchanged');
    });

    it('When an object is created or updated, it should settle and keep what the server set', async () => {
      const target = { namespace: 'default', name: `upsert-${fieldManager}` };
      const object = { metadata: target, spec: { selector: { a: 'b' }, ports: [{ name: 'web', port: 80 }] } };
      const first = await createOrUpdate(client(), services, target, object);
      expect(first.operation).toBe('created');
      expect((await createOrUpdate(client(), services, target, object)).operation).toBe('unchanged');
      const changed = { ...object, spec: { ...object.spec, ports: [{ name: 'web', port: 81 }] } };
      const second = await createOrUpdate(client(), services, target, changed);
      const clusterIp = (service: KubeObject) => (service as { spec?: { clusterIP?: string } }).spec?.clusterIP;
      expect(second.operation).toBe('updated');
      expect(clusterIp(second.object)).toBe(clusterIp(first.object));
    });
  });

  it('When a controller has done its work, it should write nothing more', async () => {
    const runs: string[] = [];
    const manager = new Manager({ client: https }).add(
      controller({
        name: 'accounts',
        for: { type: deployments, namespace: 'default' },
        owns: [{ type: serviceAccounts, namespace: 'default' }],
        async reconcile(target, { client, cache, clock }) {
          runs.push(target.name);
          const live = cache.get(deployments, target, { namespace: 'default' });
          if (!live) return;
          const owned = { metadata: { ...target, ownerReferences: [controllerReference(deployments, live)] } };
          await applyIfChanged(client, serviceAccounts, owned, {
            fieldManager: 'accounts',
            live: cache.get(serviceAccounts, target, { namespace: 'default' }) ?? null,
          });
          const conditions = [{ type: 'AccountReady', status: 'True' as const, reason: 'Made', message: 'there' }];
          await patchStatus(client, deployments, live, { conditions }, { clock });
        },
      }),
    );
    await manager.start();
    const versions = async () => {
      const all = await Promise.all([deployments, serviceAccounts].map((one) => cluster.client().get(one, key)));
      return all.map(({ metadata }) => metadata.resourceVersion);
    };
    await vi.waitFor(() => expect(versions()).resolves.toHaveLength(2), { timeout: 5000 });
    // Until the reconciles caused by our own writes have gone by as well.
    await vi.waitFor(
      async () => {
        const before = runs.length;
        await new Promise((resolve) => setTimeout(resolve, 100));
        expect(runs.length).toBe(before);
      },
      { timeout: 5000 },
    );
    const settled = await versions();
    await cluster
      .client()
      .patch(deployments, key, { type: 'merge', body: { metadata: { annotations: { touched: 'yes' } } } });
    const before = runs.length;
    await vi.waitFor(() => expect(runs.length).toBeGreaterThan(before));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect((await versions())[1]).toBe(settled[1]);
    expect(runs.length).toBeLessThan(20);
    await manager.stop();
  });
});
