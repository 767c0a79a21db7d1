import type { HostedCluster, NodePool } from '@hypershift-ts/hypershift-api';
import { type Cause, clusterCause, nodePoolCause, subjectOf } from './cause.ts';

/** How far a wait goes: the API server can be used, or the release is installed and every node is there. */
export type WaitGoal = 'available' | 'rolled-out';

/** What a wait still waits for; undefined when it is over. */
export function awaited(
  goal: WaitGoal,
  cluster: HostedCluster | undefined,
  pools: readonly NodePool[],
  name: string,
): Cause | undefined {
  if (!cluster) return { subject: `HostedCluster ${name}`, message: 'it does not exist' };
  const cause = clusterCause(cluster);
  if (cause || goal === 'available') return cause;
  const missing = pools.map(nodePoolCause).find((one) => one !== undefined);
  if (missing) return missing;
  const newest = cluster.status?.version?.history?.[0];
  if (newest?.completionTime) return undefined;
  const progressing = cluster.status?.conditions?.find(({ type }) => type === 'ClusterVersionProgressing');
  return {
    subject: subjectOf('HostedCluster', cluster),
    condition: 'ClusterVersionProgressing',
    message: progressing?.message || `the release ${newest?.version ?? cluster.spec.release.image} is being installed`,
  };
}
