import { corev1, policyv1 } from '@hypershift-ts/kube-apimachinery';
import { capiv1beta1 } from '@hypershift-ts/machines-cluster-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addMachine } from './cluster.ts';
import { eventually, namespace, startTwoClusters, type TwoClusters } from './harness.ts';

let test: TwoClusters;
let stop: () => Promise<void>;
const prefix = 'machineconfiguration.openshift.io';
const hypershift = 'hypershift.openshift.io';
const pool = { namespace, name: 'workers' };
const names = ['worker-0', 'worker-1', 'worker-2'];
const base64 = (text: string) => Buffer.from(text).toString('base64');

const node = (name: string) => test.guest.get(corev1.nodes, { name });
const annotate = (name: string, annotations: Record<string, string>) =>
  test.guest.patch(corev1.nodes, { name }, { type: 'merge', body: { metadata: { annotations } } });
const machineSet = () => test.client.get(capiv1beta1.machinesets, pool);
const desired = async () =>
  (await Promise.all(names.map(node))).filter(
    ({ metadata }) => metadata.annotations?.[`${prefix}/desiredConfig`] === 'new',
  );

/** What a machine config daemon does on its node. */
async function daemon(name: string): Promise<void> {
  await annotate(name, { [`${prefix}/state`]: 'Working', [`${prefix}/desiredDrain`]: 'drain-new' });
  await eventually(async () => {
    const { metadata, spec } = await node(name);
    expect(metadata.annotations?.[`${prefix}/lastAppliedDrain`]).toBe('drain-new');
    expect(spec?.unschedulable).toBe(true);
  });
  await annotate(name, { [`${prefix}/currentConfig`]: 'new', [`${prefix}/desiredDrain`]: 'uncordon-new' });
  await eventually(async () => {
    const { metadata, spec } = await node(name);
    expect(metadata.annotations?.[`${prefix}/lastAppliedDrain`]).toBe('uncordon-new');
    expect(spec?.unschedulable).not.toBe(true);
  });
  await annotate(name, { [`${prefix}/state`]: 'Done' });
}

beforeAll(async () => {
  test = await startTwoClusters();
  const set = await test.client.create(capiv1beta1.machinesets, {
    metadata: {
      ...pool,
      annotations: {
        [`${hypershift}/nodePool`]: 'clusters/workers',
        [`${hypershift}/nodePoolCurrentConfigVersion`]: 'old',
        [`${hypershift}/nodePoolMaxUnavailable`]: '1',
      },
    },
    spec: {
      clusterName: 'demo-abcde',
      replicas: 3,
      selector: { matchLabels: { pool: 'workers' } },
      template: {
        metadata: { labels: { pool: 'workers' } },
        spec: {
          clusterName: 'demo-abcde',
          bootstrap: { dataSecretName: 'user-data' },
          infrastructureRef: { kind: 'AgentMachineTemplate', name: 'workers' },
        },
      },
    },
  } as never);
  for (const name of names) {
    await addMachine(test, name, {
      owner: set,
      labels: { pool: 'workers' },
      annotations: { [`${hypershift}/nodePoolTaints`]: 'null' },
    });
    await annotate(name, {
      [`${prefix}/currentConfig`]: 'old',
      [`${prefix}/desiredConfig`]: 'old',
      [`${prefix}/state`]: 'Done',
    });
  }
  await test.client.create(corev1.secrets, {
    metadata: { namespace, name: 'token-workers-new' },
    data: { payload: base64('{"ignition":{"version":"3.2.0"}}'), 'release-version': base64('4.20.9') },
  });
  // No controller makes service accounts here, and pods need one.
  await test.guest.create(corev1.namespaces, { metadata: { name: 'workers-upgrade' } });
  await test.guest.create(corev1.serviceaccounts, { metadata: { namespace: 'workers-upgrade', name: 'default' } });
  stop = test.run();
}, 60_000);
afterAll(async () => {
  await stop?.();
  await test?.stop();
});

