import { corev1, findCondition, formatTime, ManualClock, policyv1, storagev1 } from '@hypershift-ts/kube-apimachinery';
import { capiv1beta1 as capi } from '@hypershift-ts/machines-cluster-api';
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
let world: World;

beforeAll(async () => {
  world = await startWorld({ clock });
  await world.client.create(capi.machinedeployments, aDeployment(5));
  await deploymentWhen(world.client, isComplete, '5 machines', clock);
  await world.client.create(capi.machinehealthchecks, {
    metadata: { name: 'pool', namespace },
    spec: {
      clusterName: 'demo',
      selector: { matchLabels: { pool: 'pool' } },
      maxUnhealthy: 2,
      nodeStartupTimeout: '20m',
      unhealthyConditions: [
        { type: 'Ready', status: 'False', timeout: '8m' },
        { type: 'Ready', status: 'Unknown', timeout: '8m' },
      ],
    },
  });
});
afterAll(() => world.stop());

const machines = async () => (await world.client.list(capi.machines, { namespace })).items;
const names = async () => (await machines()).map(({ metadata }) => metadata.name ?? '').sort();
const check = () => world.client.get(capi.machinehealthchecks, { namespace, name: 'pool' });
const allWell = () => deploymentWhen(world.client, isComplete, 'all machines are available', clock);

async function setReady(node: string, status: 'True' | 'Unknown'): Promise<void> {
  const time = formatTime(clock.now());
  const conditions = [
    {
      type: 'Ready',
      status,
      reason: status === 'True' ? 'KubeletReady' : 'NodeStatusUnknown',
      lastTransitionTime: time,
    },
  ];
  await world.hosted.patch(
    corev1.nodes,
    { name: node },
    // By type: what else the node reports stays.
    { type: 'strategic', body: { status: { conditions } } },
    { subresource: 'status' },
  );
}

describe('a MachineHealthCheck', () => {
  it('When all nodes are well, it should count them and allow two repairs', async () => {
    const found = await eventually(
      async () => (await check()).status?.currentHealthy === 5 && check(),
      '5 healthy',
      clock,
    );
    expect(found.status).toMatchObject({ expectedMachines: 5, currentHealthy: 5, remediationsAllowed: 2 });
    expect(found.status?.targets).toEqual(await names());
  });

  it('When one node of five is cut off, it should be replaced after the timeout and not before', async () => {
    const before = await names();
    const [victim = ''] = before;
    await setReady(victim, 'Unknown');
    await eventually(async () => (await check()).status?.currentHealthy === 4, 'the loss is noticed', clock);
    clock.advance(7 * minute);
    await settle();
    expect(await names()).toEqual(before);
    clock.advance(minute + 2000);
    await eventually(async () => !(await names()).includes(victim), 'the machine is replaced', clock);
    await allWell();
    expect((await names()).filter((name) => before.includes(name))).toHaveLength(4);
  });

  it('When three of five are cut off, the brake should hold and say why', async () => {
    const before = await names();
    for (const victim of before.slice(0, 3)) await setReady(victim, 'Unknown');
    clock.advance(10 * minute);
    const found = await eventually(
      async () => {
        const current = await check();
        return findCondition(current.status?.conditions, 'RemediationAllowed')?.status === 'False' && current;
      },
      'the brake',
      clock,
    );
    expect(findCondition(found.status?.conditions, 'RemediationAllowed')).toMatchObject({
      reason: 'TooManyUnhealthy',
      severity: 'Warning',
      message:
        'Remediation is not allowed, the number of not started or unhealthy machines exceeds maxUnhealthy (total: 5, unhealthy: 3, maxUnhealthy: 2)',
    });
    clock.advance(60 * minute);
    await settle();
    expect(await names()).toEqual(before);
    const marked = await eventually(
      async () => {
        const found = (await machines()).filter(
          ({ status }) => findCondition(status?.conditions, 'HealthCheckSucceeded')?.status === 'False',
        );
        return found.length === 3 && found;
      },
      'their health is told',
      clock,
    );
    expect(findCondition(marked[0]?.status?.conditions, 'HealthCheckSucceeded')).toMatchObject({
      reason: 'UnhealthyNode',
      message: 'Condition Ready on Node is reporting status Unknown with reason NodeStatusUnknown for more than 8m0s',
    });
    for (const victim of before.slice(0, 3)) await setReady(victim, 'True');
    await allWell();
    expect(await names()).toEqual(before);
  });

  it('When a machine never becomes a node, it should be replaced after the startup timeout', async () => {
    world.cloud.boots = false;
    const before = await names();
    await world.client.patch(
      capi.machinedeployments,
      { namespace, name: 'pool' },
      { type: 'merge', body: { spec: { replicas: 6 } } },
    );
    const late = await eventually(async () => (await names()).find((name) => !before.includes(name)), 'a sixth', clock);
    clock.advance(19 * minute);
    await settle();
    expect(await names()).toContain(late);
    world.cloud.boots = true;
    clock.advance(2 * minute);
    await eventually(async () => !(await names()).includes(late), 'it is replaced', clock);
    await allWell();
  });
});

