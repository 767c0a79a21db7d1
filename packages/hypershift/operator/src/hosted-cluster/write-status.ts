import { type HostedCluster, hostedClusters } from '@hypershift-ts/hypershift-api';
import { formatTime, jsonEqual } from '@hypershift-ts/kube-apimachinery';
import { mergeConditions, type ReconcileContext } from '@hypershift-ts/kube-controller';
import type { Verdict } from '../conditions/index.ts';

/** Conditions that go away when nothing says them any more; all others keep their last word. */
const fleeting: ReadonlySet<string> = new Set([
  'ClusterVersionRetrievedUpdates',
  'UnmanagedEtcdAvailable',
  'NodeDrainBlocked',
]);

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
  const said = new Set<string>(verdicts.map(({ type }) => type));
  const known = cluster.status?.conditions?.filter(({ type }) => said.has(type) || !fleeting.has(type));
  const conditions = mergeConditions(known, desired, formatTime(clock.now()));
  const present = Object.entries({ ...cluster.status, ...fields, conditions }).filter(([, value]) => value != null);
  const status = Object.fromEntries(present) as HostedCluster['status'];
  if (jsonEqual(status, cluster.status ?? {})) return;
  await client.update(hostedClusters, { ...cluster, status } as HostedCluster, { subresource: 'status', signal });
}
