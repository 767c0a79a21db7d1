import {
  controlPlaneComponents,
  type HostedCluster,
  hostedClusters,
  hostedControlPlanes,
  managementCrds,
} from '@hypershift-ts/hypershift-api';
import { runHypershiftOperator } from '@hypershift-ts/hypershift-operator';
import { EmbeddedCatalogue, embeddedReleaseImage, embeddedReleases } from '@hypershift-ts/hypershift-release';
import {
  apiextensionsv1,
  appsv1,
  corev1,
  findCondition,
  isNotFound,
  networkingv1,
  rbacv1,
  systemClock,
} from '@hypershift-ts/kube-apimachinery';
import type { Logger } from '@hypershift-ts/kube-controller';
import { capiv1beta1, clusterApiCrds } from '@hypershift-ts/machines-cluster-api';
import { providerCrds } from '@hypershift-ts/machines-providers';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { countingClient } from './counting-client.ts';
import { startTestCluster, type TestCluster } from '../harness/cluster.ts';

let test: TestCluster;
let operator: ReturnType<typeof countingClient>;
let stopOperator: () => Promise<void>;
const image = embeddedReleaseImage(embeddedReleases[0]!.version);
const key = { namespace: 'clusters', name: 'demo' };
const eventually = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 20_000, interval: 50 });

const print = (fields: object, message: string) =>
  process.stderr.write(`${message} ${(fields as { err?: Error }).err?.message ?? ''}\n`);
const logger: Logger = { debug() {}, info() {}, warn: print, error: print, child: () => logger };

/** Runs the operator until the returned function is called. */
async function startOperator(): Promise<() => Promise<void>> {
  const stopper = new AbortController();
  let ended: Promise<void> = Promise.resolve();
  await new Promise<void>((resolve, reject) => {
    ended = runHypershiftOperator({
      client: operator.client,
      releases: new EmbeddedCatalogue(),
      operatorImage: 'registry.hypershift-ts.io/operator:1',
      providerImages: { KubeVirt: 'registry.hypershift-ts.io/capk:1' },
      clock: systemClock,
      logger,
      signal: stopper.signal,
      onReady: () => resolve(),
    });
    ended.catch(reject);
  });
  return () => {
    stopper.abort();
    return ended;
  };
}