describe('the drain of a machine', () => {
  const pod = { namespace: 'default', name: 'web-0' };

  async function runPod(nodeName: string): Promise<void> {
    await world.hosted
      .create(corev1.serviceaccounts, { metadata: { name: 'default', namespace: 'default' } })
      .catch(() => {});
    await world.hosted.create(corev1.pods, {
      metadata: { ...pod, labels: { app: 'web' } },
      spec: { nodeName, automountServiceAccountToken: false, containers: [{ name: 'web', image: 'web' }] },
    });
    const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
    await world.hosted.patch(corev1.pods, pod, { type: 'merge', body: { status } }, { subresource: 'status' });
    await world.hosted.create(policyv1.poddisruptionbudgets, {
      metadata: { name: 'web-budget', namespace: 'default' },
      spec: { minAvailable: 1, selector: { matchLabels: { app: 'web' } } },
    });
    await allow(0);
  }
  async function allow(disruptionsAllowed: number): Promise<void> {
    const status = { disruptionsAllowed, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1, observedGeneration: 1 };
    const key = { namespace: 'default', name: 'web-budget' };
    await world.hosted.patch(
      policyv1.poddisruptionbudgets,
      key,
      { type: 'merge', body: { status } },
      { subresource: 'status' },
    );
  }

  it('When a PodDisruptionBudget refuses, it should wait and name pod and budget, and go on when it may', async () => {
    const [name = ''] = await names();
    await runPod(name);
    await world.client.delete(capi.machines, { namespace, name });
    const machine = await eventually(
      async () => {
        const found = await world.client.get(capi.machines, { namespace, name });
        return findCondition(found.status?.conditions, 'DrainingSucceeded') && found;
      },
      'the drain waits',
      clock,
    );
    const drain = findCondition(machine.status?.conditions, 'DrainingSucceeded');
    expect(drain).toMatchObject({ status: 'False', reason: 'Draining', severity: 'Info' });
    expect(drain?.message).toContain('Pod default/web-0: cannot evict pod');
    expect(drain?.message).toContain('The disruption budget web-budget needs 1 healthy pods and has 1 currently');
    expect(findCondition(machine.status?.v1beta2?.conditions, 'Deleting')?.reason).toBe('DrainingNode');
    expect((await world.hosted.get(corev1.nodes, { name })).spec?.unschedulable).toBe(true);
    await settle();
    expect(await names()).toContain(name);
    await allow(1);
    await eventually(
      async () => (await world.hosted.get(corev1.pods, pod)).metadata.deletionTimestamp,
      'the eviction',
      clock,
    );
    await world.hosted.delete(corev1.pods, pod, { gracePeriodSeconds: 0 });
    await eventually(async () => !(await names()).includes(name), 'the machine is gone', clock);
    await allWell();
    expect((await world.hosted.list(corev1.nodes)).items.map(({ metadata }) => metadata.name)).not.toContain(name);
  });

  it('When the drain takes longer than its timeout, it should go on without it', async () => {
    const [name = ''] = await names();
    await world.hosted.delete(policyv1.poddisruptionbudgets, { namespace: 'default', name: 'web-budget' });
    await runPod(name);
    const body = { spec: { template: { spec: { nodeDrainTimeout: '10m' } } } };
    await world.client.patch(capi.machinedeployments, { namespace, name: 'pool' }, { type: 'merge', body });
    await eventually(
      async () => (await machines()).every(({ spec }) => spec.nodeDrainTimeout === '10m'),
      'timeout',
      clock,
    );
    await world.client.delete(capi.machines, { namespace, name });
    await eventually(
      async () => (await world.client.get(capi.machines, { namespace, name })).status?.deletion,
      'drain',
      clock,
    );
    clock.advance(9 * minute);
    await settle();
    expect(await names()).toContain(name);
    clock.advance(2 * minute);
    await eventually(async () => !(await names()).includes(name), 'the machine is gone', clock);
    await allWell();
  });

  it('When volumes are still attached, it should wait for them and name them', async () => {
    const [name = ''] = await names();
    const attachment = { name: 'csi-1' };
    await world.hosted.create(storagev1.volumeattachments, {
      metadata: attachment,
      spec: { attacher: 'ebs.csi.aws.com', nodeName: name, source: { persistentVolumeName: 'pvc-1' } },
    });
    const attached = { type: 'merge', body: { status: { attached: true } } } as const;
    await world.hosted.patch(storagev1.volumeattachments, attachment, attached, { subresource: 'status' });
    await world.client.delete(capi.machines, { namespace, name });
    const waiting = await eventually(
      async () => {
        const { status } = await world.client.get(capi.machines, { namespace, name });
        return findCondition(status?.conditions, 'VolumeDetachSucceeded');
      },
      'the wait',
      clock,
    );
    expect(waiting).toMatchObject({ status: 'False', reason: 'WaitingForVolumeDetach' });
    expect(waiting.message).toContain('PersistentVolume pvc-1');
    await world.hosted.delete(storagev1.volumeattachments, attachment);
    await eventually(async () => !(await names()).includes(name), 'the machine is gone', clock);
    await allWell();
  });

  it('When hooks ask for it, it should wait before the drain and before the end', async () => {
    const [name = ''] = await names();
    const key = { namespace, name };
    const [drainHook, endHook] = [
      'pre-drain.delete.hook.machine.cluster.x-k8s.io/a',
      'pre-terminate.delete.hook.machine.cluster.x-k8s.io/b',
    ];
    const hooks = (annotations: object) =>
      world.client.patch(capi.machines, key, { type: 'merge', body: { metadata: { annotations } } });
    const waitsFor = (reason: string) =>
      eventually(
        async () => {
          const { status } = await world.client.get(capi.machines, key);
          return findCondition(status?.v1beta2?.conditions, 'Deleting')?.reason === reason;
        },
        reason,
        clock,
      );
    await hooks({ [drainHook]: '', [endHook]: '' });
    await world.client.delete(capi.machines, key);
    await waitsFor('WaitingForPreDrainHook');
    // Patience that its deployment learns of now helps a machine that is leaving already.
    const body = { spec: { template: { spec: { nodeDrainTimeout: '77s' } } } };
    await world.client.patch(capi.machinedeployments, { namespace, name: 'pool' }, { type: 'merge', body });
    await eventually(
      async () => (await world.client.get(capi.machines, key)).spec.nodeDrainTimeout === '77s',
      'the new timeout reaches it',
      clock,
    );
    await hooks({ [drainHook]: null });
    await waitsFor('WaitingForPreTerminateHook');
    await hooks({ [endHook]: null });
    await eventually(async () => !(await names()).includes(name), 'the machine is gone', clock);
    await allWell();
    expect(await names()).toHaveLength(6);
    expect(world.failures).toEqual([]);
  });
});
