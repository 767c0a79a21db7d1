import { corev1, findCondition } from '@hypershift-ts/kube-apimachinery';
import { capiv1beta1 as capi } from '@hypershift-ts/machines-cluster-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  aDeployment,
  createTemplate,
  deploymentWhen,
  eventually,
  isComplete,
  levels,
  namespace,
  settle,
  startWorld,
  testMachines,
  type World,
} from './fixture.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const key = { namespace, name: 'pool' };
const machines = async () => (await world.client.list(capi.machines, { namespace })).items;
const sets = async () => (await world.client.list(capi.machinesets, { namespace })).items;
const names = (items: readonly capi.Machine[]) => items.map(({ metadata }) => metadata.name ?? '').sort();
const change = (body: object) => world.client.patch(capi.machinedeployments, key, { type: 'merge', body });

let release = 0;
/** What a new release does to a pool: another version, another user-data Secret. */
async function upgrade(): Promise<capi.MachineDeployment> {
  const patch = { version: `4.20.${++release}`, bootstrap: { dataSecretName: `user-data-${release}` } };
  return change({ spec: { template: { spec: patch } } });
}
const rolledOut = ({ metadata }: capi.MachineDeployment) =>
  deploymentWhen(
    world.client,
    (found) => found.metadata.generation === metadata.generation && isComplete(found),
    'rollout',
  );

