import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import { podRequests } from '../../placement/pod-requests.ts';
import { diagnosisText } from '../diagnosis.ts';
import { NodeState } from '../node-state.ts';
import { bestCandidate, victimsOn } from '../preemption.ts';
import { scoreNodes } from '../scores/scores.ts';
import type { Surroundings } from './filter.ts';
import { filtersFor } from './index.ts';

const aPod = (name: string, spec: object = {}, labels: object = {}) =>
  ({
    metadata: { name, namespace: 'ns', uid: name, labels },
    spec: { containers: [], ...spec },
  }) as unknown as corev1.Pod;
const asking = (requests: object) => ({ containers: [{ name: 'c', resources: { requests } }] });
const aState = (name: string, node: object = {}, pods: corev1.Pod[] = [], labels: object = {}) => {
  const state = new NodeState({
    metadata: { name, labels: { host: name, ...labels } },
    status: { allocatable: { cpu: '2', memory: '4Gi', pods: '3' } },
    ...node,
  } as unknown as corev1.Node);
  for (const pod of pods) state.add(pod);
  return state;
};
const around = (...nodes: NodeState[]): Surroundings => ({
  nodes,
  repelling: nodes.flatMap((state) => [...state.pods.values()].map((pod) => ({ state, pod }))),
  namespaceLabels: (name) => ({ 'kubernetes.io/metadata.name': name }),
  claim: (_namespace, name) =>
    name === 'unbound' ? ({ metadata: {}, spec: {} } as corev1.PersistentVolumeClaim) : undefined,
  volume: () => undefined,
  storageClass: () => undefined,
});
const judge = (pod: corev1.Pod, state: NodeState, ...others: NodeState[]) => {
  const filters = filtersFor(pod, around(state, ...others));
  return 'blocked' in filters ? filters.blocked : filters.filter(state)?.reasons;
};
const near = (kind: 'podAffinity' | 'podAntiAffinity', app: string) => ({
  affinity: {
    [kind]: {
      requiredDuringSchedulingIgnoredDuringExecution: [
        { topologyKey: 'host', labelSelector: { matchLabels: { app } } },
      ],
    },
  },
});

