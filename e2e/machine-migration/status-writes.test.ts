import type { UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';
import { machineApiCrds, mapiv1beta1 } from '@hypershift-ts/machines-machine-api';
import {
  type AppliedStatus,
  handoverManagers,
  handoverStatus,
  nextHandoverStep,
  synchronizedManagers,
  synchronizedStatus,
} from '@hypershift-ts/machines-migration';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { admissionTypes, createNamespaces, waitUntilServed } from '../admission/fixtures.ts';
import { startTestCluster, type TestCluster } from '../harness/cluster.ts';

const namespace = 'openshift-machine-api';
const now = '2026-01-01T00:00:00Z';
const finalizers = ['sync.machine.openshift.io/finalizer'];

/** The rules of the CRD about status, server-side apply by two writers, and the steps of a handover must fit together. */
describe('What is written about the authority over a machine', () => {
  let server: TestCluster;
  let client: Client;

  beforeAll(async () => {
    server = await startTestCluster();
    client = server.cluster.client();
    await createNamespaces(client, [namespace]);
    for (const definition of machineApiCrds({ migration: true }))
      await client.create(admissionTypes.definitions, definition as unknown as UnstructuredObject);
    await waitUntilServed(server.client, '/apis/machine.openshift.io/v1beta1/machines');
  }, 60_000);

  afterAll(() => server?.stop());

  const key = (name: string) => ({ name, namespace });
  const get = (name: string) => client.get(mapiv1beta1.machines, key(name));

  const create = (name: string, authoritativeAPI: 'MachineAPI' | 'ClusterAPI') =>
    client.create(mapiv1beta1.machines, {
      apiVersion: 'machine.openshift.io/v1beta1',
      kind: 'Machine',
      metadata: { name, namespace, finalizers },
      spec: { authoritativeAPI },
    });

  const ask = (name: string, authoritativeAPI: 'MachineAPI' | 'ClusterAPI') =>
    client.patch(mapiv1beta1.machines, key(name), { type: 'merge', body: { spec: { authoritativeAPI } } });

  const write = (applied: AppliedStatus, fieldManager: string) =>
    client.apply(mapiv1beta1.machines, applied, {
      fieldManager,
      force: true,
      subresource: 'status',
    });

  /** Tells that both copies agree, as the sync controller does. */
  async function synchronize(name: string, source: 'MachineAPI' | 'ClusterAPI', generation: number): Promise<void> {
    const outcome = { kind: 'synchronized', source, generation } as const;
    await write(synchronizedStatus(await get(name), outcome, now), synchronizedManagers.Machine);
  }

  /** Paused, as the Machine API controller tells it. */
  const pause = (name: string, status: string) =>
    client.patch(
      mapiv1beta1.machines,
      key(name),
      {
        type: 'merge',
        body: { status: { conditions: [{ type: 'Paused', status, lastTransitionTime: now }] } },
      },
      { subresource: 'status' },
    );

  const mirror = (kind: string, generation: number, asked: boolean, told: string) => ({
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind,
    metadata: { name: 'm', generation, finalizers, annotations: asked ? { 'cluster.x-k8s.io/paused': '' } : {} },
    status: { conditions: [{ type: 'Paused', status: told }] },
  });

  /** Chooses the next step for the stored machine and writes what it tells, if anything. */
  async function step(name: string, asked: boolean, told: string, generation = 2): Promise<string> {
    const machineApi = await get(name);
    const objects = {
      machineApi,
      clusterApi: mirror('Machine', generation, asked, told),
      infra: mirror('AWSMachine', 1, asked, told),
    };
    const next = nextHandoverStep(objects);
    if (next.kind === 'tell' || next.kind === 'finish')
      await write(handoverStatus(objects, next, now), handoverManagers.Machine);
    return next.kind === 'wait' ? `wait ${next.reason}` : next.kind;
  }

  it('When a machine goes to Cluster API and back, it should be accepted at every step', async () => {
    await create('there', 'MachineAPI');
    expect(await step('there', true, 'True')).toBe('tell');
    const { generation = 0 } = (await ask('there', 'ClusterAPI')).metadata;
    expect(await step('there', true, 'True')).toBe('wait NotSynchronized');
    await synchronize('there', 'MachineAPI', generation);
    expect(await step('there', true, 'True')).toBe('tell');
    expect((await get('there')).status).toMatchObject({ authoritativeAPI: 'Migrating', synchronizedAPI: 'MachineAPI' });
    expect(await step('there', true, 'True')).toBe('wait MachineAPINotPaused');

    // A merge patch replaces the list, and with it what was told about synchronisation; so it is told again.
    await pause('there', 'True');
    expect(await step('there', true, 'True')).toBe('synchronize');
    await synchronize('there', 'MachineAPI', generation);
    expect(await step('there', true, 'True')).toBe('resume');
    expect(await step('there', false, 'True')).toBe('finish');
    expect((await get('there')).status).toMatchObject({ authoritativeAPI: 'ClusterAPI', synchronizedGeneration: 0 });

    // The generation of the other copy is smaller than what was told before the handover.
    await synchronize('there', 'ClusterAPI', 2);
    await ask('there', 'MachineAPI');
    expect(await step('there', false, 'False')).toBe('tell');
    expect(await step('there', false, 'False')).toBe('pause');
    expect(await step('there', true, 'False')).toBe('wait ClusterAPINotPaused');
    expect(await step('there', true, 'True')).toBe('finish');
    expect((await get('there')).status).toMatchObject({ authoritativeAPI: 'MachineAPI', synchronizedGeneration: 0 });
    expect(await step('there', true, 'True')).toBe('settled');
  });

  it('When a handover is called off, it should be accepted and begin anew when asked again', async () => {
    await create('off', 'MachineAPI');
    await step('off', true, 'True');
    const { generation = 0 } = (await ask('off', 'ClusterAPI')).metadata;
    await synchronize('off', 'MachineAPI', generation);
    await step('off', true, 'True');
    await ask('off', 'MachineAPI');
    expect(await step('off', true, 'True')).toBe('finish');
    expect((await get('off')).status).toMatchObject({ authoritativeAPI: 'MachineAPI', synchronizedGeneration: 0 });
    const again = (await ask('off', 'ClusterAPI')).metadata.generation ?? 0;
    await synchronize('off', 'MachineAPI', again);
    expect(await step('off', true, 'True')).toBe('tell');
  });

  it('When synchronisation fails after it went well, it should keep the generation it knows', async () => {
    await create('failing', 'MachineAPI');
    await step('failing', true, 'True');
    await synchronize('failing', 'MachineAPI', 1);
    const outcome = { kind: 'failed', reason: 'FailedToConvertMAPIMachineToCAPI', message: 'taints' } as const;
    const stored = await write(synchronizedStatus(await get('failing'), outcome, now), synchronizedManagers.Machine);
    expect(stored.status).toMatchObject({
      synchronizedGeneration: 1,
      conditions: [{ status: 'False', message: 'taints' }],
    });
  });

  it('When somebody else has written in between, it should be refused rather than overwrite', async () => {
    await create('stale', 'MachineAPI');
    const stale = await get('stale');
    await pause('stale', 'False');
    const told = handoverStatus({ machineApi: stale }, { kind: 'tell', authority: 'MachineAPI' }, now);
    await expect(write(told, handoverManagers.Machine)).rejects.toThrow(/modified/);
  });
});
