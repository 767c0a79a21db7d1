import { annotations, hostedClusters, nodePools } from '@hypershift-ts/hypershift-api';
import { embeddedReleaseImage } from '@hypershift-ts/hypershift-release';
import { corev1, isNotFound } from '@hypershift-ts/kube-apimachinery';
import { capiv1beta1 } from '@hypershift-ts/machines-cluster-api';
import { awsv1beta2 } from '@hypershift-ts/machines-providers';
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
  versionStatus,
  type World,
} from './world.ts';

const newer = '4.20.8';
let world: World;
beforeAll(async () => {
  world = await startWorld('aws');
  const cluster = await aHostedClusterOn(world.client, 'AWS');
  const status = { ...cluster.status, version: versionStatus(newer) };
  await world.client.update(hostedClusters, { ...cluster, status } as never, { subresource: 'status' });
}, 60_000);
afterAll(() => world?.stop());

const at = (name: string) => ({ namespace, name });
const deploymentOf = (name: string) => world.client.get(capiv1beta1.machinedeployments, at(name));
const dataSecretOf = async (name: string) =>
  (await deploymentOf(name)).spec.template.spec.bootstrap.dataSecretName ?? '';
const edit = (name: string, spec: object) =>
  world.client.patch(nodePools, { namespace: 'clusters', name }, { type: 'merge', body: { spec } });

/** A pool whose rollout is over. */
async function aSettledPool(name: string, spec: object = {}): Promise<void> {
  await aPool(world.client, name, 'AWS', spec);
  await completeDeployment(world.client, name);
  await eventually(async () => expect((await poolNamed(world.client, name)).status?.version).toBe(version));
}

const configMap = (name: string, config: string) => ({
  metadata: { namespace: 'clusters', name },
  data: { config },
});
const machineConfig = (content: string) => `apiVersion: machineconfiguration.openshift.io/v1
kind: MachineConfig
metadata:
  name: motd
spec:
  config:
    ignition:
      version: 3.2.0
    storage:
      files:
      - path: /etc/motd
        mode: 420
        contents:
          source: data:,${content}
`;

describe('A change that rolls nodes', () => {
  it('When the release changes, new Secrets should take over and the old token should run out', async () => {
    const { client } = world;
    await aSettledPool('release');
    const before = await dataSecretOf('release');
    await edit('release', { release: { image: embeddedReleaseImage(newer) } });
    await eventually(async () => expect(await dataSecretOf('release')).not.toBe(before));
    const { template } = (await deploymentOf('release')).spec;
    expect(template.spec.version).toBe(newer);
    expect(template.metadata?.annotations?.['hypershift.openshift.io/release-version']).toBe(newer);
    await eventually(async () => {
      const old = await client.get(corev1.secrets, at(before.replace('user-data', 'token')));
      const expiry = Date.parse(old.metadata.annotations?.[annotations.ignitionTokenExpirationTimestamp.key] ?? '');
      expect(Math.round((expiry - Date.now()) / 60_000)).toBe(120);
      await expect(client.get(corev1.secrets, at(before))).rejects.toSatisfy(isNotFound);
      expect(await conditionOf(client, 'release', 'UpdatingVersion')).toMatchObject({
        status: 'True',
        message: `Updating version in progress. Target version: ${newer}`,
      });
    });
    expect((await poolNamed(client, 'release')).status?.version).toBe(version);
    await completeDeployment(client, 'release');
    await eventually(async () => {
      expect((await poolNamed(client, 'release')).status?.version).toBe(newer);
      expect(await conditionOf(client, 'release', 'UpdatingVersion')).toMatchObject({ status: 'False' });
    });
  });

  it('When the content of a ConfigMap changes, it should be a rollout of config and not of version', async () => {
    const { client } = world;
    await client.create(corev1.configmaps, configMap('motd', machineConfig('hello')));
    await aSettledPool('config', { config: [{ name: 'motd' }] });
    const before = await dataSecretOf('config');
    await client.update(corev1.configmaps, configMap('motd', machineConfig('good-bye')));
    await eventually(async () => {
      expect(await dataSecretOf('config')).not.toBe(before);
      expect(await conditionOf(client, 'config', 'UpdatingConfig')).toMatchObject({ status: 'True' });
      expect(await conditionOf(client, 'config', 'UpdatingVersion')).toMatchObject({ status: 'False' });
    });
    await client.update(corev1.configmaps, configMap('motd', machineConfig('hello')));
    await eventually(async () => {
      expect(await dataSecretOf('config')).toBe(before);
      const token = await client.get(corev1.secrets, at(before.replace('user-data', 'token')));
      expect(token.metadata.annotations).not.toHaveProperty([annotations.ignitionTokenExpirationTimestamp.key]);
    });
  });

  it('When the instance type changes, there should be another template, and the old one should go with its machines', async () => {
    const { client } = world;
    await aSettledPool('size');
    const before = (await deploymentOf('size')).spec.template.spec.infrastructureRef.name;
    await client.create(capiv1beta1.machinesets, {
      metadata: { ...at('size-1'), annotations: { [annotations.nodePool.key]: 'clusters/size' } },
      spec: {
        clusterName: 'demo-abcde',
        selector: { matchLabels: { a: 'b' } },
        template: { metadata: { labels: { a: 'b' } }, spec: (await deploymentOf('size')).spec.template.spec },
      },
    } as never);
    await edit('size', { platform: { aws: { instanceType: 'm5.xlarge' } } });
    await eventually(async () => {
      expect((await deploymentOf('size')).spec.template.spec.infrastructureRef.name).not.toBe(before);
      expect(await conditionOf(client, 'size', 'UpdatingPlatformMachineTemplate')).toMatchObject({ status: 'True' });
    });
    await client.get(awsv1beta2.awsmachinetemplates, at(before ?? ''));
    await client.delete(capiv1beta1.machinesets, at('size-1'));
    await client.create(capiv1beta1.machinesets, {
      metadata: { ...at('size-2'), annotations: { [annotations.nodePool.key]: 'clusters/size' } },
      spec: {
        clusterName: 'demo-abcde',
        selector: { matchLabels: { a: 'b' } },
        template: { metadata: { labels: { a: 'b' } }, spec: (await deploymentOf('size')).spec.template.spec },
      },
    } as never);
    await eventually(async () =>
      expect(client.get(awsv1beta2.awsmachinetemplates, at(before ?? ''))).rejects.toSatisfy(isNotFound),
    );
  });
});

