import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { corev1 } from '@hypershift-ts/kube-apimachinery';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aPod, isReady, type NodeUnderTest, shell, startNode } from './harness.ts';

describe('many pods', () => {
  let node: NodeUnderTest;
  beforeAll(async () => {
    node = await startNode();
  });
  afterAll(() => node?.stop());

  it('When many pods come and go, each should have had its own address and nothing should be left', async () => {
    const names = Array.from({ length: 120 }, (_, i) => `p${i}`);
    await Promise.all(
      names.map((name, i) => {
        const real =
          i % 4 === 0 ? { containers: [shell('echo up; trap "exit 0" TERM; while :; do sleep 0.1; done')] } : {};
        return node.client.create(corev1.pods, aPod(name, { terminationGracePeriodSeconds: 20, ...real }));
      }),
    );
    const list = async () => (await node.client.list(corev1.pods, { namespace: 'default' })).items;
    await expect.poll(async () => (await list()).filter(isReady).length, { timeout: 20_000 }).toBe(120);
    expect(new Set((await list()).map(({ status }) => status?.podIP)).size).toBe(120);
    // A pod nobody touches is written no more.
    const versions = (await list()).map(({ metadata }) => metadata.resourceVersion);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect((await list()).map(({ metadata }) => metadata.resourceVersion)).toEqual(versions);
    await node.client.deleteCollection(corev1.pods, { namespace: 'default' });
    await expect.poll(async () => (await list()).length, { timeout: 20_000 }).toBe(0);
    await expect.poll(() => node.kubelet.workers.size).toBe(0);
    expect(await readdir(join(node.dataDir, 'pods'))).toEqual([]);
    expect(await readdir(join(node.dataDir, 'logs'))).toEqual([]);
  });
});
