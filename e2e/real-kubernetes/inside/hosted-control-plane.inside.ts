import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Kubectl } from '../../harness/kubectl.ts';
import { findRealPrograms } from '../binaries.ts';
import { withRealControlPlane } from '../hosted-programs.ts';
import { RealProduct } from './product.ts';

describe('The same manifests with a real kube-apiserver and etcd behind a hosted cluster', () => {
  const folder = mkdtempSync(join(tmpdir(), 'real-programs-'));
  let product: RealProduct;
  let hosted: Kubectl;

  beforeAll(async () => {
    product = await RealProduct.start(withRealControlPlane(findRealPrograms()!, folder));
  });
  afterAll(async () => {
    hosted?.dispose();
    await product?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('When a cluster with a node pool is made, it should become available and its node should join', async () => {
    await product.create('kubevirt', 'virt', { nodePoolReplicas: 1 });
    hosted = await product.hosted('virt');
    expect((await hosted.ok('get nodes --no-headers')).trim().split('\n')).toHaveLength(1);
  });

  it('When it is asked who it is, it should be the program that was given', async () => {
    const { compiler } = JSON.parse(await hosted.ok('get --raw /version')) as { compiler: string };
    expect(compiler).toBe('gc');
    const log = await product.kubectl.ok('-n clusters-virt logs deploy/kube-apiserver -c kube-apiserver --tail=-1');
    expect(log).toContain('"cacher initialized"');
  });

  it('When a Deployment is made, its pods should run', async () => {
    await hosted.ok('create deployment hello --image=hello');
    expect(await hosted.ok('rollout status deployment hello --timeout=60s')).toContain('successfully rolled out');
  });
});
