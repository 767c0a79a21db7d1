import type { corev1, policyv1 } from '@hypershift-ts/kube-apimachinery';
import type { capiv1beta1 as capi } from '@hypershift-ts/machines-cluster-api';
import { describe, expect, it } from 'vitest';
import { BackOffs } from './back-off.ts';
import { whyUnhealthy } from './cluster-health.ts';
import { choose, type Option } from './expander.ts';
import { defaultFlags, parseAutoscalerFlags } from './flags.ts';
import { whyHelpless } from './helpless.ts';
import { podsToMove } from './movable.ts';
import { type NodeGroup, nodeGroups } from './node-group.ts';
import { parsePriorities } from './priorities.ts';
import { coolDownUntil, noActivity, nodesToRemove } from './removal.ts';
import { type Candidate, unneededNodes } from './scale-down.ts';
import { type GroupState, planScaleUp } from './scale-up.ts';
import { type Lookups, Simulation } from './simulation.ts';
import { templateFromCapacity } from './template-node.ts';

const sizes = 'cluster.x-k8s.io/cluster-api-autoscaler-node-group';
const none: Lookups = {
  namespaceLabels: () => undefined,
  claim: () => undefined,
  volume: () => undefined,
  storageClass: () => undefined,
};
const first = () => 0;

function aDeployment(
  name: string,
  replicas: number,
  bounds: readonly [string, string],
  more: { readonly [key: string]: string } = {},
) {
  const annotations = { [`${sizes}-min-size`]: bounds[0], [`${sizes}-max-size`]: bounds[1], ...more };
  const template = { spec: { clusterName: 'demo', bootstrap: {}, infrastructureRef: {} } };
  return {
    apiVersion: '',
    kind: '',
    metadata: { name, annotations },
    spec: { clusterName: 'demo', replicas, selector: {}, template },
  };
}

function aGroup(
  name: string,
  cpu: string,
  memory: string,
  size: { readonly target?: number; readonly max?: number } = {},
): GroupState {
  const machine = {
    'capacity.cluster-autoscaler.kubernetes.io/cpu': cpu,
    'capacity.cluster-autoscaler.kubernetes.io/memory': memory,
  };
  const [group] = nodeGroups([aDeployment(name, size.target ?? 0, ['0', String(size.max ?? 10)], machine)], []);
  if (!group) throw new Error('no group');
  return { group, template: templateFromCapacity(group, undefined, []), upcoming: 0, backedOff: false };
}

function aPod(name: string, cpu: string, more: Partial<corev1.PodSpec> = {}): corev1.Pod {
  const ownerReferences = [
    { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: `of-${name[0]}`, controller: true },
  ];
  const containers = [{ name: 'c', image: 'i', resources: { requests: { cpu, memory: '1Gi' } } }];
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default', labels: { app: 'web' }, ownerReferences },
    spec: { containers, ...more },
  };
}

function aNode(name: string, cpu = '4'): corev1.Node {
  const allocatable = { cpu, memory: '16Gi', pods: '110' };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, uid: name },
    spec: {},
    status: { allocatable, conditions: [{ type: 'Ready', status: 'True' }] },
  };
}

describe('nodeGroups', () => {
  it('When both bounds are there and the largest is not zero, it should be a group', () => {
    const deployments = [
      aDeployment('a', 1, ['0', '3']),
      aDeployment('b', 1, ['0', '0']),
      aDeployment('c', 1, ['x', '3']),
    ];
    expect(nodeGroups(deployments, []).map(({ id, min, max, target }) => ({ id, min, max, target }))).toEqual([
      { id: 'MachineDeployment/a', min: 0, max: 3, target: 1 },
    ]);
  });

  it('When a set belongs to a deployment, it should not be a group of its own', () => {
    const ownerReferences = [
      { apiVersion: 'cluster.x-k8s.io/v1beta1', kind: 'MachineDeployment', name: 'a', uid: 'a', controller: true },
    ];
    const set = aDeployment('a-x', 1, ['0', '3']) as capi.MachineSet;
    expect(nodeGroups([], [{ ...set, metadata: { ...set.metadata, ownerReferences } }])).toEqual([]);
    expect(nodeGroups([], [set])).toHaveLength(1);
  });
});

