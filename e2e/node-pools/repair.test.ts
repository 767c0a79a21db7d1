import { type NodePool, nodePools } from '@hypershift-ts/hypershift-api';
import { corev1, delay } from '@hypershift-ts/kube-apimachinery';
import type { HttpClient } from '@hypershift-ts/kube-client';
import { capiv1beta1 as capi } from '@hypershift-ts/machines-cluster-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, namespace, Product, readyNodes } from './harness.ts';
import { HurryingClock } from './hurrying-clock.ts';

const timeouts = {
  'hypershift.openshift.io/machine-health-check-timeout': '1m',
  'hypershift.openshift.io/machine-health-check-node-startup-timeout': '1m',
};

describe('repair', () => {
  const clock = new HurryingClock();
  let product: Product;
  let hosted: HttpClient;
  beforeAll(async () => {
    product = await Product.start({ clock, flags: { nodePoolReplicas: 5, autoRepair: true } });
    hosted = await product.hosted();
    const key = { namespace, name: product.name };
    await product.client.patch(nodePools, key, { type: 'merge', body: { metadata: { annotations: timeouts } } });
    await eventually(async () => {
      expect(await product.poolCondition('AutorepairEnabled')).toMatchObject({ status: 'True' });
      const [check] = await product.inControlPlane(capi.machinehealthchecks);
      expect(check?.spec.nodeStartupTimeout).toBe('1m0s');
    });
    clock.hurry(10);
  }, 180_000);
  afterAll(async () => {
    clock.hurry(1);
    await hosted?.close();
    await product?.stop();
  }, 60_000);

  const names = async () =>
    (await product.machines(product.name)).map(({ metadata }) => metadata.name ?? '').toSorted(byText);

  it('When one node of five is cut off, its machine should be replaced after the timeout, and no other', async () => {
    const before = await product.machines(product.name);
    const [lost] = before;
    product.computer(lost?.status?.nodeRef?.name ?? '').connectNetwork(false);
    await eventually(async () => {
      const now = await names();
      expect(now).toHaveLength(5);
      expect(now).not.toContain(lost?.metadata.name);
      expect(await readyNodes(hosted)).toHaveLength(5);
    });
    const now = await names();
    for (const { metadata } of before.slice(1)) expect(now).toContain(metadata.name);
    await eventually(async () => expect((await hosted.list(corev1.nodes)).items).toHaveLength(5));
  }, 90_000);

  it('When three are cut off, nothing should be replaced and the pool should say why', async () => {
    const before = await eventually(async () => {
      const machines = await product.machines(product.name);
      for (const { status } of machines) expect(status?.nodeRef?.name).toBeTruthy();
      return machines;
    });
    const cut = before.slice(0, 3).map(({ status }) => product.computer(status?.nodeRef?.name ?? ''));
    for (const computer of cut) computer.connectNetwork(false);
    await eventually(async () => {
      const ready = await product.poolCondition('Ready');
      expect(ready).toMatchObject({ status: 'False', reason: 'TooManyUnhealthy' });
      expect(ready?.message).toMatch(/3.*maxUnhealthy: 2/);
      expect((await product.poolCondition('AllNodesHealthy'))?.message).toMatch(/^3 of 5 machines are not healthy/);
    });
    // Far beyond the timeout nothing has gone.
    await delay(clock, 180_000);
    expect(await names()).toEqual(before.map(({ metadata }) => metadata.name ?? '').toSorted(byText));
    for (const computer of cut) computer.connectNetwork(true);
    // They come back one by one; when only two are still away the brake is off, and those may be replaced.
    await eventually(async () => expect(await product.poolCondition('Ready')).toMatchObject({ status: 'True' }));
  }, 120_000);

  it('When no machine of a pool ever reached Ignition, none should be deleted for it', async () => {
    const heal = product.management.cloud.faults.inject({ kind: 'boot', namePrefix: 'never' });
    const { spec } = await product.pool();
    const metadata = { namespace, name: 'never', annotations: timeouts };
    await product.client.create(nodePools, { metadata, spec: { ...spec, replicas: 1 } } as unknown as NodePool);
    const [machine] = await eventually(async () => {
      const machines = await product.machines('never');
      expect(machines[0]?.status?.infrastructureReady).toBe(true);
      return machines;
    });
    await delay(clock, 120_000);
    expect((await product.machines('never')).map(({ metadata: { uid } }) => uid)).toEqual([machine?.metadata.uid]);
    expect((await product.poolCondition('AutorepairEnabled', 'never'))?.status).not.toBe('True');
    const checks = await product.inControlPlane(capi.machinehealthchecks);
    expect(checks.map(({ metadata: { name } }) => name)).toEqual([product.name]);
    expect(await product.poolCondition('ReachedIgnitionEndpoint', 'never')).toMatchObject({
      status: 'False',
      reason: 'ignitionNotReached',
    });
    const events = await product.inControlPlane(corev1.events);
    expect(events.map(({ message }) => message).join('\n')).toContain('kernel panic');
    heal();
  }, 90_000);
});

const byText = (a: string, b: string): number => (a < b ? -1 : 1);
