import { annotations, nodePools } from '@hypershift-ts/hypershift-api';
import { corev1 } from '@hypershift-ts/kube-apimachinery';
import { capiv1beta1 } from '@hypershift-ts/machines-cluster-api';
import { kubevirtv1alpha1 } from '@hypershift-ts/machines-providers';
import { afterEach, describe, expect, it } from 'vitest';
import {
  aHostedClusterOn,
  aMachineOf,
  aPool,
  conditionOf,
  eventually,
  namespace,
  poolNamed,
  startWorld,
  version,
  type World,
} from './world.ts';

let world: World;
afterEach(() => world?.stop());
const at = (name: string) => ({ namespace, name });

describe('Node pools by platform', () => {
  it('When nobody makes machines, the pool should offer what machines need and call itself up to date', async () => {
    world = await startWorld();
    const { client } = world;
    await aHostedClusterOn(client, 'None');
    await aPool(client, 'workers', 'None');
    await eventually(async () => {
      const { metadata, status } = await poolNamed(client, 'workers');
      expect(status?.version).toBe(version);
      const hash = metadata.annotations?.[annotations.nodePoolCurrentConfigVersion.key];
      await client.get(corev1.secrets, at(`user-data-workers-${hash}`));
      expect(await conditionOf(client, 'workers', 'UpdatingVersion')).toMatchObject({ status: 'False' });
    });
    expect((await client.list(capiv1beta1.machinedeployments, { namespace })).items).toEqual([]);
  }, 40_000);

  it('When nodes are virtual machines, spreading, patches, tuning and live migration should be looked after', async () => {
    world = await startWorld('kubevirt');
    const { client } = world;
    await aHostedClusterOn(client, 'KubeVirt');
    const tuned = 'apiVersion: tuned.openshift.io/v1\nkind: Tuned\nmetadata:\n  name: t\nspec:\n  profile: []\n';
    await client.create(corev1.configmaps, {
      metadata: { namespace: 'clusters', name: 'tuned' },
      data: { tuning: tuned },
    });
    await aPool(client, 'workers', 'KubeVirt', { tuningConfig: [{ name: 'tuned' }] });
    const deployment = await eventually(() => client.get(capiv1beta1.machinedeployments, at('workers')));
    const { name = '' } = deployment.spec.template.spec.infrastructureRef;
    const template = await client.get(kubevirtv1alpha1.kubevirtmachinetemplates, at(name));
    const machine = template.spec.template.spec.virtualMachineTemplate?.spec?.template.spec;
    expect(machine?.topologySpreadConstraints).toHaveLength(1);
    expect(machine?.affinity).toBeUndefined();
    await eventually(async () => {
      const { metadata } = await poolNamed(client, 'workers');
      expect(metadata.annotations).toHaveProperty([annotations.nodepoolSupportsKubevirtTopologySpreadConstraints.key]);
      expect((await client.get(corev1.configmaps, at('tuned-workers'))).data?.['tuning']).toContain('kind: Tuned');
      expect(await conditionOf(client, 'workers', 'ValidTuningConfig')).toMatchObject({ status: 'True' });
      expect((await conditionOf(client, 'workers', 'ValidPlatformImage'))?.message).toContain(
        'Bootstrap KubeVirt Image',
      );
    });
    const created = await client.create(kubevirtv1alpha1.kubevirtmachines, {
      metadata: at('workers-1'),
      spec: template.spec.template.spec,
    } as never);
    const condition = {
      type: 'VMLiveMigratable',
      status: 'False',
      reason: 'DisksNotLiveMigratable',
      message: 'the volume is not shared',
      lastTransitionTime: '2026-01-01T00:00:00Z',
    };
    const status = { ready: true, conditions: [condition] };
    await client.update(kubevirtv1alpha1.kubevirtmachines, { ...created, status } as never, { subresource: 'status' });
    await client.create(capiv1beta1.machines, aMachineOf('workers', 'workers-1') as never);
    await eventually(async () =>
      expect(await conditionOf(client, 'workers', 'KubeVirtNodesLiveMigratable')).toMatchObject({
        status: 'False',
        reason: 'DisksNotLiveMigratable',
        message: expect.stringContaining('1 of 1 machines are not live migratable'),
      }),
    );
    const patch = { 'hypershift.openshift.io/kubevirt-vm-jsonpatch': '[{"op":"remove","path":"/spec/nothing"}]' };
    await client.patch(
      nodePools,
      { namespace: 'clusters', name: 'workers' },
      { type: 'merge', body: { metadata: { annotations: patch } } },
    );
    await eventually(async () =>
      expect(await conditionOf(client, 'workers', 'ValidMachineTemplate')).toMatchObject({
        status: 'False',
        reason: 'InvalidKubevirtMachineTemplate',
        message: expect.stringContaining('write it as a JSON Patch'),
      }),
    );
    const after = await client.get(capiv1beta1.machinedeployments, at('workers'));
    expect(after.spec.template).toEqual(deployment.spec.template);
  }, 60_000);
});
