import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hostedClusters } from '@hypershift-ts/hypershift-api';
import { corev1 } from '@hypershift-ts/kube-apimachinery';
import { clusterConfigFrom, HttpClient, parseKubeconfig } from '@hypershift-ts/kube-client';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { create, created, namespace, type Product, startProduct } from './product.ts';

/** Where the hosted API server is reached from outside. */
async function addressOf({ client }: Product): Promise<string | undefined> {
  const key = { namespace: `${namespace}-again`, name: 'kube-apiserver' };
  const { spec, status } = await client.get(corev1.services, key);
  expect(spec?.type).toBe('LoadBalancer');
  return status?.loadBalancer?.ingress?.[0]?.ip;
}

async function hostedNamespaces({ client }: Product): Promise<number> {
  const { status } = await client.get(hostedClusters, { namespace, name: 'again' });
  const { data } = await client.get(corev1.secrets, { namespace, name: status?.kubeconfig?.name ?? '' });
  const text = Buffer.from(data?.['kubeconfig'] ?? '', 'base64').toString('utf8');
  const hosted = new HttpClient(clusterConfigFrom(parseKubeconfig(text, 'again', '/')));
  try {
    return (await hosted.list(corev1.namespaces)).items.length;
  } finally {
    await hosted.close();
  }
}

describe('A management cluster that is started again in the same process', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'restarted-'));
  let product: Product | undefined;

  afterAll(async () => {
    await product?.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }, 60_000);

  it('When it has a hosted cluster, its kubeconfig should go on working', async () => {
    product = await startProduct({ dataDir });
    await create(product, 'again', { platform: 'kubevirt', nodes: 0 });
    await created(product, 'again', { platform: 'kubevirt', nodes: 0 });
    const address = await addressOf(product);
    const before = await hostedNamespaces(product);
    await product.stop();
    product = await startProduct({ dataDir });
    const started = product;
    expect(await addressOf(started)).toBe(address);
    await vi.waitFor(async () => expect(await hostedNamespaces(started)).toBeGreaterThanOrEqual(before), {
      timeout: 120_000,
      interval: 500,
    });
    expect(await addressOf(started)).toBe(address);
  }, 480_000);
});