describe('a MachineDeployment', () => {
  it('When it is created, it should become machines with nodes', async () => {
    await world.client.create(capi.machinedeployments, aDeployment(3));
    const deployment = await deploymentWhen(world.client, isComplete, '3 machines available');
    expect(deployment.status?.phase).toBe('Running');
    expect(findCondition(deployment.status?.conditions, 'Ready')?.status).toBe('True');
    for (const machine of await machines()) {
      expect(machine.status?.phase).toBe('Running');
      expect(machine.status?.nodeRef?.name).toBe(machine.metadata.name);
      expect(machine.spec.infrastructureRef).toMatchObject({ kind: 'TestMachine', name: machine.metadata.name });
      expect(machine.metadata.annotations?.['hypershift.openshift.io/release-version']).toBe('4.20.0');
      expect(findCondition(machine.status?.conditions, 'Ready')?.status).toBe('True');
      expect(findCondition(machine.status?.conditions, 'NodeHealthy')?.status).toBe('True');
      expect(findCondition(machine.status?.conditions, 'BootstrapReady')).toBeUndefined();
    }
    const [set] = await sets();
    expect(set?.metadata.annotations?.['hypershift.openshift.io/nodePool']).toBe('clusters/pool');
    const [node] = (await world.hosted.list(corev1.nodes)).items;
    expect(node?.metadata.annotations?.['cluster.x-k8s.io/cluster-name']).toBe('demo');
    const cluster = await world.client.get(capi.clusters, { namespace, name: 'demo' });
    expect(cluster.status).toMatchObject({ phase: 'Provisioned', infrastructureReady: true, controlPlaneReady: true });
  });

  it('When everything is settled, it should write nothing however often it looks', async () => {
    await settle();
    world.writes.length = 0;
    const body = { metadata: { labels: { look: 'again' } } };
    await change(body);
    for (const { metadata } of await machines()) {
      await world.client.patch(capi.machines, { namespace, name: metadata.name ?? '' }, { type: 'merge', body });
    }
    await settle();
    const ours = world.writes
      .slice(4)
      .map(({ verb, objectRef }) => `${verb} ${objectRef?.resource}/${objectRef?.name}`);
    expect(ours).toEqual([]);
  });

  it('When it is started anew, it should find everything as it should be and write nothing', async () => {
    const before = names(await machines());
    world.writes.length = 0;
    await world.restart();
    await settle(500);
    expect(world.writes.map(({ verb, requestURI }) => `${verb} ${requestURI}`)).toEqual([]);
    expect(names(await machines())).toEqual(before);
  });

  it('When labels, annotations or timeouts of its template change, it should reach the same machines in place', async () => {
    const before = names(await machines());
    const { pool, look } = { pool: 'pool', look: 'closer' };
    await change({
      spec: {
        template: {
          metadata: { labels: { pool, look }, annotations: { note: 'kept' } },
          spec: { nodeDrainTimeout: '5m' },
        },
      },
    });
    const changed = await eventually(async () => {
      const found = await machines();
      return found.every(({ spec }) => spec.nodeDrainTimeout === '5m') && found;
    }, 'the timeout on every machine');
    expect(names(changed)).toEqual(before);
    expect(changed.every(({ metadata }) => metadata.labels?.['look'] === 'closer')).toBe(true);
    await change({ spec: { template: { metadata: { annotations: { note: null } } } } });
    await eventually(
      async () => (await machines()).every(({ metadata }) => !metadata.annotations?.['note']),
      'no note',
    );
    expect(await sets()).toHaveLength(1);
  });

  it.each([
    { maxSurge: 1, maxUnavailable: 0, replicas: 3 },
    { maxSurge: 0, maxUnavailable: 1, replicas: 3 },
    { maxSurge: 2, maxUnavailable: 1, replicas: 6 },
    { maxSurge: '30%', maxUnavailable: '30%', replicas: 8 },
  ])(
    'When it rolls with maxSurge $maxSurge and maxUnavailable $maxUnavailable, it should keep to them at every instant',
    async ({ replicas, ...rollingUpdate }) => {
      await rolledOut(await change({ spec: { replicas, strategy: { type: 'RollingUpdate', rollingUpdate } } }));
      const before = await machines();
      world.history.length = 0;
      await rolledOut(await upgrade());
      const surge = rollingUpdate.maxSurge === '30%' ? 3 : Number(rollingUpdate.maxSurge);
      const unavailable = rollingUpdate.maxUnavailable === '30%' ? 2 : Number(rollingUpdate.maxUnavailable);
      const seen = [...levels(before, world.history)];
      expect(Math.max(...seen.map(({ total }) => total))).toBeLessThanOrEqual(replicas + surge);
      expect(Math.min(...seen.map(({ available }) => available))).toBeGreaterThanOrEqual(replicas - unavailable);
      const now = await machines();
      expect(now.every(({ spec }) => spec.version === `4.20.${release}`)).toBe(true);
      expect(names(now).some((name) => names(before).includes(name))).toBe(false);
      await eventually(async () => (await sets()).length === 1, 'the old set is gone');
    },
  );

  it('When only the template object is another one, it should replace the machines', async () => {
    await createTemplate(world.client, 'template-2');
    await rolledOut(
      await change({ spec: { replicas: 2, template: { spec: { infrastructureRef: { name: 'template-2' } } } } }),
    );
    const made = (await world.client.list(testMachines, { namespace })).items;
    expect(made).toHaveLength(2);
    for (const { metadata } of made) {
      expect(metadata.annotations?.['cluster.x-k8s.io/cloned-from-name']).toBe('template-2');
      expect(metadata.ownerReferences).toMatchObject([{ kind: 'Machine', controller: true, name: metadata.name }]);
    }
  });

  it('When it is scaled down, it should take the machine that is marked for deletion', async () => {
    const [first, second] = await machines();
    const body = { metadata: { annotations: { 'cluster.x-k8s.io/delete-machine': '' } } };
    await world.client.patch(capi.machines, { namespace, name: second?.metadata.name ?? '' }, { type: 'merge', body });
    await rolledOut(await change({ spec: { replicas: 1 } }));
    expect(names(await machines())).toEqual([first?.metadata.name]);
  });

  it('When its strategy is OnDelete, it should replace a machine only when somebody deletes it', async () => {
    await rolledOut(await change({ spec: { replicas: 2, strategy: { type: 'OnDelete', rollingUpdate: null } } }));
    const before = names(await machines());
    await upgrade();
    await eventually(async () => (await sets()).length === 2, 'a set of the new template');
    await settle();
    expect(names(await machines())).toEqual(before);
    await world.client.delete(capi.machines, { namespace, name: before[0] ?? '' });
    const replaced = await eventually(async () => {
      const found = await machines();
      return found.length === 2 && found.some(({ spec }) => spec.version === `4.20.${release}`) && found;
    }, 'its replacement');
    expect(names(replaced)).toContain(before[1]);
  });

  it('When its template does not exist, it should say so and go on when it does', async () => {
    await rolledOut(await change({ spec: { replicas: 1, strategy: { type: 'RollingUpdate' } } }));
    const changed = await change({ spec: { template: { spec: { infrastructureRef: { name: 'template-3' } } } } });
    const set = await eventually(
      async () =>
        (await sets()).find(({ status }) => findCondition(status?.conditions, 'MachinesCreated')?.status === 'False'),
      'the failure in the set',
    );
    const { message } = findCondition(set.status?.conditions, 'MachinesCreated') ?? {};
    expect(message).toContain('TestMachineTemplate template-3 not found');
    await createTemplate(world.client, 'template-3');
    await rolledOut(changed);
  });

  it('When the Cluster is paused, it should do nothing until it goes on', async () => {
    const pause = (paused: boolean) =>
      world.client.patch(capi.clusters, { namespace, name: 'demo' }, { type: 'merge', body: { spec: { paused } } });
    await pause(true);
    await settle(100);
    const changed = await change({ spec: { replicas: 2 } });
    await settle();
    expect(await machines()).toHaveLength(1);
    const { status } = await world.client.get(capi.machinedeployments, key);
    expect(findCondition(status?.v1beta2?.conditions, 'Paused')?.status).toBe('True');
    await pause(false);
    await rolledOut(changed);
  });

  it('When it is deleted, it should leave nothing behind', async () => {
    await world.client.delete(capi.machinedeployments, key);
    await eventually(
      async () => (await world.client.list(capi.machinedeployments, { namespace })).items.length === 0,
      'gone',
    );
    expect(await machines()).toEqual([]);
    expect((await world.client.list(testMachines, { namespace })).items).toEqual([]);
    expect((await world.hosted.list(corev1.nodes)).items).toEqual([]);
    // The one that was asked for: a template that did not exist.
    expect(world.failures.filter((failure) => !failure.includes('template-3 not found'))).toEqual([]);
  });
});
