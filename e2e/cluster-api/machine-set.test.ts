import { findCondition } from '@hypershift-ts/kube-apimachinery';
import { capiv1beta1 as capi } from '@hypershift-ts/machines-cluster-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  aDeployment,
  createTemplate,
  eventually,
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

const key = { namespace, name: 'in-place' };
const machines = async () => (await world.client.list(capi.machines, { namespace })).items;
const names = async () => (await machines()).map(({ metadata }) => metadata.name ?? '').sort();
const change = (body: object) => world.client.patch(capi.machinesets, key, { type: 'merge', body });
const available = (count: number) =>
  eventually(async () => {
    const set = await world.client.get(capi.machinesets, key);
    const { replicas, availableReplicas } = set.status ?? {};
    return replicas === count && availableReplicas === count && set;
  }, `${count} machines available`);

describe('a MachineSet of its own', () => {
  it('When it is created, it should keep as many machines as it asks for', async () => {
    const { spec } = aDeployment(2);
    const { strategy: _strategy, ...rest } = spec;
    await world.client.create(capi.machinesets, { metadata: key, spec: rest });
    const set = await available(2);
    expect(findCondition(set.status?.conditions, 'Ready')?.status).toBe('True');
    expect(set.metadata.labels?.['cluster.x-k8s.io/cluster-name']).toBe('demo');
    expect(set.metadata.ownerReferences).toMatchObject([{ kind: 'Cluster', name: 'demo' }]);
    for (const { metadata } of await machines())
      expect(metadata.labels?.['cluster.x-k8s.io/deployment-name']).toBeUndefined();
  });

  it('When a machine is deleted, it should be replaced', async () => {
    const [victim = '', other = ''] = await names();
    await world.client.delete(capi.machines, { namespace, name: victim });
    await eventually(async () => !(await names()).includes(victim), 'the machine is gone');
    await available(2);
    expect(await names()).toContain(other);
  });

  it('When its template changes, it should keep its machines and make new ones from it', async () => {
    const before = await names();
    await createTemplate(world.client, 'template-2');
    const spec = {
      infrastructureRef: { name: 'template-2' },
      version: '4.21.0',
      bootstrap: { dataSecretName: 'user-data-2' },
    };
    await change({ spec: { template: { spec, metadata: { labels: { managed: 'yes' } } } } });
    await eventually(
      async () => (await machines()).every(({ metadata }) => metadata.labels?.['managed'] === 'yes'),
      'labels',
    );
    expect(await names()).toEqual(before);
    const labelled = (await world.client.list(testMachines, { namespace, labelSelector: 'managed=yes' })).items;
    expect(labelled).toHaveLength(2);
    await change({ spec: { replicas: 3 } });
    await available(3);
    const added = (await machines()).find(({ metadata }) => !before.includes(metadata.name ?? ''));
    expect(added?.spec).toMatchObject({ version: '4.21.0', bootstrap: { dataSecretName: 'user-data-2' } });
    const infra = await world.client.get(testMachines, { namespace, name: added?.metadata.name ?? '' });
    expect(infra.metadata.annotations?.['cluster.x-k8s.io/cloned-from-name']).toBe('template-2');
    expect((await machines()).filter(({ spec: { version } }) => version === '4.20.0')).toHaveLength(2);
  });

  it('When an orphan matches its selector, it should adopt it instead of making another', async () => {
    const [machine] = await machines();
    const name = machine?.metadata.name ?? '';
    world.history.length = 0;
    await world.client.patch(
      capi.machines,
      { namespace, name },
      { type: 'merge', body: { metadata: { ownerReferences: null } } },
    );
    await eventually(async () => {
      const { metadata } = await world.client.get(capi.machines, { namespace, name });
      return metadata.ownerReferences?.some(({ kind, controller }) => kind === 'MachineSet' && controller);
    }, 'the adoption');
    await available(3);
    await settle();
    expect(await names()).toContain(name);
    expect((await machines()).filter(({ metadata }) => !metadata.deletionTimestamp)).toHaveLength(3);
  });

  it('When its infrastructure fails, the machine should say what failed', async () => {
    const [name = ''] = await names();
    const status = { failureReason: 'CreateError', failureMessage: 'no capacity in eu-west-1a' };
    await world.client.patch(
      testMachines,
      { namespace, name },
      { type: 'merge', body: { status } },
      { subresource: 'status' },
    );
    const machine = await eventually(async () => {
      const found = await world.client.get(capi.machines, { namespace, name });
      return found.status?.phase === 'Failed' && found;
    }, 'the failure');
    expect(machine.status?.failureReason).toBe('CreateError');
    expect(machine.status?.failureMessage).toContain('no capacity in eu-west-1a');
  });
});

describe('a Machine whose infrastructure nobody serves', () => {
  it('When the kind is unknown, it should wait, say so, and still be deletable', async () => {
    const infrastructureRef = {
      apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta1',
      kind: 'MoonMachine',
      name: 'lost',
    };
    const spec = { clusterName: 'demo', bootstrap: { dataSecretName: 'x' }, infrastructureRef };
    await world.client.create(capi.machines, { metadata: { name: 'lost', namespace }, spec });
    const machine = await eventually(async () => {
      const found = await world.client.get(capi.machines, { namespace, name: 'lost' });
      return found.status?.phase && found;
    }, 'its phase');
    expect(machine.status?.phase).toBe('Pending');
    expect(findCondition(machine.status?.conditions, 'InfrastructureReady')?.message).toBe(
      'MoonMachine lost does not exist yet',
    );
    await world.client.delete(capi.machines, { namespace, name: 'lost' });
    await eventually(async () => !(await names()).includes('lost'), 'it is gone');
  });
});

describe('a Cluster', () => {
  it('When it is deleted, it should take down machines, control plane and infrastructure, and go last', async () => {
    await world.client.delete(capi.clusters, { namespace, name: 'demo' });
    await eventually(
      async () => (await world.client.list(capi.clusters, { namespace })).items.length === 0,
      'it is gone',
    );
    expect(await machines()).toEqual([]);
    expect((await world.client.list(capi.machinesets, { namespace })).items).toEqual([]);
    expect((await world.client.list(testMachines, { namespace })).items).toEqual([]);
    expect(world.failures).toEqual([]);
    for (const resource of ['testclusters', 'testcontrolplanes']) {
      const kind = { ...testMachines, resource };
      expect((await world.client.list(kind, { namespace })).items).toEqual([]);
    }
  });
});
