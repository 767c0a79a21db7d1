import { nodePools } from '@hypershift-ts/hypershift-api';
import { embeddedReleaseImage } from '@hypershift-ts/hypershift-release';
import { corev1 } from '@hypershift-ts/kube-apimachinery';
import { capiv1beta1 } from '@hypershift-ts/machines-cluster-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  aHostedClusterOn,
  aMachineOf,
  aPool,
  completeDeployment,
  conditionOf,
  eventually,
  namespace,
  poolNamed,
  startWorld,
  version,
  type World,
} from './world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld('aws');
  const { client } = world;
  await aHostedClusterOn(client, 'AWS');
  await aPool(client, 'workers', 'AWS');
  await completeDeployment(client, 'workers');
  await eventually(async () => expect((await poolNamed(client, 'workers')).status?.version).toBe(version));
}, 60_000);
afterAll(() => world?.stop());

const key = { namespace: 'clusters', name: 'workers' };
const good = { release: { image: embeddedReleaseImage(version) }, config: [], pausedUntil: null };
const configMap = (name: string, config: string) => ({ metadata: { namespace: 'clusters', name }, data: { config } });
const header = 'apiVersion: machineconfiguration.openshift.io/v1\nkind: MachineConfig\nmetadata:\n  name: bad\n';

const cases: readonly {
  readonly when: string;
  readonly config?: string;
  readonly spec: object;
  readonly type: string;
  readonly says: readonly string[];
}[] = [
  {
    when: 'a ConfigMap does not exist',
    spec: { config: [{ name: 'nobody' }] },
    type: 'ValidMachineConfig',
    says: ['ConfigMap clusters/nobody', 'create it'],
  },
  {
    when: 'a document is no YAML',
    config: '{{{ not yaml',
    spec: { config: [{ name: 'bad' }] },
    type: 'ValidMachineConfig',
    says: ['configmap "bad"'],
  },
  {
    when: 'a document is of a kind that nodes cannot have',
    config: 'apiVersion: v1\nkind: Pod\nmetadata:\n  name: x\n',
    spec: { config: [{ name: 'bad' }] },
    type: 'ValidMachineConfig',
    says: ['no kind "Pod"', 'use one of MachineConfig'],
  },
  {
    when: 'a MachineConfig holds no usable Ignition',
    config: `${header}spec:\n  config:\n    ignition:\n      version: 1.0.0\n`,
    spec: { config: [{ name: 'bad' }] },
    type: 'ValidMachineConfig',
    says: ['MachineConfig bad', 'unknown version', 'correct the ConfigMaps in spec.config'],
  },
  {
    when: 'the release is newer than the control plane',
    spec: { release: { image: embeddedReleaseImage('4.21.1') } },
    type: 'ValidReleaseImage',
    says: ['the latest version supported is: "4.20.3"', 'use a release of 4.20 or older'],
  },
  {
    when: 'the release is older than what runs',
    spec: { release: { image: embeddedReleaseImage('4.19.10') } },
    type: 'ValidReleaseImage',
    says: ['y-stream downgrade from "4.20.3" to "4.19.10" is not supported'],
  },
  {
    when: 'there is no such release',
    spec: { release: { image: embeddedReleaseImage('4.99.0') } },
    type: 'ValidReleaseImage',
    says: ['Failed to get release image', '4.99.0'],
  },
  {
    when: 'replacing has no strategy',
    spec: { management: { replace: { strategy: 'RollingUpdate', rollingUpdate: null } } },
    type: 'UpdateManagementEnabled',
    says: ['spec.management.replace.rollingUpdate'],
  },
];

describe('Bad input', () => {
  it.each(cases)(
    'When $when, $type should say what to do and running machines should not be touched',
    async ({ spec, config, type, says }) => {
      const { client } = world;
      const before = await client.get(capiv1beta1.machinedeployments, { namespace, name: 'workers' });
      if (config) await client.create(corev1.configmaps, configMap('bad', config));
      await client.patch(nodePools, key, { type: 'merge', body: { spec } });
      await eventually(async () => {
        const found = await conditionOf(client, 'workers', type);
        expect(found).toMatchObject({ status: 'False', reason: 'ValidationFailed' });
        for (const text of says) expect(found?.message).toContain(text);
      });
      const after = await client.get(capiv1beta1.machinedeployments, { namespace, name: 'workers' });
      expect(after.metadata.resourceVersion).toBe(before.metadata.resourceVersion);
      const repair = {
        ...good,
        management: { replace: { strategy: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } } },
      };
      await client.patch(nodePools, key, { type: 'merge', body: { spec: repair } });
      if (config) await client.delete(corev1.configmaps, { namespace: 'clusters', name: 'bad' });
      await eventually(async () =>
        expect(await conditionOf(client, 'workers', type)).toMatchObject({ status: 'True' }),
      );
    },
    30_000,
  );

  it('When the cloud does not know the instance type, the pool should pass on its words', async () => {
    const { client } = world;
    const machine = await client.create(capiv1beta1.machines, aMachineOf('workers', 'workers-9') as never);
    const refused = (type: string) => ({
      type,
      status: 'False',
      reason: 'InstanceProvisionFailed',
      message: 'instance type m9.large does not exist; set spec.platform.aws.instanceType to one that does',
      lastTransitionTime: '2026-01-01T00:00:00Z',
    });
    const status = { conditions: ['Ready', 'InfrastructureReady'].map(refused) };
    await client.update(capiv1beta1.machines, { ...machine, status } as never, { subresource: 'status' });
    await eventually(async () =>
      expect(await conditionOf(client, 'workers', 'AllMachinesReady')).toMatchObject({
        status: 'False',
        reason: 'InstanceProvisionFailed',
        message: expect.stringContaining('Machine workers-9: InstanceProvisionFailed: instance type m9.large'),
      }),
    );
  });

  it('When the HostedCluster does not exist, nothing should be made', async () => {
    const { client } = world;
    await aPool(client, 'orphan', 'AWS', { clusterName: 'nobody' });
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect((await poolNamed(client, 'orphan')).metadata.finalizers).toBeUndefined();
    await client.delete(nodePools, { namespace: 'clusters', name: 'orphan' });
  });
});
