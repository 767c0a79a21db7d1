import { corev1, ManualClock } from '@hypershift-ts/kube-apimachinery';
import { capiv1beta1 as capi } from '@hypershift-ts/machines-cluster-api';
import { runClusterAutoscaler } from '@hypershift-ts/machines-cluster-autoscaler';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  aDeployment,
  deploymentWhen,
  eventually,
  isComplete,
  namespace,
  settle,
  startWorld,
  type World,
} from './fixture.ts';

const minute = 60_000;
const clock = new ManualClock();
const stopper = new AbortController();
const key = { namespace, name: 'pool' };
const sizes = 'cluster.x-k8s.io/cluster-api-autoscaler-node-group';
let world: World;
let running: Promise<void>;

beforeAll(async () => {
  world = await startWorld({ clock });
  await world.hosted.create(corev1.serviceaccounts, { metadata: { name: 'default', namespace: 'default' } });
  const { metadata, spec } = aDeployment(0);
  const annotations = {
    [`${sizes}-min-size`]: '0',
    [`${sizes}-max-size`]: '3',
    'machine.openshift.io/vCPU': '4',
    'machine.openshift.io/memoryMb': '16384',
  };
  await world.client.create(capi.machinedeployments, { metadata: { ...metadata, annotations }, spec });
  running = runClusterAutoscaler({
    managementClient: world.client,
    hostedClient: world.hosted,
    namespace,
    flags: { scaleDownDelayAfterAddMs: 10 * minute, skipNodesWithLocalStorage: false },
    clock,
    signal: stopper.signal,
  });
});
afterAll(async () => {
  stopper.abort();
  await running;
  await world.stop();
});

const replicas = async () => (await world.client.get(capi.machinedeployments, key)).spec.replicas ?? 0;
const nodeNames = async () =>
  (await world.hosted.list(corev1.nodes)).items.map(({ metadata }) => metadata.name ?? '').sort();
const sized = (count: number) =>
  deploymentWhen(world.client, (found) => found.spec.replicas === count && isComplete(found), `${count} nodes`, clock);

/** A pod of more than half a node that the scheduler found no node for. */
async function pendingPod(name: string): Promise<void> {
  const ownerReferences = [
    { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: 'web-uid', controller: true },
  ];
  await world.hosted.create(corev1.pods, {
    metadata: { name, namespace: 'default', ownerReferences },
    spec: {
      automountServiceAccountToken: false,
      containers: [{ name: 'web', image: 'web', resources: { requests: { cpu: '2100m', memory: '1Gi' } } }],
    },
  });
  const conditions = [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }];
  await setStatus(name, { conditions });
}
const setStatus = (name: string, status: object) =>
  world.hosted.patch(
    corev1.pods,
    { namespace: 'default', name },
    { type: 'merge', body: { status } },
    { subresource: 'status' },
  );

/** What the scheduler and a kubelet do. */
async function run(name: string, node: string): Promise<void> {
  const binding = { metadata: { name, namespace: 'default' }, target: { kind: 'Node', name: node } };
  await world.hosted.create(corev1.pods, binding as never, { subresource: 'binding' });
  await setStatus(name, { phase: 'Running', conditions: [{ type: 'PodScheduled', status: 'True' }] });
}
const remove = (name: string) =>
  world.hosted.delete(corev1.pods, { namespace: 'default', name }, { gracePeriodSeconds: 0 });

describe('the cluster autoscaler', () => {
  let busy = '';

  it('When pods wait and there is no node yet, it should make as many as they need', async () => {
    for (const name of ['a', 'b']) await pendingPod(name);
    await sized(2);
    const [first = '', second = ''] = await nodeNames();
    await run('a', first);
    await run('b', second);
    busy = first;
    clock.advance(minute);
    await settle();
    expect(await replicas()).toBe(2);
  });

  it('When more pods wait than the largest size can take, it should stop there', async () => {
    const names = ['c', 'd', 'e', 'f'];
    for (const name of names) await pendingPod(name);
    await sized(3);
    clock.advance(minute);
    await settle();
    expect(await replicas()).toBe(3);
    for (const name of names) await remove(name);
  });

  it('When a node is idle, it should be kept as long as it may be needed again, then go, and no other', async () => {
    const before = await nodeNames();
    clock.advance(9 * minute);
    await settle();
    expect(await nodeNames()).toEqual(before);
    clock.advance(2 * minute);
    await eventually(async () => (await nodeNames()).length === 2, 'the idle node goes', clock);
    expect(await nodeNames()).toContain(busy);
    expect(await replicas()).toBe(2);
  });

  it('When nothing needs nodes any more, it should stop at the smallest size', async () => {
    const body = { metadata: { annotations: { [`${sizes}-min-size`]: '1' } } };
    await world.client.patch(capi.machinedeployments, key, { type: 'merge', body });
    for (const name of ['a', 'b']) await remove(name);
    await settle();
    clock.advance(11 * minute);
    await settle();
    clock.advance(11 * minute);
    await eventually(async () => (await nodeNames()).length === 1, 'one node is left', clock);
    clock.advance(60 * minute);
    await settle();
    expect(await replicas()).toBe(1);
  });

  it('When a machine does not become a node in time, it should be given back and the group should pause', async () => {
    world.cloud.boots = false;
    const [node = ''] = await nodeNames();
    // What the node lifecycle controller does once a new node is ready.
    await world.hosted.patch(corev1.nodes, { name: node }, { type: 'merge', body: { spec: { taints: null } } });
    for (const name of ['x', 'y']) await pendingPod(name);
    await eventually(async () => (await replicas()) === 2, 'another machine is asked for', clock);
    await run('x', node);
    clock.advance(minute);
    await settle();
    clock.advance(14 * minute);
    await eventually(async () => (await replicas()) === 1, 'it is given back', clock);
    await settle();
    expect(await replicas()).toBe(1);
    world.cloud.boots = true;
    clock.advance(6 * minute);
    await sized(2);
    expect(await replicas()).toBe(2);
  });
});