describe('A change that rolls nothing', () => {
  it('When size, labels, taints and drain settings change, the machines should stay and learn of it', async () => {
    const { client } = world;
    await aSettledPool('calm');
    await client.create(capiv1beta1.machines, aMachineOf('calm', 'calm-1') as never);
    const before = (await deploymentOf('calm')).spec.template.spec;
    await edit('calm', {
      replicas: 5,
      nodeLabels: { team: 'blue' },
      taints: [{ key: 'gpu', effect: 'NoSchedule' }],
      nodeDrainTimeout: '90s',
    });
    await eventually(async () => {
      const { replicas, template } = (await deploymentOf('calm')).spec;
      expect(replicas).toBe(5);
      expect(template.spec).toEqual({ ...before, nodeDrainTimeout: '1m30s' });
      const { metadata } = await client.get(capiv1beta1.machines, at('calm-1'));
      expect(metadata.labels).toMatchObject({ 'managed.hypershift.openshift.io.team': 'blue' });
      expect(metadata.annotations?.['hypershift.openshift.io/nodePoolTaints']).toBe(
        '[{"key":"gpu","effect":"NoSchedule"}]',
      );
    });
    expect(await conditionOf(client, 'calm', 'UpdatingConfig')).toMatchObject({ status: 'False' });
    expect(await conditionOf(client, 'calm', 'UpdatingVersion')).toMatchObject({ status: 'False' });
  });

  it('When tags change, template and machines should get them under the same name', async () => {
    const { client } = world;
    await aSettledPool('tags');
    const name = (await deploymentOf('tags')).spec.template.spec.infrastructureRef.name ?? '';
    await client.create(capiv1beta1.machines, aMachineOf('tags', 'tags-1') as never);
    await client.create(awsv1beta2.awsmachines, {
      metadata: at('tags-1'),
      spec: { instanceType: 'm5.large', additionalTags: { old: 'gone' } },
    } as never);
    await eventually(async () =>
      expect((await conditionOf(client, 'tags', 'AllMachinesReady'))?.message).toContain('tags-1'),
    );
    await edit('tags', { platform: { aws: { resourceTags: [{ key: 'team', value: 'blue' }] } } });
    await eventually(async () => {
      const expected = { team: 'blue', 'kubernetes.io/cluster/demo-abcde': 'owned' };
      const template = await client.get(awsv1beta2.awsmachinetemplates, at(name));
      expect(template.spec.template.spec.additionalTags).toEqual(expected);
      expect((await client.get(awsv1beta2.awsmachines, at('tags-1'))).spec?.additionalTags).toEqual(expected);
    });
    expect((await deploymentOf('tags')).spec.template.spec.infrastructureRef.name).toBe(name);
  });

  it('When the pool is paused, nothing of it should be touched until it is not', async () => {
    const { client } = world;
    await aSettledPool('paused', { pausedUntil: 'false' });
    await edit('paused', { pausedUntil: 'true', release: { image: embeddedReleaseImage(newer) } });
    await eventually(async () => {
      expect(await conditionOf(client, 'paused', 'ReconciliationActive')).toMatchObject({
        status: 'False',
        reason: 'ReconciliationPaused',
      });
      expect((await deploymentOf('paused')).metadata.annotations).toHaveProperty(['cluster.x-k8s.io/paused'], 'true');
    });
    expect((await deploymentOf('paused')).spec.template.spec.version).toBe(version);
    expect(await conditionOf(client, 'paused', 'UpdatingVersion')).toMatchObject({ status: 'True' });
    await edit('paused', { pausedUntil: null });
    await eventually(async () => {
      const live = await deploymentOf('paused');
      expect(live.metadata.annotations).not.toHaveProperty(['cluster.x-k8s.io/paused']);
      expect(live.spec.template.spec.version).toBe(newer);
    });
  });
});

