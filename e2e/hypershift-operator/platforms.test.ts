import { hostedControlPlanes } from '@hypershift-ts/hypershift-api';
import { MemoryOidcDocuments } from '@hypershift-ts/hypershift-operator';
import { platforms } from '@hypershift-ts/hypershift-platforms';
import { appsv1, corev1 } from '@hypershift-ts/kube-apimachinery';
import { infrastructureProviders } from '@hypershift-ts/machines-providers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { platformSettings } from '../../packages/hypershift/platforms/src/testing/clusters.ts';
import { eventually, OperatorUnderTest } from './operator-harness.ts';

let operator: OperatorUnderTest;
const documents = new MemoryOidcDocuments();

/** Just enough of the Route API for clusters that are published by it. */
const routeCrd = {
  metadata: { name: 'routes.route.openshift.io' },
  spec: {
    group: 'route.openshift.io',
    scope: 'Namespaced',
    names: { kind: 'Route', plural: 'routes', singular: 'route', listKind: 'RouteList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};

beforeAll(async () => {
  operator = await OperatorUnderTest.start({
    providers: infrastructureProviders,
    options: { oidcDocuments: documents },
    crds: [routeCrd],
    featureSet: 'TechPreviewNoUpgrade',
  });
  await operator.pullSecret();
  await operator.client.create(corev1.namespaces, { metadata: { name: 'agents' } });
  const secret = (name: string, data: { [key: string]: string }) =>
    operator.client.create(corev1.secrets, {
      metadata: { namespace: 'clusters', name },
      data: Object.fromEntries(Object.entries(data).map(([key, text]) => [key, Buffer.from(text).toString('base64')])),
    });
  await secret('demo-clouds', { 'clouds.yaml': 'clouds: {openstack: {auth: {auth_url: "https://example.com"}}}' });
  for (const name of ['ccm', 'capi', 'ingress', 'storage', 'registry'])
    await secret(`${name}-creds`, { ibmcloud_api_key: 'x', 'ibm-credentials.env': 'x' });
}, 60_000);
afterAll(() => operator?.stop());

const publish = (service: string, type: string) => ({ service, servicePublishingStrategy: { type } });
const services = [
  publish('APIServer', 'LoadBalancer'),
  ...['OAuthServer', 'Konnectivity', 'Ignition'].map((service) => publish(service, 'Route')),
];
const networking = { machineNetwork: [{ cidr: '10.0.0.0/16' }] };
const names = platforms.map(({ type }) => type.toLowerCase());

describe('Platforms', () => {
  it('When a cluster is made on each of them, each should be described to its end', async () => {
    for (const { type } of platforms)
      await operator.create(type.toLowerCase(), {
        services,
        networking,
        platform: { type, ...platformSettings[type] },
      });
    // What the control plane operator would make, as far as providers and documents wait for it.
    for (const name of names) {
      const namespace = `clusters-${name}`;
      await eventually(async () => {
        const said = await operator.condition(name, 'ReconciliationSucceeded');
        expect(`${name} ${said?.status} ${said?.message}`).toBe(`${name} True Reconciliation completed successfully`);
        await operator.client.get(hostedControlPlanes, { namespace, name });
      });
      await operator.client.create(corev1.secrets, {
        metadata: { namespace, name: 'service-network-admin-kubeconfig' },
        data: {},
      });
    }
    await operator.settled();
    const providers: string[] = [];
    for (const name of names) {
      const { items } = await operator.client.list(appsv1.deployments, { namespace: `clusters-${name}` });
      providers.push(`${name}: ${items.map(({ metadata }) => metadata.name).join(' ')}`);
    }
    const machines = 'capi-provider cluster-api control-plane-operator';
    expect(providers).toEqual([
      `aws: ${machines}`,
      `azure: ${machines}`,
      `gcp: ${machines}`,
      `kubevirt: ${machines}`,
      `agent: ${machines}`,
      `openstack: ${machines}`,
      'ibmcloud: cluster-api control-plane-operator',
      `powervs: ${machines}`,
      'none: cluster-api control-plane-operator',
    ]);
  }, 60_000);

  it('When their namespaces are restricted, the pods of every provider should be admitted', async () => {
    await operator.rolledOut();
    for (const name of names) {
      const { metadata } = await operator.client.get(corev1.namespaces, { name: `clusters-${name}` });
      expect(metadata.labels?.['pod-security.kubernetes.io/enforce']).toBe('restricted');
      const { items } = await operator.client.list(corev1.pods, { namespace: `clusters-${name}` });
      expect(items.length).toBeGreaterThan(1);
    }
  });

  it('When they are settled, a new operator should write nothing', async () => {
    await operator.pause();
    operator.written.length = 0;
    await operator.resume();
    await operator.settled();
    expect(operator.written).toEqual([]);
  });

  it('When they are deleted, nothing should be left', async () => {
    expect.hasAssertions();
    for (const name of names) await operator.remove(name);
  }, 60_000);
});
