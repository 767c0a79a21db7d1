import { platformFor } from '@hypershift-ts/hypershift-platforms';
import type { capiv1beta1 } from '@hypershift-ts/machines-cluster-api';
import { awsv1beta2, gcpv1beta1 } from '@hypershift-ts/machines-providers';
import { describe, expect, it } from 'vitest';
import { gatheringMs } from '../machine-events.ts';
import { aHostedCluster, aMachine, aPool, inPlace } from '../testing/pools.ts';
import { desiredHealthCheck, desiredSpotHealthCheck } from './health-check.ts';
import { desiredMachineDeployment, isDeploymentComplete } from './machine-deployment.ts';
import { desiredMachineSet, isSetComplete, maxUnavailable } from './machine-set.ts';
import type { MachineFacts } from './machine-template-spec.ts';
import { machineMetadataPatch } from './node-metadata.ts';
import { autoscalerBounds, desiredReplicas } from './replicas.ts';
import { capacityAnnotations } from './scale-from-zero.ts';
import { templateName } from './template.ts';

const facts = (own: Partial<MachineFacts> = {}): MachineFacts => ({
  pool: aPool(),
  cluster: aHostedCluster(),
  namespace: 'clusters-demo',
  hash: 'abcd1234',
  releaseVersion: '4.20.3',
  template: { type: awsv1beta2.awsmachinetemplates, name: 'workers-1' },
  failureDomain: undefined,
  isInterruptible: false,
  canScaleFromZero: false,
  capacity: {},
  ...own,
});

type Deployment = capiv1beta1.MachineDeployment;
const deployment = (own: Partial<MachineFacts> = {}, live?: Deployment) =>
  desiredMachineDeployment(facts(own), live) as Deployment;

describe('desiredMachineDeployment', () => {
  it('When machines are replaced on deletion only, it should have no limits', () => {
    const pool = aPool({ management: { upgradeType: 'Replace', replace: { strategy: 'OnDelete' } } });
    expect(deployment({ pool }).spec.strategy).toEqual({ type: 'OnDelete', rollingUpdate: null });
  });

  it('When the configuration stays, an older version of the machines should stay with it', () => {
    const live = deployment({ releaseVersion: '4.20.1' });
    expect(deployment({}, live).spec.template.spec.version).toBe('4.20.1');
    expect(deployment({ hash: 'ffff0000' }, live).spec.template.spec.version).toBe('4.20.3');
  });

  it('When a zone is known, machines should be told', () => {
    const template = { type: gcpv1beta1.gcpmachinetemplates, name: 'workers-1' };
    const { spec } = deployment({ template, failureDomain: 'us-central1-a' }).spec.template;
    expect(spec).toMatchObject({ failureDomain: 'us-central1-a', infrastructureRef: { kind: 'GCPMachineTemplate' } });
  });

  it('When machines may be taken back, they should carry the mark for it', () => {
    expect(deployment({ isInterruptible: true }).spec.template.metadata?.labels).toMatchObject({
      'hypershift.openshift.io/interruptible-instance': '',
    });
  });

  it.each([
    [{ updatedReplicas: 3, replicas: 3, availableReplicas: 3, observedGeneration: 2 }, true],
    [{ updatedReplicas: 2, replicas: 3, availableReplicas: 3, observedGeneration: 2 }, false],
    [{ updatedReplicas: 3, replicas: 4, availableReplicas: 3, observedGeneration: 2 }, false],
    [{ updatedReplicas: 3, replicas: 3, availableReplicas: 3, observedGeneration: 1 }, false],
    [{ updatedReplicas: 3, replicas: 3, availableReplicas: 3, observedGeneration: 2, v1beta2: {} }, false],
    [
      {
        updatedReplicas: 3,
        replicas: 3,
        availableReplicas: 3,
        observedGeneration: 2,
        v1beta2: { upToDateReplicas: 3, availableReplicas: 3 },
      },
      true,
    ],
  ])('When its status is %j, being complete should be %s', (status, expected) => {
    expect(isDeploymentComplete({ ...deployment(), metadata: { generation: 2 }, status })).toBe(expected);
  });
});

