import { type HostedCluster, hostedClusters } from '@hypershift-ts/hypershift-api';
import { formatTime, jsonEqual } from '@hypershift-ts/kube-apimachinery';
import { mergeConditions, type ReconcileContext } from '@hypershift-ts/kube-controller';
import type { Verdict } from '../conditions/index.ts';

/**
 * Writes status once, or not at all when nothing changed. An update, not a merge patch: `status.version` has required
 * fields that are null while nothing is known, and a merge patch cannot say null.
 */
export async function writeStatus(
  cluster: HostedCluster,
  fields: object,
  verdicts: readonly Verdict[],
  { client, clock, signal }: ReconcileContext,
): Promise<void> {
  const { generation = 0 } = cluster.metadata;
  const desired = verdicts.map((verdict) => ({ ...verdict, observedGeneration: generation }));
  const conditions = mergeConditions(cluster.status?.conditions, desired, formatTime(clock.now()));
  const present = Object.entries({ ...cluster.status, ...fields, conditions }).filter(([, value]) => value != null);
  const status = Object.fromEntries(present) as HostedCluster['status'];
  if (jsonEqual(status, cluster.status ?? {})) return;
  await client.update(hostedClusters, { ...cluster, status } as HostedCluster, { subresource: 'status', signal });
}
