import { describe, expect, it } from 'vitest';
import { testContext, testRelease } from '../../testing/context.ts';
import { podTemplateOf } from '../../testing/rendered.ts';
import { component } from '../component.ts';
import { fixedLookup } from '../lookup.ts';
import { desiredWorkload } from '../workload.ts';
import { configHashOf } from './config-hash.ts';
import { replicasOf, strategyOf } from './replicas.ts';
import { requestOverride, resourcesOf } from './resources.ts';

const release = await testRelease();
const pod = () => ({ containers: [{ name: 'main', image: 'hyperkube', cpu: '10m', memory: '20Mi' }] });
const declared = (name: string, options: object = {}) => component(name, { pod, ...options });

describe('replicas', () => {
  const dedicated = { 'hypershift.openshift.io/topology': 'dedicated-request-serving-components' };
  it.each([
    ['etcd', {}, 'HighlyAvailable', {}, 3],
    ['kube-apiserver', {}, 'HighlyAvailable', {}, 3],
    ['kube-scheduler', {}, 'HighlyAvailable', {}, 2],
    ['kube-scheduler', { replicas: 1 }, 'HighlyAvailable', {}, 1],
    ['kube-apiserver', {}, 'SingleReplica', {}, 1],
    ['kube-apiserver', { requestServing: true }, 'HighlyAvailable', dedicated, 2],
    ['kube-scheduler', {}, 'HighlyAvailable', { 'hypershift.openshift.io/debug-deployments': 'a, kube-scheduler' }, 0],
  ] as const)('When %s %j is %s with %j, it should have %i', (name, options, availability, annotations, expected) => {
    expect(replicasOf(declared(name, options), testContext({ release, availability, annotations }))).toBe(expected);
  });

  it('When two replicas serve requests, one may be missing during a rollout', () => {
    expect(strategyOf(declared('x', { requestServing: true }), 2).rollingUpdate).toEqual({
      maxSurge: 1,
      maxUnavailable: 1,
    });
    expect(strategyOf(declared('x'), 2).rollingUpdate).toEqual({ maxSurge: 1, maxUnavailable: 0 });
    expect(strategyOf(declared('x'), 3).rollingUpdate).toEqual({ maxSurge: 0, maxUnavailable: 1 });
  });
});

describe('config hash', () => {
  const volumes = [
    { name: 'a', secret: { secretName: 's' } },
    { name: 'b', configMap: { name: 'c' } },
  ];
  const hash = (secret: object, name = 'c') =>
    configHashOf(
      volumes,
      fixedLookup([
        { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, data: secret } as never,
        { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { x: '1' } } as never,
      ]),
    );
  it('When values change places, it should change', () => {
    expect(hash({ a: '1', b: '2' })).not.toBe(hash({ a: '2', b: '1' }));
  });
  it('When a key is renamed, it should change', () => {
    expect(hash({ a: '1' })).not.toBe(hash({ z: '1' }));
  });
  it('When keys come in another order, it should not change', () => {
    expect(hash({ a: '1', b: '2' })).toBe(hash({ b: '2', a: '1' }));
  });
  it('When only the client CA changes, it should not change', () => {
    const of = (ca: string) =>
      configHashOf(
        [{ name: 'x', configMap: { name: 'client-ca' } }],
        fixedLookup([{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'client-ca' }, data: { ca } } as never]),
      );
    expect(of('1')).toBe(of('2'));
  });
});

describe('resources', () => {
  const main = { name: 'main', image: 'x', cpu: '10m', memory: '20Mi' };
  const override = { 'resource-request-override.hypershift.openshift.io/etcd.main': 'memory=3Gi, cpu=2' };
  it('When somebody changed them, it should keep theirs', () => {
    expect(resourcesOf(main, 'etcd', {}, { requests: { cpu: '1' }, limits: { cpu: '2' } })).toEqual({
      requests: { cpu: '1' },
      limits: { cpu: '2' },
    });
  });
  it('When an override is given, it should win over both', () => {
    expect(resourcesOf(main, 'etcd', override, { requests: { cpu: '1', memory: '1Gi' } })).toEqual({
      requests: { cpu: '2', memory: '3Gi' },
    });
  });
  it('When an override cannot be read, it should be left out', () => {
    const key = Object.keys(override)[0]!;
    expect(requestOverride('etcd', 'main', { [key]: 'cpu=,=1,memory=lots and lots' })).toEqual({});
  });
});

describe('pod defaults', () => {
  const context = testContext({
    release,
    spec: { labels: { team: 'a' }, tolerations: [{ key: 'mine', operator: 'Exists' }], nodeSelector: { disk: 'ssd' } },
  });
  const { metadata, spec } = podTemplateOf(
    desiredWorkload(declared('kube-scheduler', { zones: true, managementKasAccess: true }), context),
  );
  it('When a workload is made, it should carry the labels, tolerations and spread of every component', () => {
    expect(metadata?.labels).toEqual({
      app: 'kube-scheduler',
      team: 'a',
      'hypershift.openshift.io/control-plane-component': 'kube-scheduler',
      'hypershift.openshift.io/hosted-control-plane': 'clusters-demo',
      'hypershift.openshift.io/need-management-kas-access': 'true',
    });
    expect(spec?.tolerations?.map(({ key, value }) => [key, value])).toEqual([
      ['hypershift.openshift.io/control-plane', 'true'],
      ['hypershift.openshift.io/cluster', 'clusters-demo'],
      ['mine', undefined],
    ]);
    expect(spec?.nodeSelector).toEqual({ disk: 'ssd' });
    expect(spec?.automountServiceAccountToken).toBe(true);
    expect(spec?.priorityClassName).toBe('hypershift-control-plane');
    expect(
      spec?.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.map(
        ({ topologyKey }) => topologyKey,
      ),
    ).toEqual(['topology.kubernetes.io/zone', 'kubernetes.io/hostname']);
    expect(spec?.containers[0]?.volumeMounts).toContainEqual({ name: 'tmp-dir', mountPath: '/tmp' });
  });
});