describe('desiredMachineSet', () => {
  const pool = aPool({
    ...inPlace(),
    nodeLabels: { team: 'blue' },
    taints: [{ key: 'gpu', value: 'a', effect: 'NoSchedule' }],
  });
  const set = (own: Partial<MachineFacts> = {}, live?: capiv1beta1.MachineSet) =>
    desiredMachineSet(facts({ pool, ...own }), live) as capiv1beta1.MachineSet;
  const current = 'hypershift.openshift.io/nodePoolCurrentConfigVersion';
  const target = 'hypershift.openshift.io/nodePoolTargetConfigVersion';

  it('When it is new, its machines should begin with what is wanted', () => {
    expect(set().metadata.annotations).toMatchObject({ [current]: 'abcd1234', [target]: 'abcd1234' });
    expect(isSetComplete(set())).toBe(true);
  });

  it('When another configuration is wanted, only the target should move', () => {
    const live = set();
    const next = set({ hash: 'ffff0000' }, live);
    expect(next.metadata.annotations).toMatchObject({ [target]: 'ffff0000' });
    expect(next.metadata.annotations).not.toHaveProperty([current]);
    expect(
      isSetComplete({ ...live, metadata: { annotations: { ...live.metadata.annotations, [target]: 'ffff0000' } } }),
    ).toBe(false);
  });

  it('When labels and taints are set, machines should carry them for their nodes, and lose those that went', () => {
    const live = set();
    const metadata = set({ pool: aPool(inPlace()) }, live).spec.template?.metadata;
    expect(live.spec.template?.metadata).toMatchObject({
      labels: { 'managed.hypershift.openshift.io.team': 'blue' },
      annotations: { 'hypershift.openshift.io/nodePoolTaints': '[{"key":"gpu","value":"a","effect":"NoSchedule"}]' },
    });
    expect(metadata?.labels).toMatchObject({ 'managed.hypershift.openshift.io.team': null });
    expect(metadata?.annotations).toMatchObject({ 'hypershift.openshift.io/nodePoolTaints': 'null' });
  });

  it.each([
    [undefined, 10, 1],
    [3, 10, 3],
    ['25%', 10, 2],
    ['5%', 10, 1],
    [0, 10, 1],
  ])('When maxUnavailable is %s of %i, it should be %i', (wanted, replicas, expected) => {
    expect(maxUnavailable(aPool(inPlace({ inPlace: { maxUnavailable: wanted } })), replicas)).toBe(expected);
  });
});

describe('Replicas', () => {
  const scaled = (min: number, max: number) => aPool({ replicas: undefined, autoScaling: { min, max } });
  it.each([
    [aPool(), 7, false, 3],
    [aPool({ replicas: undefined }), undefined, false, 0],
    [scaled(2, 5), undefined, false, 2],
    [scaled(2, 5), 4, false, 4],
    [scaled(2, 5), 9, false, 5],
    [scaled(0, 5), 0, false, 1],
    [scaled(0, 5), 0, true, 0],
  ])('When %# has its current number, it should want the right one', (pool, current, fromZero, expected) => {
    expect(desiredReplicas(pool, current, fromZero)).toBe(expected);
  });

  it('When the pool has a fixed size, the autoscaler should keep its hands off', () => {
    expect(Object.values(autoscalerBounds(aPool(), true))).toEqual(['0', '0']);
    expect(Object.values(autoscalerBounds(scaled(0, 5), true))).toEqual(['0', '5']);
  });

  it('When there may be no machine, the autoscaler should be told what one would be like', () => {
    const pool = aPool({
      replicas: undefined,
      autoScaling: { min: 0, max: 5 },
      nodeLabels: { team: 'blue' },
      taints: [
        { key: 'b', effect: 'NoExecute' },
        { key: 'a', value: '1', effect: 'NoSchedule' },
      ],
    });
    const instance = { vCPU: 2, memoryMiB: 8192, gpu: 0 };
    expect(capacityAnnotations(pool, instance, undefined)).toEqual({
      'machine.openshift.io/vCPU': '2',
      'machine.openshift.io/memoryMb': '8192',
      'machine.openshift.io/GPU': null,
      'capacity.cluster-autoscaler.kubernetes.io/labels': 'kubernetes.io/arch=amd64,team=blue',
      'capacity.cluster-autoscaler.kubernetes.io/taints': 'a=1:NoSchedule,b:NoExecute',
    });
    const measured = { status: { capacity: { cpu: '2' } } } as never;
    // A provider measures machines, but does not know what the pool puts on its nodes.
    expect(capacityAnnotations(pool, instance, measured)).toEqual({
      'machine.openshift.io/vCPU': null,
      'machine.openshift.io/memoryMb': null,
      'machine.openshift.io/GPU': null,
      'capacity.cluster-autoscaler.kubernetes.io/labels': 'kubernetes.io/arch=amd64,team=blue',
      'capacity.cluster-autoscaler.kubernetes.io/taints': 'a=1:NoSchedule,b:NoExecute',
    });
    expect(capacityAnnotations(aPool(), instance, undefined)).toEqual({});
  });
});

