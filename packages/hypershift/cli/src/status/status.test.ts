import picocolors from 'picocolors';
import { describe, expect, it } from 'vitest';
import { aCluster, aPod, aPool, no } from '../testing/objects.ts';
import { statusReport } from './report.ts';
import { runtimeCounts, runtimeText } from './runtimes.ts';
import { statusText } from './text.ts';

const running = (id: string) => ({ phase: 'Running', containerStatuses: [{ containerID: id }] });
const pods = [
  aPod('a', 'a', running('hypershift-ts://builtin/1')),
  aPod('b', 'b', running('hypershift-ts://simulated/2')),
  aPod('c', 'c', running('hypershift-ts://simulated/3')),
  aPod('d', 'd', running('containerd://4')),
  aPod('e', 'e', { phase: 'Pending' }),
  aPod('f', 'f', { phase: 'Succeeded' }),
];

describe('runtimeCounts', () => {
  it('When pods are run in different ways, it should tell them apart and leave out finished ones', () => {
    expect(runtimeText(runtimeCounts(pods))).toBe('1 builtin, 2 simulated, 1 container, 1 pending');
  });
});

const report = statusReport({
  server: 'https://127.0.0.1:6443',
  source: 'KUBECONFIG',
  kubernetesVersion: 'v1.37.2',
  isEmbedded: true,
  nodes: [],
  operator: undefined,
  clusters: [
    aCluster([no('Available', 'WaitingForAvailable', 'x'), no('ValidReleaseImage', 'InvalidImage', 'no such image')]),
  ],
  nodePools: [aPool(3, 1), aPool(5, 5, [], { namespace: 'elsewhere' })],
  pods,
});

describe('statusReport', () => {
  it('When a cluster is not available, it should tell why, and count only its own nodes and pods', () => {
    expect(report.hostedClusters[0]).toMatchObject({
      available: 'False',
      message: 'no such image',
      nodes: { ready: 1, wanted: 3 },
      pods: { builtin: 1, simulated: 2 },
    });
    expect(report.managementCluster.operator).toBe('not installed');
  });

  it('When it is printed, it should say what is simulated', () => {
    const text = statusText(
      report,
      picocolors.createColors(false) as typeof picocolors,
      Date.parse('2026-01-01T00:01:00Z'),
    );
    expect(text).toContain(
      'clusters   demo  None      -        False      1/3    1 builtin, 2 simulated, 1 container, 1 pending  60s',
    );
    expect(text).toContain('✗ clusters/demo: no such image');
  });
});
