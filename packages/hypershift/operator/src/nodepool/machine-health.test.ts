import { describe, expect, it } from 'vitest';
import { blockedDrains, blockedDrainText } from './blocked-drains.ts';
import { machineVerdicts, summarised } from './machine-health.ts';
import { networkConflict } from './network-conflict.ts';
import { nodesInfo, osStreamOf } from './nodes-info.ts';
import { aHostedCluster, aMachine, aPool } from './testing/pools.ts';

const good = { Ready: ['True'], NodeHealthy: ['True'] } as const;

describe('machineVerdicts', () => {
  it.each([
    [0, 'AsExpected', 'NodePool set to no replicas'],
    [3, 'NotFound', 'No Machines are created'],
  ])('When there is no machine and %i are wanted, it should say %s', (replicas, reason, message) => {
    for (const verdict of machineVerdicts(aPool({ replicas }), []))
      expect(verdict).toMatchObject({ status: 'False', reason, message });
  });

  it('When all is well, it should say so', () => {
    expect(machineVerdicts(aPool(), [aMachine('a', good)])).toMatchObject([
      { type: 'AllMachinesReady', status: 'True', reason: 'AsExpected', message: 'All is well' },
      { type: 'AllNodesHealthy', status: 'True', reason: 'AsExpected', message: 'All is well' },
    ]);
  });

  it('When the cloud refuses a machine, it should tell its words and not the progress of Cluster API', () => {
    const refused = aMachine('b', {
      Ready: ['False', 'InstanceProvisionFailed', '0 of 2 completed'],
      InfrastructureReady: ['False', 'InstanceProvisionFailed', 'instance type m9.large does not exist'],
      NodeHealthy: ['False', 'NodeProvisioning', ''],
    });
    const [ready, healthy] = machineVerdicts(aPool(), [aMachine('a', good), refused, aMachine('c')]);
    expect(ready).toMatchObject({
      status: 'False',
      reason: 'InstanceProvisionFailed,WaitingForInfrastructure',
      message:
        '2 of 3 machines are not ready\n' +
        'Machine b: InstanceProvisionFailed: instance type m9.large does not exist\n' +
        'Machine c: WaitingForInfrastructure\n',
    });
    expect(healthy).toMatchObject({
      reason: 'NodeProvisioning,WaitingForNodeRef',
      message: '2 of 3 machines are not healthy\nMachine b: NodeProvisioning\nMachine c: WaitingForNodeRef\n',
    });
  });

  it('When only progress is known, it should drop the counter', () => {
    const slow = aMachine('a', {
      Ready: ['False', 'WaitingForInfrastructure', '1 of 2 completed'],
      InfrastructureReady: ['False', 'WaitingForInfrastructure', '1 of 2 completed'],
    });
    expect(machineVerdicts(aPool(), [slow])[0]?.message).toBe(
      '1 of 1 machines are not ready\nMachine a: WaitingForInfrastructure\n',
    );
  });

  it('When very many machines complain, it should stay within the limits of a condition', () => {
    const many = Array.from({ length: 500 }, (_, index) => ({
      machine: `machine-${index}`,
      reason: `Reason${index % 200}`,
      message: 'x'.repeat(200),
    }));
    const { message, reason } = summarised('AllMachinesReady', 'ready', 500, many);
    expect(message.length).toBeLessThan(3100);
    expect(message.endsWith('... message truncated\n')).toBe(true);
    expect(reason.length).toBeLessThanOrEqual(1024);
    expect(reason.endsWith(',ReasonsTruncated')).toBe(true);
    const alike = summarised(
      'AllMachinesReady',
      'ready',
      500,
      many.map((one) => ({ ...one, reason: 'Same' })),
    );
    expect(alike.message).toContain('... too many similar errors\n');
  });
});