describe('templateFromCapacity', () => {
  it('When annotations of OpenShift describe the machine, it should be read from them', () => {
    const [group] = nodeGroups(
      [
        aDeployment('a', 0, ['0', '3'], {
          'machine.openshift.io/vCPU': '8',
          'machine.openshift.io/memoryMb': '32768',
          'machine.openshift.io/GPU': '2',
          'capacity.cluster-autoscaler.kubernetes.io/labels': 'kubernetes.io/arch=arm64,team=a',
          'capacity.cluster-autoscaler.kubernetes.io/taints': 'dedicated=a:NoSchedule,spot:NoExecute',
        }),
      ],
      [],
    );
    const { node } = templateFromCapacity(group as NodeGroup, undefined, []) ?? {};
    expect(node?.status?.allocatable).toEqual({ cpu: '8', memory: '32768Mi', pods: '110', 'nvidia.com/gpu': '2' });
    expect(node?.metadata.labels).toMatchObject({ 'kubernetes.io/arch': 'arm64', team: 'a' });
    expect(node?.spec?.taints).toEqual([
      { key: 'dedicated', value: 'a', effect: 'NoSchedule' },
      { key: 'spot', effect: 'NoExecute' },
    ]);
  });

  it('When nothing describes it, there should be no template', () => {
    const [group] = nodeGroups([aDeployment('a', 0, ['0', '3'])], []);
    expect(templateFromCapacity(group as NodeGroup, undefined, [])).toBeUndefined();
    expect(templateFromCapacity(group as NodeGroup, { cpu: '2', memory: '8Gi' }, [])).toBeDefined();
  });
});

