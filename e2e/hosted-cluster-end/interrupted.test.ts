import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hostedClusters } from '@hypershift-ts/hypershift-api';
import { corev1, findCondition, isNotFound, type KubeObject, rbacv1 } from '@hypershift-ts/kube-apimachinery';
import { clusterConfigFrom, HttpClient, parseKubeconfig } from '@hypershift-ts/kube-client';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { HypershiftProcess, isBuilt, readText } from '../harness/process.ts';
import { create, created, type Machinery, namespace } from './product.ts';

const eventually = <T>(check: () => Promise<T>, timeout = 90_000) => vi.waitFor(check, { timeout, interval: 100 });

/** The namespace is gone, and no cluster-scoped access for it is left. */
async function expectNothingLeft({ client }: Machinery, name: string): Promise<void> {
  await eventually(() => expect(client.get(hostedClusters, { namespace, name })).rejects.toSatisfy(isNotFound));
  await expect(client.get(corev1.namespaces, { name: `${namespace}-${name}` })).rejects.toSatisfy(isNotFound);
  for (const type of [rbacv1.clusterroles, rbacv1.clusterrolebindings]) {
    const { items } = await client.list<KubeObject>(type);
    expect(items.map(({ metadata }) => metadata.name).filter((one) => one?.includes(name))).toEqual([]);
  }
}

describe.skipIf(!isBuilt())('A deletion whose process is killed', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'interrupted-'));
  const processes: HypershiftProcess[] = [];
  const clients: HttpClient[] = [];

  const start = async (): Promise<{ readonly process: HypershiftProcess; readonly client: HttpClient }> => {
    const process = new HypershiftProcess(['up', '--foreground', '--data-dir', dataDir]);
    processes.push(process);
    await process.printed('The management cluster is ready', 60_000);
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
  }, 240_000);
});
