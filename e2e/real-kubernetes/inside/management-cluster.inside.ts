import { yamlDocuments } from '../../../packages/hypershift/cli/src/terminal/index.ts';
import { installCrds, installResources } from '../../../packages/hypershift/cli/src/install/index.ts';
import { destroyCluster } from '../../../packages/hypershift/cli/src/destroy-cluster/destroy.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operatorRefusals, operatorWrites } from '../audit.ts';
import { installed, namespace, RealProduct } from './product.ts';

const operators =
  'operator,control-plane-operator,hosted-cluster-config-operator,cluster-api,control-plane-pki-operator';
/** Operators that are restarted say that they are not available, and later that they are. */
const reports =
  /^(hypershift-operator update hostedclusters\/status|\S+ update controlplanecomponents\/status|control-plane-operator patch hostedcontrolplanes\/status) /;

describe('A management cluster with a real kube-apiserver', () => {
  let product: RealProduct;

  beforeAll(async () => {
    product = await RealProduct.start();
  });
  afterAll(() => product?.stop());

  it('When HyperShift is installed, every kind should be established with a structural schema', async () => {
    type Crd = { metadata: { name: string }; status: { conditions: { type: string; status: string }[] } };
    const { items } = JSON.parse(await product.kubectl.ok('get crds -o json')) as { items: Crd[] };
    const states = items.map(({ metadata, status }) => [
      metadata.name,
      status.conditions
        .map(({ type, status: state }) => `${type}=${state}`)
        .sort()
        .join(' '),
    ]);
    expect(states.filter(([, state]) => state !== 'Established=True NamesAccepted=True')).toEqual([]);
    expect(items.length).toBeGreaterThanOrEqual(installCrds(installed).length);
  });

  it('When kubectl applies what `install --render` prints, it should find no conflict and warn about nothing', async () => {
    const text = yamlDocuments([...installCrds(installed), ...installResources(installed)]);
    const { code, stderr } = await product.kubectl.run(['apply', '--server-side', '-f', '-'], text);
    expect(stderr).toBe('');
    expect(code).toBe(0);
  });

  it('When a cluster without machines is made, it should become available', async () => {
    await product.create('none', 'plain');
    const hosted = await product.hosted('plain');
    expect(await hosted.ok('get namespaces -o name')).toContain('namespace/default');
    hosted.dispose();
  });

  it('When a cluster with a node pool is made, its node should join and run pods', async () => {
    await product.create('kubevirt', 'virt', { nodePoolReplicas: 1 });
    const hosted = await product.hosted('virt');
    expect((await hosted.ok('get nodes --no-headers')).trim().split('\n')).toHaveLength(1);
    await hosted.ok('create deployment hello --image=hello');
    await hosted.ok('rollout status deployment hello --timeout=60s');
    hosted.dispose();
  });

  it('When operators start again in a settled world, they should only report their own return', async () => {
    await product.quiet(() => operatorWrites(product.server.auditLog));
    const begin = Date.now();
    for (const one of ['hypershift', 'clusters-plain', 'clusters-virt'])
      await product.kubectl.ok(['-n', one, 'delete', 'pods', '-l', `app in (${operators})`]);
    await product.quiet(() => operatorWrites(product.server.auditLog), 10_000);
    const writes = operatorWrites(product.server.auditLog, begin);
    expect(writes.filter((line) => !reports.test(line))).toEqual([]);
  });

  it('When all this was done, no operator should have been refused anything', () => {
    expect(operatorRefusals(product.server.auditLog)).toEqual([]);
  });

  it('When clusters are destroyed, nothing of them should be left', async () => {
    for (const name of ['virt', 'plain'])
      await destroyCluster({ client: product.client, namespace, name, graceMs: 120_000 });
    const namespaces = await product.kubectl.ok('get namespaces -o name');
    expect(namespaces).not.toMatch(/clusters-(virt|plain)/);
    expect(await product.kubectl.ok('get clusterroles,clusterrolebindings -o name')).not.toMatch(/clusters-/);
  });
});