describe('whyHelpless', () => {
  const why = (pod: corev1.Pod, group: GroupState, flags = {}) =>
    whyHelpless(new Simulation([], [], none), pod, {
      groups: [group],
      sizes: new Map(),
      nodeCount: 3,
      flags: { ...defaultFlags, ...flags },
    });
  const small = aPod('a', '1');

  it('When a pod fits on no node of a group, it should name what is short and how large nodes would be', () => {
    expect(why(aPod('a', '8'), aGroup('a', '4', '16Gi'))).toMatch(
      /MachineDeployment\/a: a new node would not take it \(Insufficient cpu; it would have cpu 4, memory 16Gi/,
    );
  });

  it('When a group may not grow, it should say which bound stops it', () => {
    expect(why(small, aGroup('a', '4', '16Gi', { target: 2, max: 2 }))).toBe(
      'MachineDeployment/a: max node group size reached (2)',
    );
    expect(why(small, { ...aGroup('a', '4', '16Gi'), backedOff: true })).toContain('in backoff');
    expect(why(small, { ...aGroup('a', '4', '16Gi'), template: undefined })).toContain('nothing says how large');
    expect(why(small, aGroup('a', '4', '16Gi'), { maxNodesTotal: 3 })).toContain('maxNodesTotal');
  });
});

describe('planScaleUp', () => {
  const plan = (
    pods: readonly corev1.Pod[],
    groups: readonly GroupState[],
    flags = {},
    nodes: readonly corev1.Node[] = [],
  ) =>
    planScaleUp(new Simulation(nodes, [], none), {
      pending: pods,
      groups,
      nodeCount: nodes.length,
      flags: { ...defaultFlags, expanders: ['least-waste'], ...flags },
      random: first,
    });
  const pods = (count: number, cpu = '2') => Array.from({ length: count }, (_, index) => aPod(`a-${index}`, cpu));

  it('When pods fit on nodes that are there or on their way, it should add none', () => {
    expect(plan(pods(2), [aGroup('a', '4', '16Gi')], {}, [aNode('n')]).sizes.size).toBe(0);
    expect(plan(pods(2), [{ ...aGroup('a', '4', '16Gi', { target: 1 }), upcoming: 1 }]).sizes.size).toBe(0);
  });

  it('When they do not, it should add as many as they need, within the bounds', () => {
    expect(plan(pods(5), [aGroup('a', '4', '16Gi')]).sizes).toEqual(new Map([['MachineDeployment/a', 3]]));
    const bounded = plan(pods(9), [aGroup('a', '4', '16Gi', { max: 2 })]);
    expect(bounded.sizes).toEqual(new Map([['MachineDeployment/a', 2]]));
    expect(bounded.helpless).toHaveLength(5);
    expect(plan(pods(9), [aGroup('a', '4', '16Gi')], { maxNodesTotal: 1 }).sizes).toEqual(
      new Map([['MachineDeployment/a', 1]]),
    );
  });

  it('When no machine is large enough, it should add none and say whom it cannot help', () => {
    const result = plan(pods(1, '8'), [aGroup('a', '4', '16Gi')]);
    expect(result.sizes.size).toBe(0);
    expect(result.helpless).toHaveLength(1);
  });

  it('When machines fit better elsewhere, it should waste the least', () => {
    const groups = [aGroup('large', '32', '128Gi'), aGroup('small', '2', '4Gi')];
    expect(plan(pods(2, '1900m'), groups).sizes).toEqual(new Map([['MachineDeployment/small', 2]]));
  });

  it('When groups are alike and balancing is on, it should keep their sizes close', () => {
    const groups = [aGroup('a', '4', '16Gi', { target: 2 }), aGroup('b', '4', '16Gi'), aGroup('c', '4', '16Gi')];
    const { sizes: next } = plan(pods(8), groups, { balanceSimilarNodeGroups: true });
    expect([...next.values()]).toEqual([2, 2, 2]);
  });

  it('When a group did not bring nodes in time, it should pass it over', () => {
    expect(plan(pods(2), [{ ...aGroup('a', '4', '16Gi'), backedOff: true }]).sizes.size).toBe(0);
  });

  it('When a pod selects nodes by label, it should only count groups that have it', () => {
    const [picky] = [aPod('p', '1', { nodeSelector: { zone: 'b' } })];
    expect(plan([picky], [aGroup('a', '4', '16Gi')]).helpless).toHaveLength(1);
  });
});

describe('choose', () => {
  const option = (name: string): Option => {
    const { group, template } = aGroup(name, '4', '16Gi');
    if (!template) throw new Error('no template');
    return { group, template, count: 1, pods: [aPod('p', '1')] };
  };

  it('When the user ranked groups, it should take the highest', () => {
    const priorities = parsePriorities('10:\n  - .*spot.*\n50:\n  - .*reserved.*\n');
    const best = choose(
      [option('spot'), option('reserved'), option('other')],
      ['priority', 'least-waste'],
      priorities,
      first,
    );
    expect(best?.group.id).toBe('MachineDeployment/reserved');
  });

  it('When the ranking makes no sense, it should be as if there were none', () => {
    expect(parsePriorities(': [')).toBeUndefined();
    expect(parsePriorities('hello')).toBeUndefined();
    expect(choose([option('a'), option('b')], ['priority'], undefined, first)?.group.id).toBe('MachineDeployment/a');
  });
});

describe('podsToMove', () => {
  const budget = (disruptionsAllowed: number): policyv1.PodDisruptionBudget => ({
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'web', namespace: 'default' },
    spec: { selector: { matchLabels: { app: 'web' } } },
    status: { disruptionsAllowed, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1 },
  });

  it('When a budget allows fewer than would move, it should name the budget', () => {
    expect(podsToMove([aPod('a', '1')], [budget(0)], defaultFlags)).toEqual({
      blocked: 'pod default/a is held by PodDisruptionBudget web',
    });
    expect(podsToMove([aPod('a', '1'), aPod('b', '1')], [budget(1)], defaultFlags)).toHaveProperty('blocked');
    expect(podsToMove([aPod('a', '1')], [budget(1)], defaultFlags)).toHaveProperty('pods');
  });

  it('When a pod would be lost or must stay, it should say why', () => {
    const alone = { ...aPod('a', '1'), metadata: { name: 'a', namespace: 'default' } };
    expect(podsToMove([alone], [], defaultFlags)).toEqual({
      blocked: 'pod default/a has no controller that would replace it',
    });
    const data = aPod('a', '1', { volumes: [{ name: 'data', emptyDir: {} }] });
    expect(podsToMove([data], [], defaultFlags)).toHaveProperty('blocked');
    expect(podsToMove([data], [], { ...defaultFlags, skipNodesWithLocalStorage: false })).toHaveProperty('pods');
  });

  it('When a pod of the system has no budget, its node should stay unless the pod or the flag says otherwise', () => {
    const system = (annotations = {}): corev1.Pod => {
      const pod = aPod('s', '1');
      return { ...pod, metadata: { ...pod.metadata, namespace: 'kube-system', annotations } };
    };
    expect(podsToMove([system()], [], defaultFlags)).toEqual({
      blocked: 'pod kube-system/s is a system pod without a PodDisruptionBudget',
    });
    expect(podsToMove([system()], [], { ...defaultFlags, skipNodesWithSystemPods: false })).toHaveProperty('pods');
    const key = 'cluster-autoscaler.kubernetes.io/safe-to-evict';
    expect(podsToMove([system({ [key]: 'true' })], [], defaultFlags)).toHaveProperty('pods');
    const inSystem = { ...budget(1), metadata: { name: 'web', namespace: 'kube-system' } };
    expect(podsToMove([system()], [inSystem], defaultFlags)).toHaveProperty('pods');
    expect(podsToMove([system({ [key]: 'false' })], [inSystem], defaultFlags)).toHaveProperty('blocked');
  });

  it('When an unknown controller owns a pod, its node should stay unless the flag says otherwise', () => {
    const ownerReferences = [{ apiVersion: 'example.com/v1', kind: 'Game', name: 'g', uid: 'g', controller: true }];
    const pod = { ...aPod('g', '1'), metadata: { name: 'g', namespace: 'default', ownerReferences } };
    expect(podsToMove([pod], [], defaultFlags)).toEqual({
      blocked: 'pod default/g belongs to a Game, which may not replace it',
    });
    const trusting = { ...defaultFlags, skipNodesWithCustomControllerPods: false };
    expect(podsToMove([pod], [], trusting)).toHaveProperty('pods');
  });

  it('When a mirror of a static pod runs, it should not have to move', () => {
    const pod = aPod('m', '1');
    const metadata = { ...pod.metadata, annotations: { 'kubernetes.io/config.mirror': 'x' }, ownerReferences: [] };
    expect(podsToMove([{ ...pod, metadata }], [], defaultFlags)).toEqual({ pods: [] });
  });

  it('When only daemons run, nothing should have to move', () => {
    const ownerReferences = [{ apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'd', uid: 'd', controller: true }];
    const daemon = { ...aPod('d', '1'), metadata: { name: 'd', namespace: 'default', ownerReferences } };
    expect(podsToMove([daemon], [], defaultFlags)).toEqual({ pods: [] });
  });
});

