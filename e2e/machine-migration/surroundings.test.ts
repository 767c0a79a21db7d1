import { corev1 } from '@hypershift-ts/kube-apimachinery';
import { capiv1beta2 } from '@hypershift-ts/machines-cluster-api';
import { mapiv1beta1 } from '@hypershift-ts/machines-machine-api';
import { awsv1beta2 } from '@hypershift-ts/machines-providers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { awsProviderSpec, clusterName, eventually, MigrationCluster, read, type Running } from './cluster.ts';
import { newKey, oldKey } from './keys.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('What machines of Cluster API need around them', () => {
  let cluster: MigrationCluster;
  let running: Running;

  beforeAll(async () => {
    cluster = await MigrationCluster.start({ described: false });
    running = await cluster.run();
  }, 60_000);
  afterAll(async () => {
    await running?.stop();
    await cluster?.stop();
  });

  it('When only a member of the control plane says what the cluster is, it should describe it to Cluster API', async () => {
    const role = { 'machine.openshift.io/cluster-api-machine-role': 'master' };
    const loadBalancers = [
      { name: 'prod-ext', type: 'network' },
      { name: 'prod-int', type: 'network' },
    ];
    await cluster.client.create(mapiv1beta1.machines, {
      metadata: {
        ...oldKey('prod-master-0'),
        labels: { ...role, 'machine.openshift.io/cluster-api-machine-type': 'master' },
      },
      spec: { providerSpec: awsProviderSpec({ loadBalancers }) },
    });
    await eventually(async () => {
      expect(await read(cluster.client, awsv1beta2.awsclusters, newKey(clusterName))).toMatchObject({
        metadata: {
          annotations: { 'cluster.x-k8s.io/managed-by': 'cluster-capi-operator-infracluster-controller' },
        },
        spec: {
          region: 'us-east-1',
          controlPlaneEndpoint: { host: 'api-int.prod.example.com', port: 6443 },
          identityRef: { kind: 'AWSClusterControllerIdentity', name: 'default' },
          controlPlaneLoadBalancer: { name: 'prod-int', scheme: 'internal', loadBalancerType: 'nlb' },
          secondaryControlPlaneLoadBalancer: { name: 'prod-ext', scheme: 'internet-facing', loadBalancerType: 'nlb' },
        },
        status: { ready: true },
      });
      expect(await read(cluster.client, capiv1beta2.clusters, newKey(clusterName))).toMatchObject({
        spec: {
          controlPlaneEndpoint: { host: 'api-int.prod.example.com', port: 6443 },
          infrastructureRef: { kind: 'AWSCluster', name: clusterName },
        },
        status: {
          conditions: [{ type: 'ControlPlaneInitialized', status: 'True' }],
          deprecated: { v1beta1: { conditions: [{ type: 'ControlPlaneInitialized', status: 'True' }] } },
        },
      });
      // The machine had to wait for all this and goes on by itself.
      expect(await read(cluster.client, capiv1beta2.machines, newKey('prod-master-0'))).toMatchObject({
        metadata: { labels: { 'cluster.x-k8s.io/control-plane': '' } },
      });
    });
  });

  it('When machines boot from a secret, it should be there for their copies and follow every change', async () => {
    const name = 'special-user-data';
    await cluster.client.create(corev1.secrets, { metadata: oldKey(name), data: { userData: base64('one') } });
    await cluster.client.create(corev1.secrets, { metadata: oldKey('unrelated'), data: { userData: base64('no') } });
    await cluster.client.create(mapiv1beta1.machines, {
      metadata: oldKey('special'),
      spec: { providerSpec: awsProviderSpec({ userDataSecret: { name } }) },
    });
    const copied = (text: string) =>
      eventually(async () =>
        expect((await read(cluster.client, corev1.secrets, newKey(name)))?.data).toEqual({
          value: base64(text),
          format: base64('ignition'),
        }),
      );
    await copied('one');
    await cluster.client.patch(corev1.secrets, oldKey(name), {
      type: 'merge',
      body: { data: { userData: base64('two') } },
    });
    await copied('two');
    await cluster.client.delete(corev1.secrets, newKey(name));
    await copied('two');
    expect(await read(cluster.client, corev1.secrets, newKey('unrelated'))).toBeUndefined();
  });
});
