import { corev1, findCondition } from '@hypershift-ts/kube-apimachinery';
import { capiv1beta1 as capi } from '@hypershift-ts/machines-cluster-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  aDeployment,
  createTemplate,
  deploymentWhen,
  eventually,
  isComplete,
  namespace,
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
      expect(findCondition(machine.status?.conditions, 'Ready')?.status).toBe('True');
      expect(findCondition(machine.status?.conditions, 'NodeHealthy')?.status).toBe('True');
    }
    const node = (await world.hosted.list(corev1.nodes)).items[0];
    expect(node?.metadata.annotations?.['cluster.x-k8s.io/cluster-name']).toBe('demo');
  });

  it('When nothing changes, it should write nothing', async () => {
    await new Promise((resolve) => {
      setTimeout(resolve, 200);
    });
    world.writes.length = 0;
    await world.client.patch(capi.machinedeployments, key, {
      type: 'merge',
      body: { metadata: { labels: { look: 'again' } } },
    });
    for (const machine of await machines()) {
      await world.client.patch(
        capi.machines,
        { namespace, name: machine.metadata.name ?? '' },
        { type: 'merge', body: { metadata: { labels: { look: 'again' } } } },
      );
    }
    await new Promise((resolve) => {
      setTimeout(resolve, 300);
    });
    expect(
      world.writes.map(({ verb, objectRef }) => `${verb} ${objectRef?.resource}/${objectRef?.name}`).slice(4),
    ).toEqual([]);
  });

  it('When the template changes, it should surge by one and never lose an available machine', async () => {
    world.history.length = 0;
    const before = new Set((await machines()).map(({ metadata }) => metadata.name));
    await createTemplate(world.client, 'template-2');
    const body = {
      spec: {
        template: {
          spec: {
            version: '4.20.1',
            bootstrap: { dataSecretName: 'user-data-2' },
            infrastructureRef: { name: 'template-2' },
          },
        },
      },
    };
    await world.client.patch(capi.machinedeployments, key, { type: 'merge', body });
    await deploymentWhen(world.client, (found) => found.metadata.generation === 2 && isComplete(found), 'rolled out');
    const now = await machines();
    expect(now.map(({ metadata }) => metadata.name).some((name) => before.has(name))).toBe(false);
    expect(now.every(({ spec }) => spec.version === '4.20.1')).toBe(true);
    await eventually(
      async () => (await world.client.list(capi.machinesets, { namespace })).items.length === 1,
      'old set gone',
    );
    expect((await world.client.list(testMachines, { namespace })).items).toHaveLength(3);
    expect((await world.hosted.list(corev1.nodes)).items).toHaveLength(3);
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
  });
});
