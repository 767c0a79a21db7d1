import { annotations, nodePools } from '@hypershift-ts/hypershift-api';
import { corev1, isNotFound, type KubeObject } from '@hypershift-ts/kube-apimachinery';
import { capiv1beta1 } from '@hypershift-ts/machines-cluster-api';
import { awsv1beta2 } from '@hypershift-ts/machines-providers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  aHostedClusterOn,
  aPool,
  conditionOf,
  eventually,
  namespace,
  poolNamed,
  startWorld,
  version,
  type World,
  written,
} from './world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld('aws');
  await aHostedClusterOn(world.client, 'AWS');
}, 60_000);
afterAll(() => world?.stop());

const key = { namespace, name: 'workers' };
const deployment = () => world.client.get(capiv1beta1.machinedeployments, key);

describe('A pool whose machines are replaced', () => {
  it('When it is created, it should get Secrets, a template and a MachineDeployment that name each other', async () => {
    const { client } = world;
    await aPool(client, 'workers', 'AWS', {
      nodeDrainTimeout: '30m',
      management: { upgradeType: 'Replace', autoRepair: true },
    });
    const live = await eventually(deployment);
    const dataSecretName = live.spec.template.spec.bootstrap.dataSecretName ?? '';
    expect(dataSecretName).toMatch(/^user-data-workers-[0-9a-f]{8}$/);
    const hash = dataSecretName.slice('user-data-workers-'.length);
    const token = await client.get(corev1.secrets, { namespace, name: `token-workers-${hash}` });
    const text = (name: string) => Buffer.from(token.data?.[name] ?? '', 'base64').toString('utf8');
    expect(text('release-version')).toBe(version);
    const userData = await client.get(corev1.secrets, { namespace, name: dataSecretName });
    const stub = JSON.parse(Buffer.from(userData.data?.['value'] ?? '', 'base64').toString('utf8'));
    expect(stub.ignition.config.merge[0]).toMatchObject({
      source: 'https://ignition.demo.example.com/ignition',
      httpHeaders: [
        { name: 'Authorization', value: `Bearer ${Buffer.from(text('token')).toString('base64')}` },
        { name: 'NodePool', value: 'clusters/workers' },
        { name: 'TargetConfigVersionHash', value: hash },
      ],
    });
    const { infrastructureRef } = live.spec.template.spec;
    const template = await client.get(awsv1beta2.awsmachinetemplates, {
      namespace,
      name: infrastructureRef.name ?? '',
    });
    expect(template.spec.template.spec).toMatchObject({
      instanceType: 'm5.large',
      additionalSecurityGroups: [{ id: 'sg-workers' }],
      additionalTags: { 'kubernetes.io/cluster/demo-abcde': 'owned' },
    });
    expect(live.spec).toMatchObject({
      clusterName: 'demo-abcde',
      replicas: 2,
      selector: {
        matchLabels: {
          'cluster.x-k8s.io/cluster-name': 'demo-abcde',
          'demo-abcde-demo-workers': 'demo-abcde-demo-workers',
        },
      },
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      template: {
        metadata: {
          annotations: {
            'hypershift.openshift.io/nodePool': 'clusters/workers',
            'hypershift.openshift.io/release-version': version,
          },
        },
        spec: { version, nodeDrainTimeout: '30m0s' },
      },
    });
  });

  it('When nothing of it has booted, it should say so in its conditions and not repair anything', async () => {
    const { client } = world;
    const expected: readonly (readonly [type: string, status: string, reason: string, message?: string])[] = [
      ['AutoscalingEnabled', 'False', 'AsExpected'],
      ['UpdateManagementEnabled', 'True', 'AsExpected'],
      ['ValidReleaseImage', 'True', 'AsExpected', `Using release image: registry.hypershift-ts.io/release:${version}`],
      ['ValidArchPlatform', 'True', 'AsExpected'],
      ['ReconciliationActive', 'True', 'ReconciliationActive', 'Reconciliation active on resource'],
      ['SupportedVersionSkew', 'True', 'AsExpected', 'Release image version is valid'],
      ['ValidMachineConfig', 'True', 'AsExpected'],
      ['UpdatingConfig', 'True', 'AsExpected'],
      ['UpdatingVersion', 'True', 'AsExpected', `Updating version in progress. Target version: ${version}`],
      ['ReachedIgnitionEndpoint', 'False', 'ignitionNotReached'],
      ['AllMachinesReady', 'False', 'NotFound', 'No Machines are created'],
      ['ValidPlatformConfig', 'True', 'AsExpected', 'All is well'],
      ['AWSSecurityGroupAvailable', 'True', 'AsExpected'],
      ['AWSResourceTagConflict', 'False', 'NoTagConflict'],
    ];
    await eventually(async () => {
      for (const [type, status, reason, message] of expected)
        expect(await conditionOf(client, 'workers', type)).toMatchObject({
          type,
          status,
          reason,
          ...(message ? { message } : {}),
        });
      expect(await conditionOf(client, 'workers', 'ValidPlatformImage')).toMatchObject({ status: 'True' });
      expect((await conditionOf(client, 'workers', 'ValidGeneratedPayload'))?.status).toBe('Unknown');
    });
    expect(await conditionOf(client, 'workers', 'IgnitionEndpointAvailable')).toBeUndefined();
    expect((await client.list(capiv1beta1.machinehealthchecks, { namespace })).items).toEqual([]);
    const { metadata } = await poolNamed(client, 'workers');
    expect(metadata.finalizers).toEqual(['hypershift.openshift.io/finalizer']);
    expect(metadata.ownerReferences).toMatchObject([{ kind: 'HostedCluster', name: 'demo' }]);
  });

  it('When a machine fetched its configuration, it should begin to repair', async () => {
    const { client } = world;
    const live = await deployment();
    const name = (live.spec.template.spec.bootstrap.dataSecretName ?? '').replace('user-data', 'token');
    const body = {
      metadata: { annotations: { [annotations.ignitionReached.key]: 'True' } },
      data: { reason: Buffer.from('AsExpected').toString('base64') },
    };
    await client.patch(corev1.secrets, { namespace, name }, { type: 'merge', body });
    const check = await eventually(() => client.get(capiv1beta1.machinehealthchecks, key));
    expect(check.spec).toMatchObject({
      maxUnhealthy: 2,
      nodeStartupTimeout: '20m0s',
      unhealthyConditions: [
        { type: 'Ready', status: 'False', timeout: '8m0s' },
        { type: 'Ready', status: 'Unknown', timeout: '8m0s' },
      ],
    });
    await eventually(async () => {
      expect(await conditionOf(client, 'workers', 'AutorepairEnabled')).toMatchObject({ status: 'True' });
      expect(await conditionOf(client, 'workers', 'ValidGeneratedPayload')).toMatchObject({ status: 'True' });
    });
  });

  it('When all machines are of the rollout, it should say that the pool runs it', async () => {
    const { client } = world;
    const live = await deployment();
    const counts = { replicas: 2, updatedReplicas: 2, availableReplicas: 2, readyReplicas: 2 };
    const conditions = [{ type: 'Ready', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' }];
    const status = { ...counts, observedGeneration: live.metadata.generation, conditions };
    await client.update(capiv1beta1.machinedeployments, { ...live, status } as never, { subresource: 'status' });
    await eventually(async () => {
      const pool = await poolNamed(client, 'workers');
      expect(pool.status).toMatchObject({ version, replicas: 2 });
      expect(pool.metadata.annotations).toMatchObject({
        [annotations.nodePoolCurrentConfigVersion.key]: (live.spec.template.spec.bootstrap.dataSecretName ?? '').slice(
          -8,
        ),
        [annotations.nodePoolPlatformMachineTemplate.key]: live.spec.template.spec.infrastructureRef.name,
      });
      for (const type of ['UpdatingConfig', 'UpdatingVersion', 'UpdatingPlatformMachineTemplate'])
        expect(await conditionOf(client, 'workers', type)).toMatchObject({
          type,
          status: 'False',
          reason: 'AsExpected',
        });
      expect(await conditionOf(client, 'workers', 'Ready')).toMatchObject({ status: 'True' });
    });
  });

  it('When it is settled, another operator should write nothing', async () => {
    const { client } = world;
    const templates = awsv1beta2.awsmachinetemplates as never;
    await new Promise((resolve) => setTimeout(resolve, 300));
    const before = await written(client, templates);
    await world.restartOperator();
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(await written(client, templates)).toEqual(before);
  });

  it('When it is deleted, it should wait for its machines and then leave nothing', async () => {
    const { client } = world;
    const machine = {
      metadata: {
        name: 'workers-1',
        namespace,
        annotations: { 'hypershift.openshift.io/nodePool': 'clusters/workers' },
      },
      spec: {
        clusterName: 'demo-abcde',
        bootstrap: { dataSecretName: 'x' },
        infrastructureRef: {
          kind: 'AWSMachine',
          name: 'workers-1',
          apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
        },
      },
    };
    await client.create(capiv1beta1.machines, machine as never);
    await eventually(async () =>
      expect((await conditionOf(client, 'workers', 'AllMachinesReady'))?.message).toContain('1 of 1 machines'),
    );
    await client.delete(nodePools, { namespace: 'clusters', name: 'workers' });
    await eventually(async () => {
      await expect(deployment()).rejects.toSatisfy(isNotFound);
      expect((await client.list(awsv1beta2.awsmachinetemplates, { namespace })).items).toEqual([]);
    });
    const mine = ({ metadata }: KubeObject) => metadata.annotations?.['hypershift.openshift.io/nodePool'] !== undefined;
    expect((await client.list(corev1.secrets, { namespace })).items.filter(mine).length).toBeGreaterThan(0);
    await poolNamed(client, 'workers');
    await client.delete(capiv1beta1.machines, { namespace, name: 'workers-1' });
    await eventually(async () => {
      await expect(poolNamed(client, 'workers')).rejects.toSatisfy(isNotFound);
    });
    expect((await client.list(corev1.secrets, { namespace })).items.filter(mine)).toEqual([]);
    expect((await client.list(capiv1beta1.machinehealthchecks, { namespace })).items).toEqual([]);
  });
});
