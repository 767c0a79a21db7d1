import { openshift } from '@hypershift-ts/hypershift-api';
import {
  admissionregistrationv1,
  appsv1,
  corev1,
  discoveryv1,
  findCondition,
  rbacv1,
} from '@hypershift-ts/kube-apimachinery';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, key, memoryLogger, startTwoClusters, type TwoClusters, version } from './harness.ts';

let test: TwoClusters;
let stop: () => Promise<void>;
const logger = memoryLogger();
const cluster = { name: 'cluster' };
const condition = async (type: string) => findCondition((await test.controlPlane()).status?.conditions, type);

beforeAll(async () => {
  test = await startTwoClusters();
  stop = test.run({ logger });
}, 60_000);
afterAll(async () => {
  await stop?.();
  await test?.stop();
});

describe('resources of a hosted cluster', () => {
  it('When the operator starts, it should bring everything in and say so on the control plane', async () => {
    await eventually(async () => {
      expect(await condition('ConfigOperatorReconciliationSucceeded')).toMatchObject({
        status: 'True',
        reason: 'AsExpected',
        message: 'All is well',
      });
    });
    const infrastructure = await test.guest.get(openshift.infrastructures, cluster);
    expect(infrastructure.spec).toMatchObject({ platformSpec: { type: 'None' } });
    expect(infrastructure.status).toMatchObject({
      apiServerURL: 'https://api.demo.example.com:6443',
      controlPlaneTopology: 'External',
      infrastructureName: 'demo-abcde',
      infrastructureTopology: 'SingleReplica',
    });
    expect((await test.guest.get(openshift.dnsConfigs, cluster)).spec.baseDomain).toBe('demo.example.com');
    expect((await test.guest.get(openshift.ingresses, cluster)).spec.domain).toBe('apps.demo.example.com');
    expect((await test.guest.get(openshift.networks, cluster)).spec).toMatchObject({
      clusterNetwork: [{ cidr: '10.132.0.0/14', hostPrefix: 23 }],
      serviceNetwork: ['172.31.0.0/16'],
      networkType: 'OVNKubernetes',
    });
    const slice = await test.guest.get(discoveryv1.endpointslices, { namespace: 'default', name: 'kubernetes' });
    expect(slice.endpoints?.[0]?.addresses).toEqual(['172.20.0.1']);
  });

  it('When nodes come, they should find access, the tunnel and their pull secret prepared', async () => {
    const bootstrap = await test.guest.get(rbacv1.clusterrolebindings, { name: 'create-csrs-for-bootstrapping' });
    expect(bootstrap.roleRef.name).toBe('system:node-bootstrapper');
    const agent = await test.guest.get(appsv1.daemonsets, { namespace: 'kube-system', name: 'konnectivity-agent' });
    expect(agent.spec?.template.spec?.containers[0]?.args?.join(' ')).toContain(
      '--proxy-server-host konnectivity.example.com --proxy-server-port 443',
    );
    expect(agent.metadata.labels?.['hypershift.openshift.io/managed']).toBe('true');
    const secret = await test.guest.get(corev1.secrets, { namespace: 'openshift-config', name: 'pull-secret' });
    expect(secret.type).toBe('kubernetes.io/dockerconfigjson');
    const hash = await test.guest.get(corev1.secrets, { namespace: 'kube-system', name: 'kubeadmin' });
    expect(Buffer.from(hash.data?.['kubeadmin'] ?? '', 'base64').toString()).toMatch(/^\$2a\$04\$.{53}$/);
    const operator = await test.guest.get(openshift.clusterOperators, { name: 'kube-apiserver' });
    expect(operator.status?.versions).toContainEqual({ name: 'operator', version });
  });

  it('When everything is settled, a restarted operator should write only what changed meanwhile', async () => {
    await stop();
    const data = { '.dockerconfigjson': Buffer.from('{"auths":{"a":{}}}').toString('base64') };
    await test.client.patch(corev1.secrets, { ...key, name: 'pull-secret' }, { type: 'merge', body: { data } });
    test.writes.length = 0;
    stop = test.run({ logger });
    await eventually(async () => {
      const copy = await test.guest.get(corev1.secrets, { namespace: 'openshift', name: 'pull-secret' });
      expect(copy.data).toEqual(data);
    });
    // One more change and its effect: whatever else there was to write has been written by then.
    const body = { data: { 'ca.crt': 'another konnectivity CA' } };
    await test.client.patch(corev1.configmaps, { ...key, name: 'konnectivity-ca-bundle' }, { type: 'merge', body });
    await eventually(async () => {
      const copy = await test.guest.get(corev1.configmaps, {
        namespace: 'kube-system',
        name: 'konnectivity-ca-bundle',
      });
      expect(copy.data).toEqual(body.data);
    });
    expect(test.writes).toEqual([
      'update Secret pull-secret',
      'update Secret pull-secret',
      'update ConfigMap konnectivity-ca-bundle',
    ]);
  });

  it('When a user deletes or edits something of the operator, it should be put back', async () => {
    await test.guest.delete(appsv1.daemonsets, { namespace: 'kube-system', name: 'konnectivity-agent' });
    const body = {
      metadata: { labels: { 'hypershift.openshift.io/managed': null } },
      data: { 'ca-bundle.crt': 'other' },
    };
    const ca = { namespace: 'openshift-config-managed', name: 'kubelet-serving-ca' };
    await test.guest.patch(corev1.configmaps, ca, { type: 'merge', body });
    await eventually(async () => {
      await test.guest.get(appsv1.daemonsets, { namespace: 'kube-system', name: 'konnectivity-agent' });
      const restored = await test.guest.get(corev1.configmaps, ca);
      expect(restored.data).toEqual({ 'ca-bundle.crt': 'cluster signer CA' });
      expect(restored.metadata.labels?.['hypershift.openshift.io/managed']).toBe('true');
    });
  });

  it('When a user edits configuration that belongs to the HostedCluster, the API server should refuse it', async () => {
    await test.guest.get(admissionregistrationv1.validatingadmissionpolicybindings, { name: 'config-binding' });
    const user = test.hosted.client({ name: 'alice', groups: ['system:masters'] });
    const patch = { type: 'merge', body: { spec: { networkType: 'Other' } } } as const;
    await eventually(async () => {
      await expect(user.patch(openshift.networks, cluster, patch)).rejects.toThrow('HostedCluster object');
    });
    const labels = { metadata: { labels: { team: 'a' } } };
    await user.patch(openshift.networks, cluster, { type: 'merge', body: labels });
  });

  it('When something of the control plane is missing, it should name it and go on with the rest', async () => {
    await test.client.delete(corev1.configmaps, { ...key, name: 'kubelet-client-ca' });
    await eventually(async () => {
      const verdict = await condition('ConfigOperatorReconciliationSucceeded');
      expect(verdict).toMatchObject({ status: 'False', reason: 'ReconcileError' });
      expect(verdict?.message).toContain('ConfigMap clusters-demo/kubelet-client-ca');
    });
    await test.client.create(corev1.configmaps, {
      metadata: { ...key, name: 'kubelet-client-ca' },
      data: { 'ca.crt': 'cluster signer CA' },
    });
    await eventually(async () => {
      expect((await condition('ConfigOperatorReconciliationSucceeded'))?.status).toBe('True');
    });
  });
});
