import { describe, expect, it } from 'vitest';
import { aCluster, aPool, no, yes } from '../testing/objects.ts';
import { awaited } from './awaited.ts';
import { causeText, nodePoolCause } from './cause.ts';

const key = 'clusters/demo';

describe('awaited', () => {
  it('When only the API server is wanted, it should not wait for nodes', () => {
    const cluster = aCluster([yes('Available')]);
    expect(awaited('available', cluster, [aPool(2, 0)], key)).toBeUndefined();
    expect(awaited('rolled-out', cluster, [aPool(2, 0, [no('Ready', 'x', 'not yet')])], key)).toMatchObject({
      subject: 'NodePool clusters/demo',
      message: 'not yet',
    });
  });

  it('When nodes are there, it should wait for the release to be installed', () => {
    const cluster = aCluster([yes('Available')]);
    const pools = [aPool(1, 1, [yes('Ready')])];
    expect(awaited('rolled-out', cluster, pools, key)?.condition).toBe('ClusterVersionProgressing');
    const installed = {
      ...cluster,
      status: { ...cluster.status, version: { history: [{ completionTime: '2026-01-01T00:00:00Z' }] } },
    };
    expect(awaited('rolled-out', installed as never, pools, key)).toBeUndefined();
  });

  it('When the cluster is gone, it should say so', () => {
    expect(causeText(awaited('available', undefined, [], key)!)).toBe('HostedCluster clusters/demo: it does not exist');
  });
});

describe('nodePoolCause', () => {
  it('When a pool has no nodes on purpose, it should not complain', () => {
    expect(
      nodePoolCause(aPool(0, 0, [no('AllMachinesReady', 'AsExpected', 'NodePool set to no replicas')])),
    ).toBeUndefined();
  });

  it('When several conditions are wrong, it should tell the first cause', () => {
    const pool = aPool(2, 0, [
      no('Ready', 'x', 'x'),
      no('ValidMachineConfig', 'ValidationFailed', 'ConfigMap clusters/mc is missing'),
    ]);
    expect(nodePoolCause(pool)).toMatchObject({
      condition: 'ValidMachineConfig',
      message: 'ConfigMap clusters/mc is missing',
    });
  });
});
