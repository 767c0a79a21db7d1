import { hostedControlPlanes, openshift } from '@hypershift-ts/hypershift-api';
import {
  admissionregistrationv1,
  corev1,
  findCondition,
  formatTime,
  isNotFound,
} from '@hypershift-ts/kube-apimachinery';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, key, startTwoClusters, type TwoClusters } from './harness.ts';

let test: TwoClusters;
let stop: () => Promise<void>;
const condition = async (type: string) => findCondition((await test.controlPlane()).status?.conditions, type);

beforeAll(async () => {
  test = await startTwoClusters();
  stop = test.run();
  await eventually(async () => {
    expect((await condition('ConfigOperatorReconciliationSucceeded'))?.status).toBe('True');
  });
  await test.guest.create(corev1.services, {
    metadata: { namespace: 'default', name: 'shop', finalizers: ['service.kubernetes.io/load-balancer-cleanup'] },
    spec: { type: 'LoadBalancer', ports: [{ port: 80 }] },
  });
  const body = {
    metadata: {
      annotations: { 'hypershift.openshift.io/cleanup-cloud-resources': 'true' },
      finalizers: ['hypershift.openshift.io/finalizer'],
    },
  };
  await test.client.patch(hostedControlPlanes, key, { type: 'merge', body });
  await test.client.delete(hostedControlPlanes, key);
}, 60_000);
afterAll(async () => {
  await stop?.();
  await test?.stop();
});

describe('deletion of a hosted cluster', () => {
  it('When the version operator is gone, it should remove what costs money and name what remains', async () => {
    const hcp = await test.controlPlane();
    const scaledDown = {
      type: 'CVOScaledDown',
      status: 'True',
      reason: 'CVOScaledDown',
      message: '',
      lastTransitionTime: formatTime(0),
    };
    const conditions = [...(hcp.status?.conditions ?? []), scaledDown];
    await test.client.patch(
      hostedControlPlanes,
      key,
      { type: 'merge', body: { status: { conditions } } },
      {
        subresource: 'status',
      },
    );
    await eventually(async () => {
      expect(await condition('CloudResourcesDestroyed')).toMatchObject({
        status: 'False',
        reason: 'RemainingCloudResources',
      });
      expect((await condition('CloudResourcesDestroyed'))?.message).toContain('load balancers');
    });
    expect(
      (await test.guest.get(corev1.services, { namespace: 'default', name: 'shop' })).metadata.deletionTimestamp,
    ).toBeDefined();
    await test.guest.get(admissionregistrationv1.validatingwebhookconfigurations, {
      name: 'hosted-cluster-resource-cleanup',
    });
    await expect(
      test.guest.get(openshift.ingressControllers, { namespace: 'openshift-ingress-operator', name: 'default' }),
    ).rejects.toSatisfy(isNotFound);
  });

  it('When the cloud has let go, it should say that everything is destroyed', async () => {
    const body = { metadata: { finalizers: null } };
    await test.guest.patch(corev1.services, { namespace: 'default', name: 'shop' }, { type: 'merge', body });
    await eventually(async () => {
      expect(await condition('CloudResourcesDestroyed')).toMatchObject({
        status: 'True',
        reason: 'CloudResourcesDestroyed',
      });
    });
  });
});
