import type { appsv1, corev1 } from '@hypershift-ts/kube-apimachinery';
import { parseApiServerFlags, unsupportedFlags } from '@hypershift-ts/kube-apiserver';
import { describe, expect, it } from 'vitest';
import { isEnabled } from '../framework/component.ts';
import { dependenciesOf } from '../framework/dependencies.ts';
import { serviceAccountsOf } from '../framework/inject/index.ts';
import { desiredWorkload } from '../framework/workload.ts';
import { testContext, testRelease } from '../testing/context.ts';
import { podTemplateOf } from '../testing/rendered.ts';
import { upstreamFlags } from './kube-apiserver/arguments.ts';
import { controlPlaneComponentList } from './registry.ts';

const release = await testRelease(undefined, 'registry');
const embedded = await testRelease();
const aws = testContext({
  release,
  spec: {
    platform: { type: 'AWS', aws: { region: 'us-east-1' } },
    services: [
      { service: 'APIServer', servicePublishingStrategy: { type: 'Route', route: { hostname: 'api.example.com' } } },
    ],
    monitoring: { metricsForwarding: { mode: 'Forward' } },
    secretEncryption: { type: 'aescbc' },
  },
});
const byName = new Map(controlPlaneComponentList.map((one) => [one.name, one]));

/** Requests of the containers that stay: sidecars that start first belong to them. */
function requestsOf({ spec }: corev1.PodTemplateSpec): readonly [number, number] {
  const staying = [
    ...(spec?.containers ?? []),
    ...(spec?.initContainers ?? []).filter((one) => one.restartPolicy === 'Always'),
  ];
  const cpu = staying.map(({ resources }) => Number.parseInt(resources?.requests?.['cpu'] ?? '0', 10));
  const memory = staying.map(({ resources }) => {
    const text = resources?.requests?.['memory'] ?? '0';
    return Number.parseInt(text, 10) * (text.endsWith('Gi') ? 1024 : 1);
  });
  const sum = (list: readonly number[]): number => list.reduce((total, one) => total + one, 0);
  return [sum(cpu), sum(memory)];
}

describe('facts of the components, highly available on AWS', () => {
  it.each([
    ['control-plane-pki-operator', 1, 10, 80],
    ['kube-apiserver', 3, 385, 2143],
    ['kube-controller-manager', 2, 100, 600],
    ['kube-scheduler', 2, 25, 150],
    ['openshift-apiserver', 3, 125, 250],
    ['openshift-oauth-apiserver', 3, 175, 130],
    ['cluster-autoscaler', 1, 10, 60],
    ['cluster-version-operator', 1, 20, 70],
    ['openshift-controller-manager', 2, 100, 100],
    ['oauth-openshift', 3, 50, 110],
    ['openshift-route-controller-manager', 2, 100, 100],
    ['cluster-policy-controller', 2, 10, 200],
    ['hosted-cluster-config-operator', 1, 60, 80],
    ['aws-cloud-controller-manager', 1, 85, 90],
    ['cloud-credential-operator', 1, 10, 75],
    ['cluster-storage-operator', 1, 10, 20],
    ['cluster-network-operator', 1, 30, 160],
    ['cluster-node-tuning-operator', 1, 10, 50],
    ['dns-operator', 1, 10, 29],
    ['machine-approver', 1, 10, 50],
    ['ingress-operator', 1, 30, 140],
    ['csi-snapshot-controller-operator', 1, 10, 65],
    ['cluster-image-registry-operator', 1, 30, 110],
    ['konnectivity-agent', 2, 40, 50],
    ['ignition-server', 2, 10, 40],
    ['ignition-server-proxy', 2, 10, 20],
    ['endpoint-resolver', 2, 5, 20],
    ['metrics-proxy', 2, 10, 40],
    ['router', 3, 50, 40],
    ['kube-storage-version-migrator', 1, 10, 200],
    ['catalog-operator', 1, 20, 110],
    ['olm-operator', 1, 20, 190],
    ['packageserver', 3, 30, 290],
    ['redhat-operators-catalog', 1, 10, 420],
    ['certified-operators-catalog', 1, 10, 160],
  ])('When %s is made, it should have %i replicas of %im and %iMi', (name, replicas, cpu, memory) => {
    const component = byName.get(name)!;
    expect(isEnabled(component, aws)).toBe(true);
    const workload = desiredWorkload(component, aws);
    expect((workload as unknown as appsv1.Deployment).spec?.replicas).toBe(replicas);
    expect(requestsOf(podTemplateOf(workload))).toEqual([cpu, memory]);
  });

  it('When components mount something, it should be among their volumes', () => {
    for (const component of controlPlaneComponentList.filter((one) => isEnabled(one, aws))) {
      const { spec } = podTemplateOf(desiredWorkload(component, aws));
      const known = [
        ...(spec?.volumes ?? []).map(({ name }) => name),
        ...(component.kind === 'StatefulSet' ? ['data'] : []),
      ];
      const mounted = [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])].flatMap(
        (one) => one.volumeMounts ?? [],
      );
      expect([component.name, mounted.filter(({ name }) => !known.includes(name))]).toEqual([component.name, []]);
    }
  });

  it('When components wait for others, those should exist', () => {
    for (const component of controlPlaneComponentList)
      for (const name of dependenciesOf(component, aws))
        expect(byName.has(name), `${component.name} needs ${name}`).toBe(true);
  });
});

describe('service accounts', () => {
  it('When components act as one of the hosted cluster, the PKI should be told which', () => {
    expect(serviceAccountsOf(controlPlaneComponentList, aws)).toEqual([
      {
        component: 'cloud-credential-operator',
        namespace: 'openshift-cloud-credential-operator',
        name: 'cloud-credential-operator',
      },
      { component: 'dns-operator', namespace: 'openshift-dns-operator', name: 'dns-operator' },
      { component: 'ingress-operator', namespace: 'openshift-ingress-operator', name: 'ingress-operator' },
    ]);
  });
});

describe('the API server of embedded releases', () => {
  it('When it is started, it should know every flag and refuse none', () => {
    const flags = upstreamFlags(testContext({ release: embedded }));
    expect(parseApiServerFlags(flags)).toMatchObject({ 'secure-port': '6443' });
    const names = flags.map((flag) => flag.slice(2, flag.indexOf('=')));
    expect(names.filter((name) => unsupportedFlags.includes(name))).toEqual([]);
  });
});
