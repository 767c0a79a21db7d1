import { controlPlaneComponents, hostedControlPlanes } from '@hypershift-ts/hypershift-api';
import { embeddedReleases } from '@hypershift-ts/hypershift-release';
import { appsv1, corev1, findCondition, isNotFound, networkingv1, rbacv1 } from '@hypershift-ts/kube-apimachinery';
import { capiv1beta1 } from '@hypershift-ts/machines-cluster-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, OperatorUnderTest, releaseImage } from './operator-harness.ts';

let operator: OperatorUnderTest;
const namespace = 'clusters-demo';

beforeAll(async () => {
  operator = await OperatorUnderTest.start({ providers: ['kubevirt'] });
}, 60_000);
afterAll(() => operator?.stop());

describe('HostedCluster controller', () => {
  it('When the pull secret is missing, it should say which one and make nothing of the control plane', async () => {
    const overrides = { 'hypershift.openshift.io/image-overrides': 'cluster-autoscaler=example.com/mine:1' };
    await operator.create('demo', {}, { annotations: overrides });
    await eventually(async () => {
      expect(await operator.condition('demo', 'ValidReleaseImage')).toMatchObject({
        status: 'False',
        reason: 'SecretNotFound',
      });
      expect((await operator.condition('demo', 'Available'))?.message).toContain('clusters/pull');
    });
    await expect(operator.client.get(hostedControlPlanes, { namespace, name: 'demo' })).rejects.toSatisfy(isNotFound);
  });

  it('When the pull secret appears, it should go on by itself', async () => {
    await operator.pullSecret();
    await eventually(async () => {
      const hcp = await operator.client.get(hostedControlPlanes, { namespace, name: 'demo' });
      expect(hcp.spec).toMatchObject({ releaseImage, pullSecret: { name: 'pull-secret' } });
      expect(await operator.condition('demo', 'ReconciliationSucceeded')).toMatchObject({
        status: 'True',
        reason: 'ReconciliatonSucceeded',
      });
    });
    const live = await operator.get('demo');
    expect(live.spec.infraID).toMatch(/^demo-[a-z0-9]{5}$/);
    expect(live.metadata.finalizers).toContain('hypershift.openshift.io/finalizer');
    const copy = await operator.client.get(corev1.secrets, { namespace, name: 'pull-secret' });
    expect(copy.type).toBe('kubernetes.io/dockerconfigjson');
    const policies = await operator.client.list(networkingv1.networkpolicies, { namespace });
    expect(policies.items.map(({ metadata }) => metadata.name)).toContain('nodeport-oauth');
  });

  it('When the control plane is described, its operators should run with their identities and environment', async () => {
    await eventually(async () => {
      const pods = await operator.client.list(corev1.pods, { namespace });
      const owners = pods.items.map(({ spec }) => spec?.serviceAccountName);
      expect(new Set(owners)).toEqual(new Set(['cluster-api', 'control-plane-operator']));
    });
    const { spec } = await operator.client.get(appsv1.deployments, { namespace, name: 'control-plane-operator' });
    const container = spec!.template.spec!.containers[0]!;
    const env = Object.fromEntries(
      (container.env ?? []).map(({ name, value, valueFrom }) => [name, value ?? valueFrom]),
    );
    const image = `registry.hypershift-ts.io/release/hypershift:${embeddedReleases[0]!.version}`;
    expect(container).toMatchObject({ image, command: ['/usr/bin/control-plane-operator'] });
    expect(container.args).toContain('--image-overrides=cluster-autoscaler=example.com/mine:1');
    expect(env).toMatchObject({
      MY_NAMESPACE: { fieldRef: { fieldPath: 'metadata.namespace' } },
      CONTROL_PLANE_OPERATOR_IMAGE: image,
      HOSTED_CLUSTER_CONFIG_OPERATOR_IMAGE: image,
      TOKEN_MINTER_IMAGE: image,
      OPERATE_ON_RELEASE_IMAGE: releaseImage,
      DEFAULT_SECURITY_CONTEXT_UID: '1001',
    });
    const manager = await operator.client.get(appsv1.deployments, { namespace, name: 'cluster-api' });
    expect(manager.metadata.finalizers).toEqual(['hypershift.openshift.io/component-finalizer']);
    for (const name of ['control-plane-operator', 'cluster-api']) {
      await operator.client.get(rbacv1.rolebindings, { namespace, name });
      await eventually(async () => {
        const { status } = await operator.client.get(controlPlaneComponents, { namespace, name });
        expect(findCondition(status?.conditions, 'Available')).toMatchObject({ status: 'True' });
        expect(status?.version).toBe(embeddedReleases[0]!.version);
      });
    }
  });

  it('When it is settled, another reconcile should write nothing, nor should a new operator', async () => {
    await operator.rolledOut();
    await operator.pause();
    operator.written.length = 0;
    await operator.resume();
    await operator.patch('demo', { metadata: { annotations: { touched: 'once' } } });
    await operator.settled();
    expect(operator.written).toEqual([]);
  });

  it('When the control plane has access to give, users should find it beside the cluster', async () => {
    const secret = (name: string, data: { [key: string]: string }) =>
      operator.client.create(corev1.secrets, {
        metadata: { namespace, name },
        data: Object.fromEntries(
          Object.entries(data).map(([key, text]) => [key, Buffer.from(text).toString('base64')]),
        ),
      });
    await secret('admin-kubeconfig', { kubeconfig: 'config' });
    await secret('kubeadmin-password', { password: 'word' });
    const status = {
      kubeConfig: { name: 'admin-kubeconfig', key: 'kubeconfig' },
      kubeadminPassword: { name: 'kubeadmin-password' },
      conditions: [
        {
          type: 'Available',
          status: 'True',
          reason: 'AsExpected',
          message: '',
          lastTransitionTime: '2026-01-01T00:00:00Z',
        },
      ],
    };
    const hcp = { namespace, name: 'demo' };
    await operator.client.patch(
      hostedControlPlanes,
      hcp,
      { type: 'merge', body: { status } },
      { subresource: 'status' },
    );
    await eventually(async () => {
      const live = await operator.get('demo');
      expect(live.status).toMatchObject({
        kubeconfig: { name: 'demo-admin-kubeconfig' },
        kubeadminPassword: { name: 'demo-kubeadmin-password' },
      });
      expect(live.metadata.annotations).toMatchObject({ 'hypershift.openshift.io/HasBeenAvailable': 'true' });
    });
    const copy = await operator.client.get(corev1.secrets, { namespace: 'clusters', name: 'demo-admin-kubeconfig' });
    expect(copy.metadata.ownerReferences).toMatchObject([{ kind: 'HostedCluster', name: 'demo' }]);
    expect(await operator.condition('demo', 'Available')).toMatchObject({ status: 'True', reason: 'AsExpected' });
  });

  it('When a KubeVirt cluster asks for no encryption, it should get a key, machines management, and go without a trace', async () => {
    await operator.create('virtual', { platform: { type: 'KubeVirt', kubevirt: {} } });
    const own = 'clusters-virtual';
    await eventually(async () => {
      const name = 'virtual-etcd-encryption-key';
      const secret = await operator.client.get(corev1.secrets, { namespace: own, name });
      expect(Buffer.from(secret.data?.['key'] ?? '', 'base64')).toHaveLength(32);
    });
    const live = await operator.get('virtual');
    expect(live.spec.secretEncryption?.aescbc?.activeKey).toEqual({ name: 'virtual-etcd-encryption-key' });
    await eventually(async () => {
      const key = { namespace: own, name: live.spec.infraID ?? '' };
      const capi = await operator.client.get(capiv1beta1.clusters, key);
      expect(capi.spec.infrastructureRef).toMatchObject({ kind: 'KubevirtCluster', name: live.spec.infraID });
      const provider = await operator.client.get(appsv1.deployments, { namespace: own, name: 'capi-provider' });
      expect(provider.metadata.finalizers).toEqual(['hypershift.openshift.io/component-finalizer']);
      expect(provider.spec?.template.spec?.containers[0]).toMatchObject({ image: 'registry.hypershift-ts.io/capk:1' });
    });
    await operator.rolledOut();
    await operator.pause();
    operator.written.length = 0;
    await operator.resume();
    await operator.settled();
    expect(operator.written).toEqual([]);
    await operator.remove('virtual');
  });

  it('When it is deleted, nothing should be left', async () => {
    await operator.remove('demo');
    const secrets = await operator.client.list(corev1.secrets, { namespace: 'clusters' });
    expect(secrets.items.map(({ metadata }) => metadata.name)).toEqual(['pull']);
    expect(secrets.items[0]?.metadata.annotations ?? {}).toEqual({});
  }, 40_000);
});