describe('Other ways of keeping machines', () => {
  it('When machines are updated in place, a MachineSet should carry the target until all of them have it', async () => {
    const { client } = world;
    const marks = async () => (await client.get(capiv1beta1.machinesets, at('inplace'))).metadata.annotations ?? {};
    const [current, target] = [
      annotations.nodePoolCurrentConfigVersion.key,
      annotations.nodePoolTargetConfigVersion.key,
    ];
    await aPool(client, 'inplace', 'AWS', {
      replicas: 4,
      management: { upgradeType: 'InPlace', inPlace: { maxUnavailable: '50%' } },
    });
    await eventually(async () => {
      expect((await poolNamed(client, 'inplace')).status?.version).toBe(version);
      expect(await marks()).toMatchObject({ [annotations.nodePoolMaxUnavailable.key]: '2' });
    });
    const first = (await marks())[current];
    await edit('inplace', { release: { image: embeddedReleaseImage(newer) } });
    await eventually(async () => expect((await marks())[target]).not.toBe(first));
    expect((await marks())[current]).toBe(first);
    expect((await poolNamed(client, 'inplace')).status?.version).toBe(version);
    const tell = (body: object) =>
      client.patch(capiv1beta1.machinesets, at('inplace'), {
        type: 'merge',
        body: { metadata: { annotations: body } },
      });
    await tell({ [annotations.nodePoolUpgradeInProgressTrue.key]: 'Total Nodes: 4. Upgraded: 1' });
    await eventually(async () =>
      expect(await conditionOf(client, 'inplace', 'UpdatingVersion')).toMatchObject({
        status: 'True',
        message: 'Total Nodes: 4. Upgraded: 1',
      }),
    );
    await tell({ [annotations.nodePoolUpgradeInProgressFalse.key]: 'Node a in nodepool degraded: no space' });
    await eventually(async () =>
      expect(await conditionOf(client, 'inplace', 'UpdatingVersion')).toMatchObject({
        status: 'False',
        reason: 'InplaceUpgradeFailed',
        message: 'Node a in nodepool degraded: no space',
      }),
    );
    await tell({
      [current]: (await marks())[target],
      [annotations.nodePoolUpgradeInProgressTrue.key]: null,
      [annotations.nodePoolUpgradeInProgressFalse.key]: null,
    });
    await eventually(async () => expect((await poolNamed(client, 'inplace')).status?.version).toBe(newer));
    await expect(deploymentOf('inplace')).rejects.toSatisfy(isNotFound);
  });

  it('When machines are replaced on deletion, Cluster API should be told to wait for it', async () => {
    await aPool(world.client, 'ondelete', 'AWS', {
      management: { upgradeType: 'Replace', replace: { strategy: 'OnDelete' } },
    });
    const { strategy } = (await eventually(() => deploymentOf('ondelete'))).spec;
    expect(strategy).toEqual({ type: 'OnDelete' });
  });

  it('When the pool scales itself from zero, the autoscaler should know its bounds and its machines', async () => {
    const { client } = world;
    await aPool(client, 'scaled', 'AWS', { replicas: undefined, autoScaling: { min: 0, max: 3 } });
    const live = await eventually(() => deploymentOf('scaled'));
    expect(live.spec.replicas).toBe(0);
    expect(live.metadata.annotations).toMatchObject({
      [annotations.autoscalerMinSize.key]: '0',
      [annotations.autoscalerMaxSize.key]: '3',
      'machine.openshift.io/vCPU': '2',
      'machine.openshift.io/memoryMb': '8192',
      'capacity.cluster-autoscaler.kubernetes.io/labels': 'kubernetes.io/arch=amd64',
    });
    const body = { spec: { replicas: 2 } };
    await client.patch(capiv1beta1.machinedeployments, at('scaled'), { type: 'merge', body });
    await edit('scaled', { nodeDrainTimeout: '1m' });
    await eventually(async () => {
      const { replicas, template } = (await deploymentOf('scaled')).spec;
      expect([replicas, template.spec.nodeDrainTimeout]).toEqual([2, '1m0s']);
    });
  });
});
