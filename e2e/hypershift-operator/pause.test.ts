import { hostedControlPlanes } from '@hypershift-ts/hypershift-api';
import { networkingv1 } from '@hypershift-ts/kube-apimachinery';
import { capiv1beta1 } from '@hypershift-ts/machines-cluster-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, OperatorUnderTest } from './operator-harness.ts';

let operator: OperatorUnderTest;
const namespace = 'clusters-demo';
beforeAll(async () => {
  operator = await OperatorUnderTest.start({ providers: ['kubevirt'] });
  await operator.pullSecret();
  await operator.create('demo', { platform: { type: 'KubeVirt', kubevirt: {} } });
}, 60_000);
afterAll(() => operator?.stop());

const clusterApi = async () => (await operator.client.list(capiv1beta1.clusters, { namespace })).items[0];
const controlPlane = () => operator.client.get(hostedControlPlanes, { namespace, name: 'demo' });

describe('Pausing', () => {
  it('When a cluster is paused, its control plane and Cluster API should be, and nothing else should be done', async () => {
    await eventually(async () => expect(await clusterApi()).toBeDefined());
    await operator.settled();
    await operator.patch('demo', { spec: { pausedUntil: 'true' } });
    await eventually(async () => {
      expect((await controlPlane()).spec.pausedUntil).toBe('true');
      expect((await clusterApi())?.spec.paused).toBe(true);
      expect(await operator.condition('demo', 'ReconciliationActive')).toMatchObject({
        status: 'False',
        reason: 'ReconciliationPaused',
        message: 'Reconciliation paused until field removed',
      });
    });
    await operator.client.delete(networkingv1.networkpolicies, { namespace, name: 'same-namespace' });
    await operator.settled();
    const policies = await operator.client.list(networkingv1.networkpolicies, { namespace });
    expect(policies.items.map(({ metadata }) => metadata.name)).not.toContain('same-namespace');
  });

  it('When the pause has an end, it should go on by itself then', async () => {
    const until = new Date(Math.ceil(Date.now() / 1000) * 1000 + 1000).toISOString();
    await operator.patch('demo', { spec: { pausedUntil: until } });
    await eventually(async () => {
      expect(await operator.condition('demo', 'ReconciliationActive')).toMatchObject({ status: 'True' });
      expect((await clusterApi())?.spec.paused ?? false).toBe(false);
      await operator.client.get(networkingv1.networkpolicies, { namespace, name: 'same-namespace' });
    });
    expect(new Date() >= new Date(until)).toBe(true);
  });

  it('When a paused cluster is deleted, it should go', async () => {
    await operator.patch('demo', { spec: { pausedUntil: 'true' } });
    await eventually(async () => expect((await clusterApi())?.spec.paused).toBe(true));
    await operator.remove('demo');
    expect(await clusterApi()).toBeUndefined();
  });
});
