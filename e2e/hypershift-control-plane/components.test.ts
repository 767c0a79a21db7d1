import { controlPlaneComponents, hostedControlPlanes, managementCrds } from '@hypershift-ts/hypershift-api';
import {
  type ComponentOutcome,
  type ControlPlaneContext,
  cachedLookup,
  component,
  configMap,
  type Component,
  probeManagementCluster,
  reconcileComponents,
  secretVolume,
  serviceMonitor,
  watchedTypes,
} from '@hypershift-ts/hypershift-control-plane';
import {
  ComponentImages,
  EmbeddedCatalogue,
  embeddedReleaseImage,
  operatorFamilyImages,
  withComponents,
} from '@hypershift-ts/hypershift-release';
import { apiextensionsv1, appsv1, corev1, isConditionTrue } from '@hypershift-ts/kube-apimachinery';
import type { AuditEvent } from '@hypershift-ts/kube-apiserver';
import { InformerCache } from '@hypershift-ts/kube-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestCluster, type TestCluster } from '../harness/cluster.ts';
import { aControlPlane } from '../hypershift-api/objects.ts';

const namespace = 'clusters-demo';
let test: TestCluster;
let cache: InformerCache;
let requests: AuditEvent[] = [];
let enabled = true;

const main = { name: 'main', image: 'hyperkube', cpu: '10m', memory: '20Mi' };
const store: Component = component('etcd', { pod: () => ({ containers: [main] }), replicas: 1 });
const api: Component = component('kube-apiserver', {
  dependsOn: ['etcd'],
  enabled: () => enabled,
  pod: () => ({ containers: [{ ...main, mounts: { tls: '/tls' } }], volumes: { tls: secretVolume('serving') } }),
  replicas: 1,
  manifests: [configMap('settings', { 'config.json': '{}' }), serviceMonitor('kube-apiserver', { port: 'client' })],
});
const components = [api, store];

async function context(): Promise<ControlPlaneContext> {
  const management = await probeManagementCluster(test.client);
  const found = await new EmbeddedCatalogue().lookup(embeddedReleaseImage('4.20.8'));
  const release = withComponents(found, operatorFamilyImages(found.components.get('hypershift') ?? ''));
  return {
    hcp: await test.client.get(hostedControlPlanes, { namespace, name: 'demo' }),
    namespace,
    images: new ComponentImages(release),
    userRelease: release,
    endpoints: {},
    management,
    settings: {},
    lookup: cachedLookup(cache, namespace, (type) => management.serves(type)),
  };
}

async function reconcile(): Promise<readonly ComponentOutcome[]> {
  return reconcileComponents(components, await context(), { client: test.client, now: () => new Date().toISOString() });
}

/** Reconciles until the outcomes are the wanted ones; informers follow writes in their own time. */
async function reconcileUntil(wanted: Readonly<Record<string, ComponentOutcome['state']>>): Promise<void> {
  let seen: readonly ComponentOutcome[] = [];
  for (let attempt = 0; attempt < 200; attempt++) {
    seen = await reconcile();
    if (seen.every(({ name, state }) => state === wanted[name])) return;
    await new Promise((resolve) => {
      setTimeout(resolve, 20);
    });
  }
  throw new Error(`never: ${JSON.stringify(seen.map(({ name, state, error }) => [name, state, error?.message]))}`);
}

/** Plays the Deployment controller and kubelets. */
async function rollOut(name: string): Promise<void> {
  const live = await test.client.get(appsv1.deployments, { namespace, name });
  const replicas = live.spec?.replicas ?? 1;
  const status = {
    observedGeneration: live.metadata.generation ?? 0,
    replicas,
    updatedReplicas: replicas,
    readyReplicas: replicas,
    availableReplicas: replicas,
    conditions: [{ type: 'Available', status: 'True' }],
  };
  await test.client.update(appsv1.deployments, { ...live, status }, { subresource: 'status' });
}

const component1 = (name: string) => test.client.get(controlPlaneComponents, { namespace, name });
const writes = () => requests.filter(({ verb }) => !['get', 'list', 'watch'].includes(verb ?? ''));

beforeAll(async () => {
  test = await startTestCluster({ apiServer: { audit: (event) => requests.push(event) } });
  const { client } = test;
  for (const crd of managementCrds('Default')) {
    await client.create(
      apiextensionsv1.customresourcedefinitions,
      crd as unknown as apiextensionsv1.CustomResourceDefinition,
    );
  }
  await client.create(corev1.namespaces, { metadata: { name: namespace } });
  for (let attempt = 0; ; attempt++) {
    try {
      await client.create(hostedControlPlanes, { ...aControlPlane, metadata: { name: 'demo', namespace } } as never);
      break;
    } catch (error) {
      if (attempt > 200) throw error;
      await new Promise((resolve) => {
        setTimeout(resolve, 20);
      });
    }
  }
  cache = new InformerCache({ client });
  for (const type of watchedTypes(components, await probeManagementCluster(client))) cache.informer(type);
  cache.start();
  await cache.whenSynced();
});