describe('filters', () => {
  it.each([
    ['an empty node', aPod('p'), aState('a'), undefined],
    ['too little cpu', aPod('p', asking({ cpu: '2500m' })), aState('a'), ['Insufficient cpu']],
    [
      'cpu taken by others',
      aPod('p', asking({ cpu: 1 })),
      aState('a', {}, [aPod('o', asking({ cpu: '1500m' }))]),
      ['Insufficient cpu'],
    ],
    ['too many pods', aPod('p'), aState('a', {}, [aPod('1'), aPod('2'), aPod('3')]), ['Too many pods']],
    ['an unknown resource', aPod('p', asking({ 'example.org/gpu': 1 })), aState('a'), ['Insufficient example.org/gpu']],
    ['a cordoned node', aPod('p'), aState('a', { spec: { unschedulable: true } }), ['node(s) were unschedulable']],
    [
      'a taint',
      aPod('p'),
      aState('a', { spec: { taints: [{ key: 'k', value: 'v', effect: 'NoSchedule' }] } }),
      ['node(s) had untolerated taint {k: v}'],
    ],
    [
      'a selector',
      aPod('p', { nodeSelector: { disk: 'ssd' } }),
      aState('a'),
      ["node(s) didn't match Pod's node affinity/selector"],
    ],
    [
      'an unbound claim',
      aPod('p', { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'unbound' } }] }),
      aState('a'),
      'pod has unbound immediate PersistentVolumeClaims',
    ],
    [
      'a missing claim',
      aPod('p', { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'gone' } }] }),
      aState('a'),
      'persistentvolumeclaim "gone" not found',
    ],
    [
      'anti-affinity',
      aPod('p', near('podAntiAffinity', 'x')),
      aState('a', {}, [aPod('o', {}, { app: 'x' })]),
      ["node(s) didn't match pod anti-affinity rules"],
    ],
    [
      'anti-affinity of another',
      aPod('p', {}, { app: 'x' }),
      aState('a', {}, [aPod('o', near('podAntiAffinity', 'x'))]),
      ["node(s) didn't satisfy existing pods anti-affinity rules"],
    ],
    [
      'affinity without a partner',
      aPod('p', near('podAffinity', 'x')),
      aState('a'),
      ["node(s) didn't match pod affinity rules"],
    ],
    ['affinity to itself', aPod('p', near('podAffinity', 'x'), { app: 'x' }), aState('a'), undefined],
  ])('When there is %s, it should answer so', (_name, pod, state, expected) => {
    expect(judge(pod, state)).toEqual(expected);
  });

  it('When a host port is taken, it should be refused', () => {
    const listening = { containers: [{ name: 'c', ports: [{ containerPort: 80, hostPort: 80 }] }] };
    expect(judge(aPod('p', listening), aState('a', {}, [aPod('o', listening)]))).toEqual([
      "node(s) didn't have free ports for the requested pod ports",
    ]);
  });

  it('When a spread constraint would be broken, it should be refused there and only there', () => {
    const constraint = {
      maxSkew: 1,
      topologyKey: 'host',
      whenUnsatisfiable: 'DoNotSchedule',
      labelSelector: { matchLabels: { app: 'x' } },
    };
    const pod = aPod('p', { topologySpreadConstraints: [constraint] }, { app: 'x' });
    const full = aState('a', {}, [aPod('1', {}, { app: 'x' })]);
    const empty = aState('b');
    expect(judge(pod, full, empty)).toEqual(["node(s) didn't match pod topology spread constraints"]);
    expect(judge(pod, empty, full)).toBeUndefined();
  });

  it('When init containers and sidecars ask for more, the hungriest moment should count', () => {
    const cpu = (amount: string, extra: object = {}) => ({
      name: amount,
      resources: { requests: { cpu: amount } },
      ...extra,
    });
    const spec = { containers: [cpu('100m')], initContainers: [cpu('50m', { restartPolicy: 'Always' }), cpu('300m')] };
    expect(podRequests(spec as unknown as corev1.PodSpec)).toEqual({ cpu: 350 });
  });
});

describe('diagnosis', () => {
  it('When nodes refuse for different reasons, it should count and sort them', () => {
    const refusal = (...reasons: string[]) => ({ reasons, cause: 'node', preemptible: false }) as const;
    expect(
      diagnosisText(3, [
        refusal('node(s) were unschedulable'),
        refusal('Insufficient cpu', 'Insufficient memory'),
        refusal('Insufficient cpu'),
      ]),
    ).toBe('0/3 nodes are available: 1 Insufficient memory, 1 node(s) were unschedulable, 2 Insufficient cpu.');
  });
});

describe('choosing', () => {
  it('When nodes are loaded differently, the emptier one should score higher', () => {
    const busy = aState('a', {}, [aPod('o', asking({ cpu: '1500m', memory: '3Gi' }))]);
    const idle = aState('b');
    const scores = scoreNodes(aPod('p'), [busy, idle], around(busy, idle));
    expect(scores.get(idle)).toBeGreaterThan(scores.get(busy) ?? 0);
  });

  it('When room must be made, it should take as few and as unimportant pods as possible', () => {
    const pod = (name: string, cpu: string, priority: number) => aPod(name, { ...asking({ cpu }), priority });
    const incoming = pod('p', '1', 100);
    const candidates = [
      aState('a', {}, [pod('a1', '1', 50), pod('a2', '1', 10)]),
      aState('b', {}, [pod('b1', '2', 60)]),
    ].map((state) =>
      victimsOn(
        incoming,
        state,
        (trial) => {
          const filters = filtersFor(incoming, around(trial));
          return 'blocked' in filters ? undefined : filters.filter;
        },
        [],
      ),
    );
    const best = bestCandidate(candidates.filter((one) => one !== undefined));
    expect(best?.node.name).toBe('a');
    expect(best?.victims.map(({ metadata }) => metadata.name)).toEqual(['a2']);
  });
});