describe('Health checks', () => {
  const check = (pool = aPool(), cluster = aHostedCluster()) =>
    desiredHealthCheck({ pool, cluster, namespace: 'clusters-demo', repairTimeout: '8m0s' });

  it('When annotations say otherwise, those of the pool should win, and nonsense should not count', () => {
    const key = 'hypershift.openshift.io/machine-health-check';
    const cluster = aHostedCluster(
      {},
      {},
      { annotations: { [`${key}-timeout`]: '30m', [`${key}-max-unhealthy`]: '40%' } },
    );
    const pool = aPool({}, { annotations: { [`${key}-max-unhealthy`]: '5', [`${key}-node-startup-timeout`]: 'soon' } });
    expect(check(pool, cluster).spec).toMatchObject({
      maxUnhealthy: 5,
      nodeStartupTimeout: '20m0s',
      unhealthyConditions: [{ timeout: '30m0s' }, { timeout: '30m0s' }],
    });
  });

  it('When machines may be taken back, a check of their own should select only those of the pool', () => {
    const facts = { pool: aPool(), cluster: aHostedCluster(), namespace: 'n', repairTimeout: '16m0s' };
    expect(desiredSpotHealthCheck(facts)).toMatchObject({
      metadata: { name: 'workers-spot' },
      spec: {
        maxUnhealthy: '100%',
        selector: {
          matchLabels: {
            'hypershift.openshift.io/interruptible-instance': '',
            'demo-abcde-demo-workers': 'demo-abcde-demo-workers',
          },
        },
      },
    });
  });
});

describe('machineMetadataPatch', () => {
  it('When a label was removed from the pool, it should be removed from machines and nothing else touched', () => {
    const pool = aPool({ nodeLabels: { team: 'blue' } });
    const labels = { 'managed.hypershift.openshift.io.old': 'x', other: 'stays' };
    const machine = aMachine('a', {}, { metadata: { labels } });
    expect(machineMetadataPatch(machine, pool, true)).toEqual({
      metadata: {
        labels: {
          'managed.hypershift.openshift.io.old': null,
          'managed.hypershift.openshift.io.team': 'blue',
          'managed.hypershift.openshift.io.hypershift.openshift.io/nodepool-globalps-enabled': 'true',
        },
        annotations: { 'hypershift.openshift.io/nodePoolTaints': 'null' },
      },
    });
  });

  it('When a machine is as it should be, there should be nothing to write', () => {
    const metadata = { annotations: { 'hypershift.openshift.io/nodePoolTaints': 'null' } };
    expect(machineMetadataPatch(aMachine('a', {}, { metadata }), aPool(), false)).toBeUndefined();
  });
});

describe('gatheringMs', () => {
  it.each([
    [0, 0],
    [19, 0],
    [100, 500],
    [5000, 1000],
  ])('When a pool has %i machines, it should let their changes gather for %i ms', (machines, ms) => {
    expect(gatheringMs(machines)).toBe(ms);
  });
});

describe('templateName', () => {
  it('When a template on AWS is as upstream makes it, it should have the name upstream gives it', () => {
    const settings = { instanceType: '', ami: 'an-ami' };
    const desired = platformFor('AWS').machines?.template({
      pool: aPool({ platform: { type: 'AWS', aws: settings } }),
      cluster: aHostedCluster({ infraID: 'infra-id' }),
      namespace: 'clusters-demo',
      release: {} as never, // The image is given, so nothing is read from the release.
      stream: 'rhel-9',
      createsSecurityGroup: false,
    });
    expect(desired && templateName('test-nodepool', desired)).toBe('test-nodepool-28d5cf5a');
  });

  it('When only uncounted members differ, the name should stay', () => {
    const spec = (tags: object, size: number) => ({
      template: { metadata: {}, spec: { size, additionalTags: { ...tags } } },
    });
    const name = (tags: object, size = 1) =>
      templateName('workers', { spec: spec(tags, size), uncounted: ['additionalTags'] });
    expect(name({ a: 'b' })).toBe(name({}));
    expect(name({}, 2)).not.toBe(name({}));
    expect(templateName('workers', { spec: spec({}, 1), counted: 'machine' })).not.toBe(name({}));
  });
});