describe('blockedDrains', () => {
  const held =
    'Drain not completed yet: cannot evict pod shop/web-0: PodDisruptionBudget shop/web needs 2 healthy pods';
  const draining = aMachine(
    'a',
    { Ready: ['False', 'Draining', ''], DrainingSucceeded: ['False', 'Draining', held] },
    {
      metadata: {
        deletionTimestamp: '2026-01-01T00:00:00Z',
        annotations: { 'hypershift.openshift.io/nodePool': 'clusters/workers' },
      },
    },
  );

  it('When a budget holds up a drain, pod and budget should be named on the pool', () => {
    const [ready] = machineVerdicts(aPool(), [draining]);
    expect(ready).toMatchObject({
      reason: 'Draining',
      message: expect.stringContaining('PodDisruptionBudget shop/web'),
    });
  });

  it('When the HostedCluster asks, it should name pool, machine and what is in the way', () => {
    expect(blockedDrainText(blockedDrains([draining, aMachine('b', good)]))).toBe(
      `NodePool workers, Machine a: ${held}`,
    );
  });

  it('When the newer conditions tell more, they should be preferred', () => {
    const newer = {
      v1beta2: { conditions: [{ type: 'Deleting', status: 'True', reason: 'DrainingNode', message: 'newer words' }] },
    };
    const machine = aMachine('a', {}, { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' }, status: newer });
    expect(blockedDrains([machine])).toMatchObject([{ machine: 'a', message: 'newer words' }]);
  });
});

describe('nodesInfo', () => {
  const on = (kubeletVersion: string, osImage: string, healthy: string, ocp?: string) =>
    aMachine(
      `${kubeletVersion}${osImage}${healthy}${ocp}`,
      { NodeHealthy: [healthy] },
      {
        status: { nodeInfo: { kubeletVersion, osImage } },
        ...(ocp ? { metadata: { annotations: { 'hypershift.openshift.io/release-version': ocp } } } : {}),
      },
    );

  it('When nodes run several versions, it should count them by version and health, sorted', () => {
    const machines = [
      on('v1.33.6', 'a', 'True', '4.20.8'),
      on('v1.33.5', 'b', 'True'),
      on('v1.33.5', 'c', 'False'),
      aMachine('unborn'),
    ];
    const info = nodesInfo(
      machines.map((machine, index) => ({
        ...machine,
        status: {
          ...machine.status,
          conditions: [{ type: 'NodeHealthy', status: index === 2 ? 'False' : 'True', lastTransitionTime: '' }],
        },
      })),
    );
    expect(info?.nodeVersions).toEqual([
      { ocpVersion: '4.20.3', kubeletVersion: 'v1.33.5', readyNodeCount: 1, unreadyNodeCount: 1 },
      { ocpVersion: '4.20.8', kubeletVersion: 'v1.33.6', readyNodeCount: 1, unreadyNodeCount: 0 },
    ]);
    expect(nodesInfo([aMachine('unborn')])).toBeUndefined();
  });

  it.each([
    [['Red Hat Enterprise Linux CoreOS 418.94.202501'], 'rhel-9'],
    [['Red Hat Enterprise Linux CoreOS 9.6.20250826-1 (Plow)'], 'rhel-9'],
    [['Red Hat Enterprise Linux CoreOS 10.2.20260814-0'], 'rhel-10'],
    [['Red Hat Enterprise Linux CoreOS 9.6.1', 'Red Hat Enterprise Linux CoreOS 10.2.1'], undefined],
    [['Fedora CoreOS 41'], undefined],
  ])('When the nodes report %j, their generation should be %s', (images, expected) => {
    expect(osStreamOf(images.map((image) => on('v1', image, 'True')))).toBe(expected);
  });
});

describe('networkConflict', () => {
  const at = (name: string, ...addresses: string[]) =>
    aMachine(name, {}, { status: { addresses: addresses.map((address) => ({ type: 'InternalIP', address })) } });

  it('When every address of a machine is one that pods have, it should say which', () => {
    expect(
      networkConflict(aHostedCluster(), [at('a', '10.132.4.5', '169.254.1.1'), at('b', '10.0.0.7')]),
    ).toMatchObject({
      status: 'True',
      reason: 'InvalidConfiguration',
      message: 'machine [a] with ip [10.132.4.5] collides with cluster-network cidr [10.132.0.0/14]',
    });
  });

  it('When a machine has another address too, there should be no conflict', () => {
    expect(networkConflict(aHostedCluster(), [at('a', '10.132.4.5', '192.168.1.1'), at('b')])).toBeUndefined();
  });

  it('When many machines collide, it should stop counting', () => {
    const many = Array.from({ length: 50 }, (_, index) => at(`machine-${index}`, `10.132.0.${index}`));
    expect(networkConflict(aHostedCluster(), many)?.message).toMatch(/, too many similar errors\.\.\.$/);
  });
});
