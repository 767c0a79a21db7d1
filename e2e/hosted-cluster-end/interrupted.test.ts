import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hostedClusters, hostedControlPlanes } from '@hypershift-ts/hypershift-api';
import { corev1, findCondition, isNotFound, type KubeObject, rbacv1 } from '@hypershift-ts/kube-apimachinery';
import { clusterConfigFrom, HttpClient, parseKubeconfig } from '@hypershift-ts/kube-client';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { HypershiftProcess, isBuilt, readText } from '../harness/process.ts';
import { create, created, type Machinery, namespace, type Product, startProduct } from './product.ts';

const eventually = <T>(check: () => Promise<T>, timeout = 120_000) => vi.waitFor(check, { timeout, interval: 100 });
/** A finalizer of somebody whom nobody here knows. */
const held = 'example.com/held';

/** The namespace is gone, and no cluster-scoped access for it is left. */
async function expectNothingLeft({ client }: Machinery, name: string): Promise<void> {
  await eventually(() => expect(client.get(hostedClusters, { namespace, name })).rejects.toSatisfy(isNotFound));
  await expect(client.get(corev1.namespaces, { name: `${namespace}-${name}` })).rejects.toSatisfy(isNotFound);
  for (const type of [rbacv1.clusterroles, rbacv1.clusterrolebindings]) {
    const { items } = await client.list<KubeObject>(type);
    expect(items.map(({ metadata }) => metadata.name).filter((one) => one?.includes(name))).toEqual([]);
  }
}

/** The operator of all clusters and everything that works for one of them loses its pod at once. */
async function killOperators({ client }: Machinery): Promise<void> {
  const operators = /^(operator|control-plane-operator|cluster-api|capi-provider|hosted-cluster-config-operator)-/;
  for (const { metadata } of (await client.list(corev1.pods)).items) {
    const { name = '' } = metadata;
    const key = { namespace: metadata.namespace ?? '', name };
    if (operators.test(name))
      await client.delete(corev1.pods, key).catch((error: unknown) => expect(error).toSatisfy(isNotFound));
  }
}

describe('A deletion whose operators are killed on the way', () => {
  const shape = { platform: 'kubevirt', nodes: 1 };
  const controlPlane = { namespace: `${namespace}-mortal`, name: 'mortal' };
  let product: Product;

  beforeAll(async () => {
    product = await startProduct();
    await create(product, 'mortal', shape);
    await created(product, 'mortal', shape);
  }, 300_000);

  afterAll(() => product?.stop(), 60_000);

  it('When something holds it, it should tell phase, blocker, age and holder in one condition', async () => {
    const { client } = product;
    const { metadata } = await client.get(hostedControlPlanes, controlPlane);
    const body = { metadata: { finalizers: [...(metadata.finalizers ?? []), held] } };
    await client.patch(hostedControlPlanes, controlPlane, { type: 'merge', body });
    await client.delete(hostedClusters, { namespace, name: 'mortal' });
    await killOperators(product);
    await eventually(async () => {
      const { status } = await client.get(hostedClusters, { namespace, name: 'mortal' });
      const deleting = findCondition(status?.conditions, 'HostedClusterDeleting');
      expect(deleting).toMatchObject({ status: 'True', reason: 'WaitingForCAPIClusterDeletion' });
      expect(deleting?.message).toContain(`HostedControlPlane ${namespace}-mortal/mortal, deleting for`);
      expect(deleting?.message).toContain(held);
    });
  }, 150_000);

  it('When it is let go, it should end all the same and leave nothing', async () => {
    const { client, management } = product;
    await killOperators(product);
    await eventually(async () => {
      const { metadata } = await client.get(hostedControlPlanes, controlPlane);
      const finalizers = metadata.finalizers?.filter((one) => one !== held);
      const body = { metadata: { finalizers, resourceVersion: metadata.resourceVersion } };
      await client.patch(hostedControlPlanes, controlPlane, { type: 'merge', body });
    });
    await killOperators(product);
    await expectNothingLeft(product, 'mortal');
    expect(management.cloud.list()).toEqual([]);
    expect(management.directory.size).toEqual({ apiServers: 1, etcdMembers: 0, etcdClusters: 0 });
  }, 480_000);
});

describe.skipIf(!isBuilt())('A deletion whose process is killed', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'interrupted-'));
  const processes: HypershiftProcess[] = [];
  const clients: HttpClient[] = [];

  const start = async (): Promise<{ readonly process: HypershiftProcess; readonly client: HttpClient }> => {
    const process = new HypershiftProcess(['up', '--foreground', '--data-dir', dataDir]);
    processes.push(process);
    await process.printed('The management cluster is ready', 120_000);
    const kubeconfig = await readText(join(dataDir, 'kubeconfig'));
    const client = new HttpClient(clusterConfigFrom(parseKubeconfig(kubeconfig, 'test', '/')));
    clients.push(client);
    return { process, client };
  };

  afterAll(async () => {
    for (const client of clients) await client.close();
    for (const process of processes) await process.kill('SIGTERM');
    rmSync(dataDir, { recursive: true, force: true });
  }, 60_000);

  it('When it is started again on its data, it should go on where it was', async () => {
    expect.hasAssertions();
    const shape = { platform: 'none', nodes: 0 };
    const first = await start();
    await create(first, 'torn', shape);
    await created(first, 'torn', shape);
    await first.client.delete(hostedClusters, { namespace, name: 'torn' });
    await eventually(async () => {
      const { status } = await first.client.get(hostedClusters, { namespace, name: 'torn' });
      expect(findCondition(status?.conditions, 'HostedClusterDeleting')).toMatchObject({ status: 'True' });
    });
    await first.process.kill('SIGKILL');
    const second = await start();
    await expectNothingLeft(second, 'torn');
  }, 480_000);
});
