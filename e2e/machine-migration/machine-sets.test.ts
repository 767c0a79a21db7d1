import { capiv1beta2 } from '@hypershift-ts/machines-cluster-api';
import { mapiv1beta1 } from '@hypershift-ts/machines-machine-api';
import { awsv1beta2 } from '@hypershift-ts/machines-providers';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { awsProviderSpec, eventually, MigrationCluster, read, type Running } from './cluster.ts';
import { clusterApiNamespace, newKey, oldKey } from './keys.ts';

type Authority = 'MachineAPI' | 'ClusterAPI';

describe('A machine set in both APIs', () => {
  let cluster: MigrationCluster;
  let running: Running | undefined;

  beforeAll(async () => {
    cluster = await MigrationCluster.start();
  }, 60_000);
  afterEach(async () => {
    await running?.stop();
    running = undefined;
  });
  afterAll(() => cluster?.stop());

  const old = (name: string) => read(cluster.client, mapiv1beta1.machinesets, oldKey(name));
  const current = (name: string) => read(cluster.client, capiv1beta2.machinesets, newKey(name));
  const templates = async (name: string) => {
    const { items } = await cluster.client.list(awsv1beta2.awsmachinetemplates, {
      namespace: clusterApiNamespace,
      labelSelector: `machine.openshift.io/cluster-api-machineset=${name}`,
    });
    return items;
  };

  const create = (name: string, authoritativeAPI: Authority) =>
    cluster.client.create(mapiv1beta1.machinesets, {
      metadata: oldKey(name),
      spec: {
        authoritativeAPI,
        replicas: 2,
        selector: { matchLabels: { pool: name } },
        template: {
          metadata: { labels: { pool: name } },
          spec: { authoritativeAPI, providerSpec: awsProviderSpec() },
        },
      },
    });

  const change = (name: string, spec: object) =>
    cluster.client.patch(mapiv1beta1.machinesets, oldKey(name), { type: 'merge', body: { spec } });

  const settled = (name: string, authority: Authority) =>
    eventually(async () => {
      const [set, other] = [await old(name), await current(name)];
      expect(set?.status).toMatchObject({
        authoritativeAPI: authority,
        synchronizedAPI: authority,
        synchronizedGeneration: (authority === 'MachineAPI' ? set : other)?.metadata.generation,
        conditions: expect.arrayContaining([expect.objectContaining({ type: 'Synchronized', status: 'True' })]),
      });
    });

  it('When a set is made in the Machine API, it should get a paused copy and a template named by its content', async () => {
    running = await cluster.run();
    await create('mirrored', 'MachineAPI');
    await settled('mirrored', 'MachineAPI');
    const [template, ...others] = await templates('mirrored');
    expect(others).toEqual([]);
    expect(template).toMatchObject({
      metadata: {
        name: expect.stringMatching(/^mirrored-[0-9a-f]{8}$/),
        ownerReferences: [{ kind: 'Cluster' }],
        managedFields: expect.arrayContaining([
          expect.objectContaining({ manager: 'MachineSetSyncController', operation: 'Apply' }),
        ]),
      },
      spec: { template: { spec: { instanceType: 'm6i.xlarge' } } },
    });
    expect(await current('mirrored')).toMatchObject({
      metadata: { annotations: { 'cluster.x-k8s.io/paused': '' } },
      spec: {
        replicas: 2,
        template: { spec: { infrastructureRef: { kind: 'AWSMachineTemplate', name: template?.metadata.name } } },
      },
    });
  });

  it('When the machines of a set are described anew, it should make a new template and take the old one away', async () => {
    running = await cluster.run();
    await create('renewed', 'MachineAPI');
    await settled('renewed', 'MachineAPI');
    const [before] = await templates('renewed');
    await change('renewed', {
      replicas: 3,
      template: { spec: { providerSpec: awsProviderSpec({ instanceType: 'm6i.2xlarge' }) } },
    });
    await eventually(async () => {
      const [template, ...others] = await templates('renewed');
      expect(others).toEqual([]);
      expect(template?.metadata.name).not.toBe(before?.metadata.name);
      const set = await current('renewed');
      expect(set?.spec.replicas).toBe(3);
      expect(set?.spec.template.spec.infrastructureRef.name).toBe(template?.metadata.name);
    });
    await settled('renewed', 'MachineAPI');
  });

  it('When authority goes to Cluster API and back, it should follow whoever has it', async () => {
    running = await cluster.run();
    await create('there', 'MachineAPI');
    await settled('there', 'MachineAPI');
    await change('there', { authoritativeAPI: 'ClusterAPI' });
    await settled('there', 'ClusterAPI');
    expect((await current('there'))?.metadata.annotations ?? {}).not.toHaveProperty('cluster.x-k8s.io/paused');

    await cluster.client.patch(capiv1beta2.machinesets, newKey('there'), {
      type: 'merge',
      body: { spec: { replicas: 5 } },
    });
    await eventually(async () => expect((await old('there'))?.spec.replicas).toBe(5));
    await settled('there', 'ClusterAPI');
    expect((await old('there'))?.spec.selector).toEqual({ matchLabels: { pool: 'there' } });
    await expect(change('there', { replicas: 1 })).rejects.toThrow('You may only modify spec.authoritativeAPI.');

    await change('there', { authoritativeAPI: 'MachineAPI' });
    await settled('there', 'MachineAPI');
    expect((await current('there'))?.metadata.annotations).toHaveProperty('cluster.x-k8s.io/paused');
    expect((await current('there'))?.spec.replicas).toBe(5);
  });

  it('When a user points a set of Cluster API at a template of their own, it should tell the Machine API', async () => {
    running = await cluster.run();
    await create('own-template', 'ClusterAPI');
    await settled('own-template', 'ClusterAPI');
    const [made] = await templates('own-template');
    await cluster.client.create(awsv1beta2.awsmachinetemplates, {
      metadata: newKey('mine'),
      spec: { template: { spec: { ...made!.spec.template.spec, instanceType: 'c7i.large' } } },
    });
    await cluster.client.patch(capiv1beta2.machinesets, newKey('own-template'), {
      type: 'merge',
      body: { spec: { template: { spec: { infrastructureRef: { name: 'mine' } } } } },
    });
    await eventually(async () =>
      expect((await old('own-template'))?.spec.template?.spec.providerSpec?.value).toMatchObject({
        instanceType: 'c7i.large',
      }),
    );
    await settled('own-template', 'ClusterAPI');
  });

  it('When Cluster API counts machines, it should tell the same in the Machine API', async () => {
    running = await cluster.run();
    await create('counted', 'ClusterAPI');
    await settled('counted', 'ClusterAPI');
    const { generation } = (await current('counted'))!.metadata;
    await cluster.client.patch(
      capiv1beta2.machinesets,
      newKey('counted'),
      {
        type: 'merge',
        body: {
          status: {
            observedGeneration: generation,
            replicas: 2,
            selector: 'pool=counted',
            deprecated: { v1beta1: { fullyLabeledReplicas: 2, readyReplicas: 1, availableReplicas: 1 } },
          },
        },
      },
      { subresource: 'status' },
    );
    await eventually(async () =>
      expect((await old('counted'))?.status).toMatchObject({
        replicas: 2,
        fullyLabeledReplicas: 2,
        readyReplicas: 1,
        availableReplicas: 1,
        labelSelector: 'pool=counted',
        authoritativeAPI: 'ClusterAPI',
      }),
    );
  });

  it.each([
    ['MachineAPI', 'MachineAPI'],
    ['MachineAPI', 'ClusterAPI'],
    ['ClusterAPI', 'ClusterAPI'],
  ] as const)('When %s has authority and the set is deleted in %s, it should go from both', async (authority, side) => {
    running = await cluster.run();
    const name = `gone-${authority}-${side}`.toLowerCase();
    await create(name, authority);
    await settled(name, authority);
    if (side === 'MachineAPI') await cluster.client.delete(mapiv1beta1.machinesets, oldKey(name));
    else await cluster.client.delete(capiv1beta2.machinesets, newKey(name));
    await eventually(async () =>
      expect([await old(name), await current(name), await templates(name)]).toEqual([undefined, undefined, []]),
    );
  });

  it('When a set without authority is deleted, it should leave the other set alone', async () => {
    running = await cluster.run();
    await create('survivor', 'ClusterAPI');
    await settled('survivor', 'ClusterAPI');
    await cluster.client.delete(mapiv1beta1.machinesets, oldKey('survivor'));
    await eventually(async () => expect(await old('survivor')).toBeUndefined());
    const set = await current('survivor');
    expect(set?.metadata.deletionTimestamp).toBeUndefined();
    expect(set?.metadata.finalizers ?? []).not.toContain('sync.machine.openshift.io/finalizer');
  });

  it('When a set of Cluster API makes a machine, it should show it in the Machine API', async () => {
    running = await cluster.run();
    await create('shown', 'ClusterAPI');
    await settled('shown', 'ClusterAPI');
    const set = (await current('shown'))!;
    const [template] = await templates('shown');
    const owner = { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'MachineSet', name: 'shown', uid: set.metadata.uid! };
    const machine = await cluster.client.create(capiv1beta2.machines, {
      metadata: { ...newKey('shown-abc'), ownerReferences: [{ ...owner, controller: true, blockOwnerDeletion: true }] },
      spec: {
        ...set.spec.template.spec,
        infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSMachine', name: 'shown-abc' },
      },
    });
    const { uid = '' } = machine.metadata;
    const machineOwner = { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Machine', name: 'shown-abc', uid };
    await cluster.client.create(awsv1beta2.awsmachines, {
      metadata: { ...newKey('shown-abc'), ownerReferences: [{ ...machineOwner, controller: true }] },
      spec: template!.spec.template.spec,
    });
    await eventually(async () => {
      const shown = await read(cluster.client, mapiv1beta1.machines, oldKey('shown-abc'));
      expect(shown).toMatchObject({
        metadata: {
          ownerReferences: [{ apiVersion: 'machine.openshift.io/v1beta1', kind: 'MachineSet', name: 'shown' }],
        },
        spec: { authoritativeAPI: 'ClusterAPI' },
        status: { authoritativeAPI: 'ClusterAPI', synchronizedAPI: 'ClusterAPI' },
      });
    });
  });

  it('When a set leaves the Machine API and its machines with it, it should keep the machines of Cluster API', async () => {
    running = await cluster.run();
    await create('collected', 'ClusterAPI');
    await settled('collected', 'ClusterAPI');
    const { uid = '' } = (await old('collected'))!.metadata;
    const owner = { apiVersion: 'machine.openshift.io/v1beta1', kind: 'MachineSet', name: 'collected', uid };
    await cluster.client.create(mapiv1beta1.machines, {
      metadata: { ...oldKey('collected-0'), ownerReferences: [{ ...owner, controller: true }] },
      spec: { authoritativeAPI: 'ClusterAPI', providerSpec: awsProviderSpec() },
    });
    await eventually(async () =>
      expect((await read(cluster.client, mapiv1beta1.machines, oldKey('collected-0')))?.status).toMatchObject({
        synchronizedAPI: 'ClusterAPI',
      }),
    );
    expect(await read(cluster.client, capiv1beta2.machines, newKey('collected-0'))).toMatchObject({
      metadata: {
        labels: { 'cluster.x-k8s.io/set-name': 'collected' },
        ownerReferences: [{ kind: 'MachineSet', name: 'collected', controller: true }],
      },
    });
    await cluster.client.delete(mapiv1beta1.machinesets, oldKey('collected'));
    await eventually(async () => expect(await old('collected')).toBeUndefined());
    // Garbage collection follows owner references; here nobody else does.
    await cluster.client.delete(mapiv1beta1.machines, oldKey('collected-0'));
    await eventually(async () =>
      expect(await read(cluster.client, mapiv1beta1.machines, oldKey('collected-0'))).toBeUndefined(),
    );
    const kept = await read(cluster.client, capiv1beta2.machines, newKey('collected-0'));
    expect(kept?.metadata.deletionTimestamp).toBeUndefined();
    expect(kept?.metadata.finalizers).not.toContain('sync.machine.openshift.io/finalizer');
  });

  it('When everything is settled, it should write nothing after a restart', async () => {
    running = await cluster.run();
    for (const [name, authority] of [
      ['quiet-old', 'MachineAPI'],
      ['quiet-new', 'ClusterAPI'],
    ] as const) {
      await create(name, authority);
      await settled(name, authority);
    }
    await eventually(async () => {
      await running?.stop();
      running = await cluster.run();
      for (const name of ['quiet-old', 'quiet-new']) await running.lookedAt('MachineSet', name);
      expect(running.writes.filter((write) => write.includes('quiet'))).toEqual([]);
    });
  });
});
