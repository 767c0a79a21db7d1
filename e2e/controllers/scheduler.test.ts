import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import { corev1 as core, schedulingv1 } from '@hypershift-ts/kube-apimachinery';
import type { NewObject } from '@hypershift-ts/kube-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestCluster } from './testing/cluster.ts';
import { aNode, eventReasons, eventually, settled, testCluster } from './testing/cluster.ts';

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await testCluster({ nodes: 0 });
});
afterAll(() => cluster?.stop());

const namespace = 'default';
const pod = (name: string, spec: Partial<corev1.PodSpec> = {}, labels: Record<string, string> = {}) =>
  cluster.client.create(core.pods, {
    metadata: { name, namespace, labels },
    spec: { containers: [{ name: 'c', image: 'example/a:1' }], terminationGracePeriodSeconds: 0, ...spec },
  } as NewObject<corev1.Pod>);
const nodesOf = async (names: string[]) => {
  const nodes = await Promise.all(names.map(nodeOf));
  return nodes.filter((node) => node !== undefined).sort();
};
const nodeOf = async (name: string) => (await cluster.client.get(core.pods, { namespace, name })).spec.nodeName;
const whyNot = async (name: string) => {
  const { status } = await cluster.client.get(core.pods, { namespace, name });
  return status?.conditions?.find(({ type }) => type === 'PodScheduled');
};
const asking = (cpu: string) => ({
  containers: [{ name: 'c', image: 'example/a:1', resources: { requests: { cpu } } }],
});

describe('scheduler', () => {
  it('When there is no node, it should say so, and place the pod when one comes', async () => {
    await pod('early');
    await eventually(async () =>
      expect(await whyNot('early')).toMatchObject({
        status: 'False',
        reason: 'Unschedulable',
        message: 'no nodes available to schedule pods',
      }),
    );
    await cluster.client.create(core.nodes, aNode('a'));
    await eventually(async () => expect(await nodeOf('early')).toBe('a'));
    await eventually(async () =>
      expect(await eventReasons(cluster.client, 'early')).toEqual(
        expect.arrayContaining(['FailedScheduling', 'Scheduled']),
      ),
    );
  });

  it('When nodes are tainted or full, it should name each reason with its count', async () => {
    await cluster.client.create(
      core.nodes,
      aNode('b', { spec: { taints: [{ key: 'dedicated', value: 'x', effect: 'NoSchedule' }] } }),
    );
    await cluster.client.create(core.nodes, aNode('c', { spec: { unschedulable: true } }));
    await pod('big', asking('16'));
    await eventually(async () =>
      expect((await whyNot('big'))?.message).toBe(
        '0/3 nodes are available: 1 Insufficient cpu, 1 node(s) had untolerated taint {dedicated: x}, ' +
          '1 node(s) were unschedulable. preemption: 0/3 nodes are available: ' +
          '3 Preemption is not helpful for scheduling.',
      ),
    );
    await settled(cluster);
    await cluster.client.delete(core.pods, { namespace, name: 'big' });
  });

  it('When a pod tolerates, selects or has an affinity, it should go there', async () => {
    await pod('tolerant', {
      tolerations: [{ key: 'dedicated', operator: 'Exists' }],
      nodeSelector: { 'kubernetes.io/hostname': 'b' },
    });
    await eventually(async () => expect(await nodeOf('tolerant')).toBe('b'));
    const required = (value: string) => ({
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: [value] }] }],
        },
      },
    });
    await pod('chosen', { affinity: required('a') });
    await eventually(async () => expect(await nodeOf('chosen')).toBe('a'));
  });

  it('When pods refuse each other, it should keep them on different nodes and wait for room', async () => {
    const antiAffinity = {
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'apart' } } },
        ],
      },
    };
    await cluster.client.create(core.nodes, aNode('d'));
    for (const name of ['x', 'y', 'z']) await pod(`apart-${name}`, { affinity: antiAffinity }, { app: 'apart' });
    await eventually(async () => {
      expect(await nodesOf(['apart-x', 'apart-y', 'apart-z'])).toEqual(['a', 'd']);
    });
    await cluster.client.create(core.nodes, aNode('e'));
    await eventually(async () => {
      expect(await nodesOf(['apart-x', 'apart-y', 'apart-z'])).toEqual(['a', 'd', 'e']);
    });
  });

  it('When a spread constraint is hard, it should even the pods out', async () => {
    const constraint = {
      maxSkew: 1,
      topologyKey: 'kubernetes.io/hostname',
      whenUnsatisfiable: 'DoNotSchedule',
      labelSelector: { matchLabels: { app: 'even' } },
      nodeTaintsPolicy: 'Honor',
    };
    for (let i = 0; i < 6; i++) await pod(`even-${i}`, { topologySpreadConstraints: [constraint] }, { app: 'even' });
    await eventually(async () => {
      const placed = await Promise.all([0, 1, 2, 3, 4, 5].map((i) => nodeOf(`even-${i}`)));
      expect(placed.filter(Boolean).length).toBeGreaterThanOrEqual(3);
      expect(new Set(placed.filter(Boolean)).size).toBe(3);
    });
  });

  it('When a gate is set, it should wait until the gate is gone', async () => {
    await pod('gated', { schedulingGates: [{ name: 'example.org/later' }] });
    await pod('free');
    await eventually(async () => expect(await nodeOf('free')).toBeDefined());
    expect(await nodeOf('gated')).toBeUndefined();
    await cluster.client.patch(
      core.pods,
      { namespace, name: 'gated' },
      { type: 'json', body: [{ op: 'remove', path: '/spec/schedulingGates' }] },
    );
    await eventually(async () => expect(await nodeOf('gated')).toBeDefined());
  });

  it('When a more important pod needs the room, it should make the least important one leave', async () => {
    await cluster.client.create(schedulingv1.priorityclasses, { metadata: { name: 'high' }, value: 1000 });
    const there = { nodeSelector: { 'kubernetes.io/hostname': 'f' } };
    await cluster.client.create(core.nodes, aNode('f'));
    await pod('low', { ...asking('3'), ...there });
    await eventually(async () =>
      expect((await cluster.client.get(core.pods, { namespace, name: 'low' })).status?.phase).toBe('Running'),
    );
    await pod('high', { ...asking('3'), ...there, priorityClassName: 'high' });
    await eventually(async () => expect(await nodeOf('high')).toBe('f'), 15_000);
    await expect(nodeOf('low')).rejects.toThrow('not found');
    expect(await eventReasons(cluster.client, 'low')).toContain('Preempted');
    expect(cluster.logged).toEqual([]);
  });
});
