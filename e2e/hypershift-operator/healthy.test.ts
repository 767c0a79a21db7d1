import { healthyHostedClusterConditions, hostedClusters, hostedControlPlanes } from '@hypershift-ts/hypershift-api';
import { unhealthyConditions } from '@hypershift-ts/hypershift-operator';
import { appsv1, corev1 } from '@hypershift-ts/kube-apimachinery';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, OperatorUnderTest } from './operator-harness.ts';

let operator: OperatorUnderTest;
const namespace = 'clusters-demo';
beforeAll(async () => {
  operator = await OperatorUnderTest.start();
  await operator.pullSecret();
  await operator.create('demo');
  await eventually(async () => void (await operator.client.get(hostedControlPlanes, { namespace, name: 'demo' })));
}, 60_000);
afterAll(() => operator?.stop());

/** Writes conditions as the control plane operator and those inside the cluster do. */
async function report(conditions: { readonly [type: string]: string }, message = ''): Promise<void> {
  const list = Object.entries(conditions).map(([type, status]) => ({
    type,
    status,
    reason: 'Reported',
    message,
    lastTransitionTime: '2026-01-01T00:00:00Z',
  }));
  const body = { status: { conditions: list } };
  const key = { namespace, name: 'demo' };
  await operator.client.patch(hostedControlPlanes, key, { type: 'merge', body }, { subresource: 'status' });
}

describe('Health', () => {
  it('When the control plane and what is inside are well, every condition of a healthy cluster should hold', async () => {
    const ignition = { app: 'ignition-server' };
    const nodePort = { name: 'https', port: 443, targetPort: 8443, nodePort: 30_443 };
    await operator.client.create(corev1.services, {
      metadata: { namespace, name: 'ignition-server-proxy' },
      spec: { type: 'NodePort', selector: ignition, ports: [nodePort] },
    });
    await operator.client.create(appsv1.deployments, {
      metadata: { namespace, name: 'ignition-server' },
      spec: {
        selector: { matchLabels: ignition },
        template: {
          metadata: { labels: ignition },
          spec: {
            securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
            containers: [
              {
                name: 'server',
                image: 'registry.example.com/ignition:1',
                securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
              },
            ],
          },
        },
      },
    });
    const wanted = healthyHostedClusterConditions(await operator.get('demo'));
    await report({
      ...Object.fromEntries(wanted),
      ClusterVersionFailing: 'False',
      ExternalDNSReachable: 'Unknown',
    });
    await eventually(async () => expect(unhealthyConditions(await operator.get('demo'))).toEqual([]));
    expect((await operator.get('demo')).status?.ignitionEndpoint).toBe('127.0.0.1:30443');
  });

  it.each([
    ['EtcdAvailable', 'Waiting for etcd to reach quorum'],
    ['KubeAPIServerAvailable', 'Waiting for Kube APIServer deployment to become available'],
    ['InfrastructureReady', 'Konnectivity load balancer is not provisioned'],
  ])('When %s turns False, Available should say why', async (type, message) => {
    await report({ Available: 'False', [type]: 'False' }, message);
    await eventually(async () => {
      expect(await operator.condition('demo', 'Available')).toMatchObject({ status: 'False', message });
      expect(await operator.condition('demo', type)).toMatchObject({ status: 'False', message });
    });
  });

  it('When somebody writes a deprecated field, the answer should warn and say what to use', async () => {
    const warnings: string[] = [];
    operator.client.onWarning = (text) => warnings.push(text);
    const aescbc = { activeKey: { name: 'one' }, backupKey: { name: 'two' } };
    await operator.create('old', { secretEncryption: { type: 'aescbc', aescbc } });
    expect(warnings.join()).toContain(
      'spec.secretEncryption.aescbc.backupKey is deprecated; change activeKey to rotate',
    );
    await operator.remove('old');
  });

  it('When clients ask what the operator can run, they should be told', async () => {
    const key = { namespace: 'hypershift', name: 'supported-versions' };
    const { data, metadata } = await operator.client.get(corev1.configmaps, key);
    expect(metadata.labels).toEqual({ 'hypershift.openshift.io/supported-versions': 'true' });
    expect(JSON.parse(data?.['supported-versions'] ?? '')).toMatchObject({
      versions: expect.arrayContaining(['5.1', '4.14']) as unknown,
    });
  });

  it('When data is being encrypted again, another key should be refused and other edits not', async () => {
    await report({ Available: 'True', EtcdDataEncryptionUpToDate: 'False' });
    await eventually(async () => {
      expect(await operator.condition('demo', 'EtcdDataEncryptionUpToDate')).toMatchObject({ status: 'False' });
    });
    const body = { spec: { secretEncryption: { type: 'aescbc', aescbc: { activeKey: { name: 'new' } } } } };
    const key = { namespace: 'clusters', name: 'demo' };
    await expect(operator.client.patch(hostedClusters, key, { type: 'merge', body })).rejects.toThrow(
      'spec.secretEncryption cannot change while data is encrypted again',
    );
    await operator.patch('demo', { spec: { channel: 'fast-4.18' } });
  });
});