describe('upgrade in place', () => {
  it('When a pool gets a target, one node at a time should be told, with a daemon beside it', async () => {
    const body = { metadata: { annotations: { [`${hypershift}/nodePoolTargetConfigVersion`]: 'new' } } };
    await test.client.patch(capiv1beta1.machinesets, pool, { type: 'merge', body });
    await eventually(async () => {
      const [first] = await desired();
      const pod = await test.guest.get(corev1.pods, {
        namespace: 'workers-upgrade',
        name: `machine-config-daemon-${first?.metadata.name}`,
      });
      expect(pod.spec?.nodeSelector).toEqual({ 'kubernetes.io/hostname': first?.metadata.name });
    });
    expect(await desired()).toHaveLength(1);
    const { annotations } = (await machineSet()).metadata;
    expect(annotations?.[`${hypershift}/nodePoolUpgradeInProgressTrue`]).toBe(
      'Nodepool update in progress. Target Config version: new. Total Nodes: 3. Upgraded: 0',
    );
    const map = await test.guest.get(corev1.configmaps, { namespace: 'workers-upgrade', name: 'workers-upgrade' });
    expect(map.data?.['hash']).toBe('new');
  });

  it('When a pod may not leave, the upgrade should say which and by whom it is held', async () => {
    const [first] = await desired();
    const name = first?.metadata.name ?? '';
    await test.guest.create(corev1.namespaces, { metadata: { name: 'app' } });
    await test.guest.create(corev1.serviceaccounts, { metadata: { namespace: 'app', name: 'default' } });
    const labels = { app: 'db' };
    await test.guest.create(policyv1.poddisruptionbudgets, {
      metadata: { namespace: 'app', name: 'db' },
      spec: { minAvailable: 1, selector: { matchLabels: labels } },
    });
    await test.guest.create(corev1.pods, {
      metadata: { namespace: 'app', name: 'db-0', labels },
      spec: { nodeName: name, containers: [{ name: 'db', image: 'db' }] },
    });
    const running = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
    await test.guest.patch(
      corev1.pods,
      { namespace: 'app', name: 'db-0' },
      { type: 'merge', body: { status: running } },
      {
        subresource: 'status',
      },
    );
    await annotate(name, { [`${prefix}/state`]: 'Working', [`${prefix}/desiredDrain`]: 'drain-new' });
    await eventually(async () => {
      const { annotations } = (await machineSet()).metadata;
      expect(annotations?.[`${hypershift}/nodePoolUpgradeInProgressTrue`]).toContain(
        `Draining node ${name} is blocked: pod app/db-0`,
      );
    });
    await test.guest.delete(corev1.pods, { namespace: 'app', name: 'db-0' }, { gracePeriodSeconds: 0 });
    // A change of the node brings the drainer back at once.
    await annotate(name, { touched: 'yes' });
    await daemon(name);
  });

  it('When daemons finish, the others should follow and the pool should be at its target', async () => {
    const done = new Set<string>();
    for (let i = 0; i < 2; i++) {
      let next = '';
      await eventually(async () => {
        const waiting = (await desired()).filter(
          ({ metadata }) => metadata.annotations?.[`${prefix}/currentConfig`] !== 'new',
        );
        expect(waiting).toHaveLength(1);
        next = waiting[0]?.metadata.name ?? '';
      });
      expect(done.has(next)).toBe(false);
      done.add(next);
      await daemon(next);
    }
    await eventually(async () => {
      const { annotations } = (await machineSet()).metadata;
      expect(annotations?.[`${hypershift}/nodePoolCurrentConfigVersion`]).toBe('new');
      expect(annotations?.[`${hypershift}/nodePoolUpgradeInProgressTrue`]).toBeUndefined();
      const { items } = await test.guest.list(corev1.pods, { namespace: 'workers-upgrade' });
      expect(items.filter(({ metadata }) => !metadata.deletionTimestamp)).toEqual([]);
    });
    const machine = await test.client.get(capiv1beta1.machines, { namespace, name: 'worker-2' });
    expect(machine.metadata.annotations?.[`${hypershift}/release-version`]).toBe('4.20.9');
  });

  it('When a node degrades, the upgrade should stop and say why', async () => {
    await test.client.create(corev1.secrets, {
      metadata: { namespace, name: 'token-workers-newer' },
      data: { payload: base64('{}'), 'release-version': base64('4.20.10') },
    });
    await annotate('worker-1', { [`${prefix}/state`]: 'Degraded', [`${prefix}/reason`]: 'disk is full' });
    const body = { metadata: { annotations: { [`${hypershift}/nodePoolTargetConfigVersion`]: 'newer' } } };
    await test.client.patch(capiv1beta1.machinesets, pool, { type: 'merge', body });
    await eventually(async () => {
      const { annotations } = (await machineSet()).metadata;
      expect(annotations?.[`${hypershift}/nodePoolUpgradeInProgressFalse`]).toBe(
        'Node worker-1 in nodepool degraded: disk is full',
      );
    });
  });
});
