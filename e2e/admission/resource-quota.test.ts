import type { ResourceType, UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startTestCluster, type TestCluster } from '../harness/cluster.ts';
import { admissionTypes, createNamespaces } from './fixtures.ts';

const { configMaps, pods } = admissionTypes;
const quotas: ResourceType = {
  group: '',
  version: 'v1',
  kind: 'ResourceQuota',
  resource: 'resourcequotas',
  namespaced: true,
};

describe('ResourceQuota', () => {
  let server: TestCluster;

  beforeAll(async () => {
    server = await startTestCluster();
    await createNamespaces(server.client, ['counted', 'computed']);
  });

  afterAll(() => server.stop());

  const quota = (namespace: string, hard: object) =>
    server.client.create(quotas, {
      metadata: { name: 'limit', namespace },
      spec: { hard },
    } as unknown as UnstructuredObject);
  const used = async (namespace: string) => (await server.client.get(quotas, { name: 'limit', namespace }))['status'];

  it('When many objects are created at once, it should let in exactly as many as the quota allows', async () => {
    await quota('counted', { configmaps: '5' });
    const create = (index: number) =>
      server.client.create(configMaps, {
        metadata: { name: `c${index}`, namespace: 'counted' },
      } as unknown as UnstructuredObject);
    const outcomes = await Promise.allSettled(Array.from({ length: 12 }, (_, index) => create(index)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    await expect(create(99)).rejects.toMatchObject({
      code: 403,
      message:
        'configmaps "c99" is forbidden: exceeded quota: limit, requested: configmaps=1, used: configmaps=5, limited: configmaps=5',
    });
    expect(await used('counted')).toEqual({ hard: { configmaps: '5' }, used: { configmaps: '5' } });
    await server.client.deleteCollection(configMaps, { namespace: 'counted' });
    await vi.waitFor(async () => expect(await used('counted')).toMatchObject({ used: { configmaps: '0' } }), 5000);
    await expect(create(100)).resolves.toBeDefined();
  });

  it('When a quota speaks of compute, it should count requests and insist on them', async () => {
    await quota('computed', { 'requests.cpu': '1', pods: '10' });
    const pod = (name: string, resources: object) =>
      server.client.create(pods, {
        metadata: { name, namespace: 'computed' },
        spec: { containers: [{ name: 'main', image: 'x', resources }] },
      } as unknown as UnstructuredObject);
    await expect(pod('silent', {})).rejects.toThrow(
      'pods "silent" is forbidden: failed quota: limit: must specify requests.cpu for: main',
    );
    await pod('small', { requests: { cpu: '600m' } });
    await expect(pod('second', { requests: { cpu: '500m' } })).rejects.toThrow(
      'exceeded quota: limit, requested: requests.cpu=500m, used: requests.cpu=600m, limited: requests.cpu=1',
    );
  });
});