afterAll(async () => {
  await cache.stop();
  await test.stop();
});

describe('components on an API server', () => {
  it('When a dependency is not up, it should wait and say for what', async () => {
    await reconcileUntil({ etcd: 'applied', 'kube-apiserver': 'waiting' });
    const { status } = await component1('kube-apiserver');
    expect(status?.conditions?.map(({ type, status, reason, message }) => [type, status, reason, message])).toEqual([
      ['Available', 'False', 'NotFound', 'deployments.apps "kube-apiserver" not found'],
      ['RolloutComplete', 'False', 'WaitingForDependencies', 'Waiting for Dependencies: etcd'],
    ]);
  });

  it('When something it mounts is missing, it should hold the workload back and name it', async () => {
    await rollOut('etcd');
    await reconcileUntil({ etcd: 'applied', 'kube-apiserver': 'failed' });
    const { status } = await component1('kube-apiserver');
    expect(status?.conditions?.[1]).toMatchObject({
      reason: 'ReconciliationError',
      message: 'Deployment kube-apiserver is held back until Secret serving can be mounted',
    });
    expect((await component1('etcd')).status).toMatchObject({ version: '4.20.8' });
  });

  it('When everything is there, it should roll out without kinds that are not installed', async () => {
    await test.client.create(corev1.secrets, { metadata: { name: 'serving', namespace }, data: { a: 'YQ==' } });
    await reconcileUntil({ etcd: 'applied', 'kube-apiserver': 'applied' });
    await rollOut('kube-apiserver');
    for (let attempt = 0; attempt < 200; attempt++) {
      await reconcile();
      if (isConditionTrue((await component1('kube-apiserver')).status?.conditions as never, 'RolloutComplete')) break;
    }
    const { status } = await component1('kube-apiserver');
    expect(status).toMatchObject({
      version: '4.20.8',
      resources: [{ group: '', kind: 'ConfigMap', name: 'settings' }],
    });
    const { metadata } = await test.client.get(appsv1.deployments, { namespace, name: 'kube-apiserver' });
    expect(metadata.generation).toBe(1);
    expect(metadata.ownerReferences?.[0]?.kind).toBe('HostedControlPlane');
  });

  it('When a settled control plane is reconciled again, it should write nothing', async () => {
    await new Promise((resolve) => {
      setTimeout(resolve, 100);
    });
    requests = [];
    await reconcile();
    await reconcile();
    expect(writes()).toEqual([]);
  });

  it('When mounted configuration changes, it should roll exactly the workload that mounts it', async () => {
    const before = await test.client.get(appsv1.deployments, { namespace, name: 'etcd' });
    await test.client.patch(
      corev1.secrets,
      { namespace, name: 'serving' },
      { type: 'merge', body: { data: { a: 'Yg==' } } },
    );
    for (let attempt = 0; attempt < 200; attempt++) {
      await reconcile();
      const { metadata } = await test.client.get(appsv1.deployments, { namespace, name: 'kube-apiserver' });
      if (metadata.generation === 2) break;
    }
    expect((await test.client.get(appsv1.deployments, { namespace, name: 'kube-apiserver' })).metadata.generation).toBe(
      2,
    );
    expect((await test.client.get(appsv1.deployments, { namespace, name: 'etcd' })).metadata.resourceVersion).toBe(
      before.metadata.resourceVersion,
    );
  });

  it('When requests of a container were edited, it should keep them', async () => {
    const live = await test.client.get(appsv1.deployments, { namespace, name: 'etcd' });
    const body = [{ op: 'replace', path: '/spec/template/spec/containers/0/resources/requests/memory', value: '1Gi' }];
    await test.client.patch(appsv1.deployments, { namespace, name: 'etcd' }, { type: 'json', body });
    for (let i = 0; i < 5; i++) await reconcile();
    const { spec, metadata } = await test.client.get(appsv1.deployments, { namespace, name: 'etcd' });
    expect(spec?.template.spec?.containers[0]?.resources?.requests).toEqual({ cpu: '10m', memory: '1Gi' });
    expect(metadata.uid).toBe(live.metadata.uid);
  });

  it('When the predicate turns false, it should leave nothing behind', async () => {
    enabled = false;
    await reconcileUntil({ etcd: 'applied', 'kube-apiserver': 'disabled' });
    const get = (promise: Promise<unknown>) =>
      promise.then(
        () => 'there',
        () => 'gone',
      );
    expect(await get(test.client.get(appsv1.deployments, { namespace, name: 'kube-apiserver' }))).toBe('gone');
    expect(await get(test.client.get(corev1.configmaps, { namespace, name: 'settings' }))).toBe('gone');
    expect(await get(component1('kube-apiserver'))).toBe('gone');
    expect(await get(component1('etcd'))).toBe('there');
  });
});