/** Waits until nothing was written for a moment. */
async function settled(): Promise<void> {
  for (let before = -1; before !== operator.written.length; ) {
    before = operator.written.length;
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
}

beforeAll(async () => {
  test = await startTestCluster({ controllers: true });
  for (const crd of [...managementCrds('Default'), ...clusterApiCrds(), ...providerCrds('kubevirt')])
    await test.client.create(apiextensionsv1.customresourcedefinitions, crd as never);
  await eventually(async () => void (await test.client.list(hostedClusters)));
  await test.client.create(corev1.namespaces, { metadata: { name: 'clusters' } });
  await test.client.create(corev1.namespaces, { metadata: { name: 'hypershift' } });
  operator = countingClient(test.client);
  stopOperator = await startOperator();
}, 60_000);
afterAll(async () => {
  await stopOperator?.();
  await test?.stop();
});

const published = (service: string) => ({
  service,
  servicePublishingStrategy: { type: 'NodePort', nodePort: { address: '127.0.0.1' } },
});
const cluster = {
  metadata: {
    ...key,
    annotations: { 'hypershift.openshift.io/image-overrides': 'cluster-autoscaler=example.com/mine:1' },
  },
  spec: {
    release: { image },
    pullSecret: { name: 'pull' },
    platform: { type: 'None' },
    services: ['APIServer', 'OAuthServer', 'Konnectivity', 'Ignition'].map(published),
  },
};
const condition = async (type: string) =>
  findCondition((await test.client.get(hostedClusters, key)).status?.conditions, type);

describe('HostedCluster controller', () => {
  it('When the pull secret is missing, it should say which one and make nothing of the control plane', async () => {
    await test.client.create(hostedClusters, cluster as never);
    await eventually(async () => {
      expect(await condition('ValidReleaseImage')).toMatchObject({ status: 'False', reason: 'SecretNotFound' });
      expect((await condition('Available'))?.message).toContain('clusters/pull');
    });
    await expect(test.client.get(hostedControlPlanes, { namespace: 'clusters-demo', name: 'demo' })).rejects.toSatisfy(
      isNotFound,
    );
  });

  it('When the pull secret appears, it should go on by itself', async () => {
    const dockerconfigjson = Buffer.from('{"auths":{}}').toString('base64');
    await test.client.create(corev1.secrets, {
      metadata: { namespace: 'clusters', name: 'pull' },
      data: { '.dockerconfigjson': dockerconfigjson },
    });
    await eventually(async () => {
      const hcp = await test.client.get(hostedControlPlanes, { namespace: 'clusters-demo', name: 'demo' });
      expect(hcp.spec).toMatchObject({ releaseImage: image, pullSecret: { name: 'pull-secret' } });
      expect(await condition('ReconciliationSucceeded')).toMatchObject({
        status: 'True',
        reason: 'ReconciliatonSucceeded',
      });
    });
    const live: HostedCluster = await test.client.get(hostedClusters, key);
    expect(live.spec.infraID).toMatch(/^demo-[a-z0-9]{5}$/);
    expect(live.metadata.finalizers).toContain('hypershift.openshift.io/finalizer');
    const copy = await test.client.get(corev1.secrets, { namespace: 'clusters-demo', name: 'pull-secret' });
    expect(copy.type).toBe('kubernetes.io/dockerconfigjson');
    const policies = await test.client.list(networkingv1.networkpolicies, { namespace: 'clusters-demo' });
    expect(policies.items.map(({ metadata }) => metadata.name)).toContain('nodeport-oauth');
  });

  it('When the control plane is described, its operators should run with their identities and environment', async () => {
    const namespace = 'clusters-demo';
    const container = await vi.waitFor(async () => {
      const { spec } = await test.client.get(appsv1.deployments, { namespace, name: 'control-plane-operator' });
      expect(spec?.template.spec?.serviceAccountName).toBe('control-plane-operator');
      return spec!.template.spec!.containers[0]!;
    });
    const env = Object.fromEntries(
      (container.env ?? []).map(({ name, value, valueFrom }) => [name, value ?? valueFrom]),
    );
    const operator = `registry.hypershift-ts.io/release/hypershift:${embeddedReleases[0]!.version}`;
    expect(container).toMatchObject({ image: operator, command: ['/usr/bin/control-plane-operator'] });
    expect(container.args).toContain('--image-overrides=cluster-autoscaler=example.com/mine:1');
    expect(env).toMatchObject({
      MY_NAMESPACE: { fieldRef: { fieldPath: 'metadata.namespace' } },
      CONTROL_PLANE_OPERATOR_IMAGE: operator,
      HOSTED_CLUSTER_CONFIG_OPERATOR_IMAGE: operator,
      TOKEN_MINTER_IMAGE: operator,
      OPERATE_ON_RELEASE_IMAGE: image,
      DEFAULT_SECURITY_CONTEXT_UID: '1001',
    });
    const manager = await test.client.get(appsv1.deployments, { namespace, name: 'cluster-api' });
    expect(manager.metadata.finalizers).toEqual(['hypershift.openshift.io/component-finalizer']);
    expect(manager.spec?.template.spec?.serviceAccountName).toBe('cluster-api');
    for (const name of ['control-plane-operator', 'cluster-api']) {
      await test.client.get(corev1.serviceaccounts, { namespace, name });
      await test.client.get(rbacv1.roles, { namespace, name });
      await test.client.get(rbacv1.rolebindings, { namespace, name });
      const reported = await test.client.get(controlPlaneComponents, { namespace, name });
      expect(findCondition(reported.status?.conditions, 'Available')).toMatchObject({ status: 'False' });
    }
  });

  it('When it is settled, another reconcile should write nothing, nor should a new operator', async () => {
    await eventually(async () => {
      expect((await condition('EtcdAvailable'))?.message).toBe('Condition not found in the HCP');
    });
    await settled();
    await stopOperator();
    operator.written.length = 0;
    stopOperator = await startOperator();
    const body = { metadata: { annotations: { touched: 'once' } } };
    await test.client.patch(hostedClusters, key, { type: 'merge', body });
    await settled();
    expect(operator.written.filter((one) => !one.includes('leases'))).toEqual([]);
  });

  it('When a KubeVirt cluster asks for no encryption, it should get a key, machines management, and go without a trace', async () => {
    const virtual = {
      ...cluster,
      metadata: { ...key, name: 'virtual' },
      spec: { ...cluster.spec, platform: { type: 'KubeVirt', kubevirt: {} } },
    };
    await test.client.create(hostedClusters, virtual as never);
    await eventually(async () => {
      const secret = await test.client.get(corev1.secrets, {
        namespace: 'clusters-virtual',
        name: 'virtual-etcd-encryption-key',
      });
      expect(Buffer.from(secret.data?.['key'] ?? '', 'base64')).toHaveLength(32);
    });
    const live = await test.client.get(hostedClusters, { ...key, name: 'virtual' });
    expect(live.spec.secretEncryption?.aescbc?.activeKey).toEqual({ name: 'virtual-etcd-encryption-key' });
    const namespace = 'clusters-virtual';
    await eventually(async () => {
      const capi = await test.client.get(capiv1beta1.clusters, { namespace, name: live.spec.infraID ?? '' });
      expect(capi.spec.infrastructureRef).toMatchObject({ kind: 'KubevirtCluster', name: live.spec.infraID });
      const provider = await test.client.get(appsv1.deployments, { namespace, name: 'capi-provider' });
      expect(provider.metadata.finalizers).toEqual(['hypershift.openshift.io/component-finalizer']);
    });
    await test.client.delete(hostedClusters, { ...key, name: 'virtual' });
    await eventually(async () => {
      await expect(test.client.get(hostedClusters, { ...key, name: 'virtual' })).rejects.toSatisfy(isNotFound);
    });
    await expect(test.client.get(corev1.namespaces, { name: namespace })).rejects.toSatisfy(isNotFound);
  });

  it('When it is deleted, nothing should be left', async () => {
    await test.client.delete(hostedClusters, key);
    await eventually(async () => {
      await expect(test.client.get(hostedClusters, key)).rejects.toSatisfy(isNotFound);
    });
    await expect(test.client.get(corev1.namespaces, { name: 'clusters-demo' })).rejects.toSatisfy(isNotFound);
    const owned = 'hypershift.openshift.io/owner.name=demo';
    expect((await test.client.list(rbacv1.clusterroles, { labelSelector: owned })).items).toEqual([]);
    expect((await test.client.list(rbacv1.clusterrolebindings, { labelSelector: owned })).items).toEqual([]);
  }, 40_000);
});