describe('unneededNodes', () => {
  const machine = {
    apiVersion: '',
    kind: '',
    metadata: { name: 'm' },
    spec: { clusterName: '', bootstrap: {}, infrastructureRef: {} },
  };
  const on = (pod: corev1.Pod, nodeName: string): corev1.Pod => ({ ...pod, spec: { ...pod.spec, nodeName } });
  const unneeded = (nodes: readonly corev1.Node[], pods: readonly corev1.Pod[], target = nodes.length, min = 0) => {
    const group = { ...aGroup('a', '4', '16Gi').group, target, min };
    const members = nodes.map((node) => ({ node, machine, group }));
    const found = unneededNodes(new Simulation(nodes, pods, none), { members, budgets: [], flags: defaultFlags });
    return found.map(({ node, empty }) => `${node.metadata.name}${empty ? '' : ' to empty'}`);
  };

  it('When nodes are idle, it should spare as many as the smallest size asks for', () => {
    expect(unneeded([aNode('a'), aNode('b'), aNode('c')], [], 3, 1)).toEqual(['a', 'b']);
  });

  it('When the pods of a node fit elsewhere, it may go; when they do not, it stays', () => {
    const nodes = [aNode('a'), aNode('b')];
    expect(unneeded(nodes, [on(aPod('x', '1'), 'a'), on(aPod('y', '3'), 'b')])).toEqual(['a to empty']);
    expect(unneeded(nodes, [on(aPod('x', '1500m'), 'a'), on(aPod('y', '3'), 'b')])).toEqual([]);
  });

  it('When two half-empty nodes fit into one, it should free only one of them', () => {
    expect(unneeded([aNode('a'), aNode('b')], [on(aPod('x', '1'), 'a'), on(aPod('y', '1'), 'b')])).toEqual([
      'a to empty',
    ]);
  });
});

