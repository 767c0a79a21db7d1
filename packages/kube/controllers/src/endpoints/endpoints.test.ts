import type { corev1, discoveryv1 } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import { endpointSubsets } from './endpoints-controller.ts';
import { planSlices } from './slices.ts';

const aService = (spec: object = {}) =>
  ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web', namespace: 'ns', uid: 's' },
    spec: {
      clusterIP: '10.0.0.1',
      selector: { app: 'web' },
      ports: [{ name: 'http', port: 80, targetPort: 'web' }],
      ...spec,
    },
  }) as unknown as corev1.Service;
const aPod = (name: string, ip: string, state: { ready?: boolean; leaving?: boolean; port?: number } = {}) =>
  ({
    metadata: { name, namespace: 'ns', uid: name, ...(state.leaving ? { deletionTimestamp: 'x' } : {}) },
    spec: { nodeName: 'n', containers: [{ name: 'c', ports: [{ name: 'web', containerPort: state.port ?? 8080 }] }] },
    status: {
      podIP: ip,
      podIPs: [{ ip }],
      conditions: [{ type: 'Ready', status: state.ready === false ? 'False' : 'True' }],
    },
  }) as unknown as corev1.Pod;

describe('endpointSubsets', () => {
  it('When pods have different ports for one name, they should be apart; unready ones too', () => {
    const subsets = endpointSubsets(aService(), [
      aPod('b', '10.1.0.2'),
      aPod('a', '10.1.0.1'),
      aPod('c', '10.1.0.3', { ready: false }),
      aPod('d', '10.1.0.4', { port: 9090 }),
      aPod('e', '10.1.0.5', { leaving: true }),
    ]);
    const brief = subsets.map(({ addresses, notReadyAddresses, ports }) => [
      addresses?.map(({ ip }) => ip),
      notReadyAddresses?.map(({ ip }) => ip),
      ports?.map(({ port }) => port),
    ]);
    expect(brief).toEqual([
      [['10.1.0.1', '10.1.0.2'], ['10.1.0.3'], [8080]],
      [['10.1.0.4'], undefined, [9090]],
    ]);
  });

  it('When not ready addresses are published, all should be ready', () => {
    const [subset] = endpointSubsets(aService({ publishNotReadyAddresses: true }), [
      aPod('a', '10.1.0.1', { ready: false }),
    ]);
    expect(subset?.addresses).toHaveLength(1);
    expect(subset?.notReadyAddresses).toBeUndefined();
  });
});

describe('planSlices', () => {
  const plan = (pods: corev1.Pod[], live: discoveryv1.EndpointSlice[] = [], service = aService()) =>
    planSlices(service, pods, live, () => 'zone-1');
  const stored = (slice: object, name: string) =>
    ({
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      ...slice,
      metadata: { ...(slice as discoveryv1.EndpointSlice).metadata, name, uid: name },
    }) as discoveryv1.EndpointSlice;

  it('When there is nobody, there should be one empty slice, and it should stay', () => {
    const { create } = plan([]);
    expect(create).toHaveLength(1);
    expect(create[0]).toMatchObject({ endpoints: [], ports: [], addressType: 'IPv4' });
    expect(plan([], [stored(create[0] ?? {}, 's1')])).toEqual({ create: [], update: [], remove: [] });
  });

  it('When the first pod comes, its slice should be the empty one, changed', () => {
    const [empty] = plan([]).create;
    const { create, update, remove } = plan([aPod('a', '10.1.0.1')], [stored(empty ?? {}, 's1')]);
    expect([create, remove]).toEqual([[], []]);
    expect(update).toMatchObject([
      { metadata: { name: 's1' }, ports: [{ port: 8080 }], endpoints: [{ addresses: ['10.1.0.1'] }] },
    ]);
  });

  it('When a pod is leaving, it should still be there, serving but not ready', () => {
    const [slice] = plan([aPod('a', '10.1.0.1', { leaving: true })]).create;
    expect(slice?.endpoints?.[0]).toMatchObject({
      conditions: { ready: false, serving: true, terminating: true },
      zone: 'zone-1',
      nodeName: 'n',
    });
  });

  it('When nothing changed, it should write nothing; one more pod should change one slice', () => {
    const pods = Array.from({ length: 150 }, (_, i) => aPod(`p${i}`, `10.1.${i >> 7}.${i & 127}`));
    const { create } = plan(pods);
    expect(create.map(({ endpoints }) => endpoints?.length)).toEqual([100, 50]);
    const live = create.map((slice, i) => stored(slice, `s${i}`));
    expect(plan(pods, live)).toEqual({ create: [], update: [], remove: [] });
    const more = plan([...pods, aPod('new', '10.9.9.9')], live);
    expect([more.create.length, more.update.map(({ metadata }) => metadata.name), more.remove.length]).toEqual([
      0,
      ['s1'],
      0,
    ]);
    const fewer = plan(pods.slice(0, 100), live);
    expect([fewer.create.length, fewer.update.length, fewer.remove.map(({ metadata }) => metadata.name)]).toEqual([
      0,
      0,
      ['s1'],
    ]);
  });
});
