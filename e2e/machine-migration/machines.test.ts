import { capiv1beta2 } from '@hypershift-ts/machines-cluster-api';
import { mapiv1beta1 } from '@hypershift-ts/machines-machine-api';
import { awsv1beta2 } from '@hypershift-ts/machines-providers';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { deaf } from './actors.ts';
import { awsProviderSpec, eventually, MigrationCluster, read, type Running } from './cluster.ts';
import { newKey, oldKey } from './keys.ts';

type Authority = 'MachineAPI' | 'ClusterAPI';

describe('A machine in both APIs', () => {
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

  const old = (name: string) => read(cluster.client, mapiv1beta1.machines, oldKey(name));
  const current = (name: string) => read(cluster.client, capiv1beta2.machines, newKey(name));
  const infra = (name: string) => read(cluster.client, awsv1beta2.awsmachines, newKey(name));

  const create = (name: string, authoritativeAPI: Authority, annotations: { readonly [key: string]: string } = {}) =>
    cluster.client.create(mapiv1beta1.machines, {
      metadata: { ...oldKey(name), annotations, labels: { 'machine.openshift.io/cluster-api-machine-role': 'worker' } },
      spec: { authoritativeAPI, providerSpec: awsProviderSpec() },
    });

  const ask = (name: string, authoritativeAPI: Authority) =>
    cluster.client.patch(mapiv1beta1.machines, oldKey(name), { type: 'merge', body: { spec: { authoritativeAPI } } });

  /** The instance runs, as the Machine API controller tells it. */
  const boot = (name: string) =>
    eventually(() =>
      cluster.client.patch(
        mapiv1beta1.machines,
        oldKey(name),
        { type: 'merge', body: { status: { phase: 'Running', providerStatus: { instanceState: 'running' } } } },
        { subresource: 'status' },
      ),
    );

  const settled = (name: string, authority: Authority) =>
    eventually(async () => {
      const machine = await old(name);
      const other = await current(name);
      const source = authority === 'MachineAPI' ? machine : other;
      expect(machine?.status).toMatchObject({
        authoritativeAPI: authority,
        synchronizedAPI: authority,
        synchronizedGeneration: source?.metadata.generation,
        conditions: expect.arrayContaining([expect.objectContaining({ type: 'Synchronized', status: 'True' })]),
      });
      expect(await infra(name)).toBeDefined();
    });

  const expectPaused = (
    get: () => Promise<{ readonly status?: { readonly conditions?: readonly object[] } } | undefined>,
    status: string,
  ) =>
    eventually(async () =>
      expect((await get())?.status?.conditions).toContainEqual(expect.objectContaining({ type: 'Paused', status })),
    );

  it('When a machine is made in the Machine API, it should get a paused copy in Cluster API', async () => {
    running = await cluster.run();
    await create('mirrored', 'MachineAPI');
    await settled('mirrored', 'MachineAPI');
    const paused = { 'cluster.x-k8s.io/paused': '' };
    expect(await current('mirrored')).toMatchObject({
      metadata: {
        annotations: paused,
        finalizers: expect.arrayContaining(['sync.machine.openshift.io/finalizer', 'machine.cluster.x-k8s.io']),
        ownerReferences: [{ kind: 'Cluster', name: 'prod-x7k2p' }],
      },
      spec: {
        clusterName: 'prod-x7k2p',
        bootstrap: { dataSecretName: 'worker-user-data' },
        failureDomain: 'us-east-1a',
      },
    });
    expect(await infra('mirrored')).toMatchObject({
      metadata: { annotations: paused, ownerReferences: [{ kind: 'Machine', name: 'mirrored', controller: true }] },
      spec: { instanceType: 'm6i.xlarge', ami: { id: 'ami-0123' } },
    });
    await boot('mirrored');
    await eventually(async () => {
      expect((await current('mirrored'))?.status?.initialization?.infrastructureProvisioned).toBe(true);
      expect((await infra('mirrored'))?.status).toMatchObject({ ready: true, instanceState: 'running' });
    });
  });

  it('When a machine is made for Cluster API, it should get an original there that is not paused and follow it', async () => {
    running = await cluster.run();
    await create('native', 'ClusterAPI');
    await settled('native', 'ClusterAPI');
    expect((await current('native'))?.metadata.annotations ?? {}).not.toHaveProperty('cluster.x-k8s.io/paused');
    await cluster.client.patch(capiv1beta2.machines, newKey('native'), {
      type: 'merge',
      body: { metadata: { labels: { team: 'storage' } }, spec: { providerID: 'aws:///us-east-1a/i-0123' } },
    });
    await eventually(async () => {
      const machine = await old('native');
      expect(machine?.metadata.labels).toMatchObject({ team: 'storage' });
      expect(machine?.spec.providerID).toBe('aws:///us-east-1a/i-0123');
    });
    await settled('native', 'ClusterAPI');
  });

  it('When authority goes to Cluster API and back, it should end with exactly one side at work each time', async () => {
    running = await cluster.run();
    await create('there', 'MachineAPI');
    await settled('there', 'MachineAPI');
    await boot('there');
    await eventually(async () =>
      expect((await current('there'))?.status?.initialization?.infrastructureProvisioned).toBe(true),
    );
    await ask('there', 'ClusterAPI');
    await settled('there', 'ClusterAPI');
    for (const object of [await current('there'), await infra('there')])
      expect(object?.metadata.annotations ?? {}).not.toHaveProperty('cluster.x-k8s.io/paused');
    await expectPaused(() => old('there'), 'True');
    await expectPaused(() => current('there'), 'False');

    await ask('there', 'MachineAPI');
    await settled('there', 'MachineAPI');
    for (const object of [await current('there'), await infra('there')])
      expect(object?.metadata.annotations).toHaveProperty('cluster.x-k8s.io/paused');
    await expectPaused(() => old('there'), 'False');
    await expectPaused(() => current('there'), 'True');
  });

  it('When a user edits the copy without authority, it should be refused', async () => {
    running = await cluster.run();
    await create('locked', 'MachineAPI');
    await settled('locked', 'MachineAPI');
    const edit = { type: 'merge', body: { spec: { failureDomain: 'us-east-1b' } } } as const;
    await expect(cluster.client.patch(capiv1beta2.machines, newKey('locked'), edit)).rejects.toThrow(
      'Changing .spec is not allowed. This is because status.authoritativeAPI is set to Machine API.',
    );
    await create('follower', 'ClusterAPI');
    await settled('follower', 'ClusterAPI');
    const change = { type: 'merge', body: { spec: { providerSpec: awsProviderSpec({ keyName: 'mine' }) } } } as const;
    await expect(cluster.client.patch(mapiv1beta1.machines, oldKey('follower'), change)).rejects.toThrow(
      'You may only modify spec.authoritativeAPI.',
    );
  });

  it('When the instance is described anew, it should replace the InfraMachine, which cannot change', async () => {
    running = await cluster.run();
    await create('replaced', 'MachineAPI');
    await settled('replaced', 'MachineAPI');
    const before = (await infra('replaced'))?.metadata.uid;
    await cluster.client.patch(mapiv1beta1.machines, oldKey('replaced'), {
      type: 'merge',
      body: { spec: { providerSpec: awsProviderSpec({ instanceType: 'm6i.2xlarge' }) } },
    });
    await eventually(async () => {
      const machine = await infra('replaced');
      expect(machine?.spec.instanceType).toBe('m6i.2xlarge');
      expect(machine?.metadata.uid).not.toBe(before);
    });
    await settled('replaced', 'MachineAPI');
  });

  it('When a machine cannot be said in Cluster API, it should tell why, keep its copy and recover', async () => {
    running = await cluster.run();
    await create('odd', 'MachineAPI');
    await settled('odd', 'MachineAPI');
    await cluster.client.patch(mapiv1beta1.machines, oldKey('odd'), {
      type: 'merge',
      body: { spec: { providerSpec: awsProviderSpec({ deviceIndex: 3 }) } },
    });
    await eventually(async () =>
      expect((await old('odd'))?.status?.conditions).toContainEqual(
        expect.objectContaining({
          type: 'Synchronized',
          status: 'False',
          severity: 'Error',
          reason: 'FailedToConvertMAPIMachineToCAPI',
          message: expect.stringMatching(
            /^failed to convert Machine API machine to Cluster API machine: .*deviceIndex must be 0 or unset/,
          ),
        }),
      ),
    );
    expect(await infra('odd')).toMatchObject({ spec: { instanceType: 'm6i.xlarge' } });
    const back = { deviceIndex: null, instanceType: 'm6i.4xlarge' };
    await cluster.client.patch(mapiv1beta1.machines, oldKey('odd'), {
      type: 'merge',
      body: { spec: { providerSpec: { value: back } } },
    });
    await settled('odd', 'MachineAPI');
  });

  it('When its owner is of no kind that Cluster API has, it should say so and not try again', async () => {
    running = await cluster.run();
    await cluster.client.create(mapiv1beta1.machines, {
      metadata: {
        ...oldKey('master-0'),
        ownerReferences: [
          { apiVersion: 'machine.openshift.io/v1', kind: 'ControlPlaneMachineSet', name: 'cluster', uid: 'u-1' },
        ],
      },
      spec: { providerSpec: awsProviderSpec() },
    });
    await eventually(async () =>
      expect((await old('master-0'))?.status?.conditions).toContainEqual(
        expect.objectContaining({
          reason: 'FailedToConvertMAPIMachineToCAPI',
          message: 'conversion of control plane machines owned by control plane machine set is currently not supported',
        }),
      ),
    );
    expect(await current('master-0')).toBeUndefined();
  });

  it.each([
    ['MachineAPI', 'MachineAPI'],
    ['MachineAPI', 'ClusterAPI'],
    ['ClusterAPI', 'MachineAPI'],
    ['ClusterAPI', 'ClusterAPI'],
  ] as const)(
    'When %s has authority and the machine is deleted in %s, it should go from both',
    async (authority, side) => {
      running = await cluster.run();
      const name = `gone-${authority}-${side}`.toLowerCase();
      await create(name, authority);
      await settled(name, authority);
      if (side === 'MachineAPI') await cluster.client.delete(mapiv1beta1.machines, oldKey(name));
      else await cluster.client.delete(capiv1beta2.machines, newKey(name));
      await eventually(async () =>
        expect([await old(name), await current(name), await infra(name)]).toEqual([undefined, undefined, undefined]),
      );
    },
  );

  it('When the controllers stop at any moment of a handover, it should be finished by the next ones', async () => {
    await create('interrupted', 'MachineAPI');
    running = await cluster.run();
    await settled('interrupted', 'MachineAPI');
    await boot('interrupted');
    await eventually(async () =>
      expect((await current('interrupted'))?.status?.initialization?.infrastructureProvisioned).toBe(true),
    );
    await ask('interrupted', 'ClusterAPI');
    // Stops after each write, so that every step is begun by one set of controllers and followed up by another.
    for (let starts = 0; (await old('interrupted'))?.status?.authoritativeAPI !== 'ClusterAPI'; starts++) {
      expect(starts).toBeLessThan(20);
      await running.stop();
      const next: Running = await cluster.run();
      running = next;
      await eventually(async () => {
        const { status } = (await old('interrupted'))!;
        expect(next.writes.length > 0 || status?.authoritativeAPI === 'ClusterAPI').toBe(true);
      });
    }
    await settled('interrupted', 'ClusterAPI');
  });

  /** Asked to go to Cluster API, while nobody in the Machine API hears that it should stop. */
  async function hanging(name: string): Promise<void> {
    await create(name, 'MachineAPI', { [deaf]: '' });
    await settled(name, 'MachineAPI');
    await boot(name);
    await eventually(async () =>
      expect((await current(name))?.status?.initialization?.infrastructureProvisioned).toBe(true),
    );
    await ask(name, 'ClusterAPI');
    await eventually(async () => expect((await old(name))?.status?.authoritativeAPI).toBe('Migrating'));
  }

  const enlarge = {
    type: 'merge',
    body: { spec: { providerSpec: { value: { instanceType: 'm6i.8xlarge' } } } },
  } as const;

  it('When a handover hangs, it should refuse edits and let itself be called off', async () => {
    running = await cluster.run();
    await hanging('undecided');
    await expect(cluster.client.patch(mapiv1beta1.machines, oldKey('undecided'), enlarge)).rejects.toThrow(
      'Changing .spec is not allowed while status.authoritativeAPI is Migrating.',
    );
    await ask('undecided', 'MachineAPI');
    await settled('undecided', 'MachineAPI');
    expect((await current('undecided'))?.metadata.annotations).toHaveProperty('cluster.x-k8s.io/paused');
  });

  it('When the old side says something new before it stops, it should not be lost', async () => {
    running = await cluster.run();
    await hanging('lastword');
    await cluster.controllerClient().patch(mapiv1beta1.machines, oldKey('lastword'), enlarge);
    await eventually(async () => {
      const { status, metadata } = (await old('lastword'))!;
      const told = { type: 'Paused', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' };
      const conditions = [...(status?.conditions ?? []), told];
      const body = { metadata: { resourceVersion: metadata.resourceVersion }, status: { conditions } };
      const patch = { type: 'merge', body } as const;
      await cluster.client.patch(mapiv1beta1.machines, oldKey('lastword'), patch, { subresource: 'status' });
    });
    await settled('lastword', 'ClusterAPI');
    expect((await infra('lastword'))?.spec.instanceType).toBe('m6i.8xlarge');
    expect((await infra('lastword'))?.metadata.annotations).not.toHaveProperty('cluster.x-k8s.io/paused');
  });

  it('When two of three writes fail, half of them unnoticed, it should come to the same end', async () => {
    running = await cluster.run({ broken: true });
    await create('shaky-new', 'ClusterAPI');
    await settled('shaky-new', 'ClusterAPI');
    expect((await infra('shaky-new'))?.metadata.annotations ?? {}).not.toHaveProperty('cluster.x-k8s.io/paused');
    await create('shaky', 'MachineAPI');
    await settled('shaky', 'MachineAPI');
    await boot('shaky');
    await eventually(async () =>
      expect((await current('shaky'))?.status?.initialization?.infrastructureProvisioned).toBe(true),
    );
    for (const authority of ['ClusterAPI', 'MachineAPI'] as const) {
      await ask('shaky', authority);
      await settled('shaky', authority);
    }
    for (const name of ['shaky', 'shaky-new']) {
      await cluster.client.delete(mapiv1beta1.machines, oldKey(name));
      await eventually(async () =>
        expect([await old(name), await current(name), await infra(name)]).toEqual([undefined, undefined, undefined]),
      );
    }
  });

  it('When an InfraMachine of that name is there already, it should leave it alone and say what to do', async () => {
    const { spec } = (await infra('mirrored'))!;
    const foreign = await cluster.client.create(awsv1beta2.awsmachines, {
      metadata: { ...newKey('taken'), annotations: { [deaf]: '' } },
      spec: { ...spec, instanceType: 'c7i.large' },
    });
    running = await cluster.run();
    await create('taken', 'MachineAPI');
    await eventually(async () =>
      expect((await old('taken'))?.status?.conditions).toContainEqual(
        expect.objectContaining({
          reason: 'FailedToCreateCAPIMachine',
          message: expect.stringContaining('AWSMachine taken exists already and is no copy'),
        }),
      ),
    );
    expect(await infra('taken')).toEqual(foreign);
  });

  it('When somebody deletes the InfraMachine of a copy, it should be made anew', async () => {
    running = await cluster.run();
    await create('restored', 'MachineAPI');
    await settled('restored', 'MachineAPI');
    const before = (await infra('restored'))?.metadata.uid;
    await cluster.client.delete(awsv1beta2.awsmachines, newKey('restored'));
    await eventually(async () => {
      const machine = await infra('restored');
      expect(machine?.metadata.uid).toEqual(expect.any(String));
      expect(machine?.metadata.uid).not.toBe(before);
    });
    await settled('restored', 'MachineAPI');
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
    await expectPaused(() => current('quiet-old'), 'True');
    await expectPaused(() => infra('quiet-old'), 'True');
    await expectPaused(() => current('quiet-new'), 'False');
    await expectPaused(() => infra('quiet-new'), 'False');
    await eventually(async () => {
      await running?.stop();
      running = await cluster.run();
      for (const name of ['quiet-old', 'quiet-new']) await running.lookedAt('Machine', name);
      expect(running.writes.filter((write) => write.includes('quiet'))).toEqual([]);
    });
  });
});