describe('whyUnhealthy', () => {
  const now = Date.UTC(2026, 0, 1);
  const away = (name: string, ageMinutes: number): corev1.Node => {
    const node = aNode(name);
    const creationTimestamp = new Date(now - ageMinutes * 60_000).toISOString();
    const conditions = [{ type: 'Ready', status: 'False' }] as never;
    return { ...node, metadata: { ...node.metadata, creationTimestamp }, status: { ...node.status, conditions } };
  };
  const many = (count: number, ageMinutes: number) =>
    Array.from({ length: count }, (_, index) => away(`away-${index}`, ageMinutes));

  it('When many nodes are away at once, it should say so; a few, or young ones, are no reason', () => {
    const well = [aNode('a'), aNode('b'), aNode('c')];
    expect(whyUnhealthy([...well, ...many(4, 60)], defaultFlags, now)).toMatch(/^4 of 7 nodes are not ready/);
    expect(whyUnhealthy([...well, ...many(3, 60)], defaultFlags, now)).toBeUndefined();
    expect(whyUnhealthy([...well, ...many(9, 5)], defaultFlags, now)).toBeUndefined();
  });
});

describe('when nodes go', () => {
  it('When it just added, deleted or failed, it should wait the time of each flag', () => {
    const idle = noActivity();
    expect(coolDownUntil(idle, defaultFlags)).toBe(Number.NEGATIVE_INFINITY);
    expect(coolDownUntil({ ...idle, lastAddMs: 1000 }, defaultFlags)).toBe(1000 + 600_000);
    expect(coolDownUntil({ ...idle, lastDeleteMs: 1000 }, defaultFlags)).toBe(1000 + 10_000);
    expect(coolDownUntil({ ...idle, lastFailureMs: 1000 }, defaultFlags)).toBe(1000 + 180_000);
  });

  it('When several are due, it should take empty ones together and others one by one', () => {
    const candidate = (empty: boolean) => ({ empty }) as Candidate;
    expect(nodesToRemove([candidate(false), candidate(true), candidate(true)], defaultFlags)).toHaveLength(2);
    expect(nodesToRemove([candidate(false), candidate(false)], defaultFlags)).toHaveLength(1);
  });
});

describe('BackOffs', () => {
  const minute = 60_000;
  const late = (...uids: string[]) => new Map([['a', uids.map((uid) => ({ metadata: { uid } }) as capi.Machine)]]);

  it('When machines are late, their group should wait, and longer each time', () => {
    const backOffs = new BackOffs();
    backOffs.update(late('1'), 0);
    expect(backOffs.isBackedOff('a', 4 * minute)).toBe(true);
    expect(backOffs.isBackedOff('b', 0)).toBe(false);
    expect(backOffs.endsIn(0)).toBe(5 * minute);
    backOffs.update(late('1'), 5 * minute);
    expect(backOffs.isBackedOff('a', 5 * minute)).toBe(false);
    backOffs.update(late('2'), 6 * minute);
    expect(backOffs.endsIn(6 * minute)).toBe(10 * minute);
  });

  it('When all went well for long, it should start with the shortest time again', () => {
    const backOffs = new BackOffs();
    backOffs.update(late('1'), 0);
    backOffs.update(late('2'), 300 * minute);
    expect(backOffs.endsIn(300 * minute)).toBe(5 * minute);
  });
});

describe('parseAutoscalerFlags', () => {
  it('When the control plane passes its flags, it should read those that decide something', () => {
    const flags = parseAutoscalerFlags([
      '--cloud-provider=clusterapi',
      '--scale-down-unneeded-time=300s',
      '--scale-down-utilization-threshold=0.40',
      '--skip-nodes-with-local-storage=false',
      '--balance-similar-node-groups=true',
      '--balancing-ignore-label=hypershift.openshift.io/nodePool',
      '--balancing-ignore-label=lifecycle',
      '--expander=priority,least-waste',
    ]);
    expect(flags).toMatchObject({
      scaleDownUnneededTimeMs: 300_000,
      scaleDownUtilizationThreshold: 0.4,
      skipNodesWithLocalStorage: false,
      balanceSimilarNodeGroups: true,
      balancingIgnoreLabels: ['hypershift.openshift.io/nodePool', 'lifecycle'],
      expanders: ['priority', 'least-waste'],
    });
  });

  it('When a value makes no sense, it should name the flag', () => {
    expect(() => parseAutoscalerFlags(['--scan-interval=soon'])).toThrow(
      'flag --scan-interval: "soon" is not a duration',
    );
  });
});
