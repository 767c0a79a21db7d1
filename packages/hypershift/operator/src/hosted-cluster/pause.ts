import { hostedControlPlanes } from '@hypershift-ts/hypershift-api';
import { getIfPresent, type ReconcileContext } from '@hypershift-ts/kube-controller';
import { clusterApiClusters } from '../cluster-api/index.ts';
import type { HostedClusterScope } from './scope.ts';

/** Hands a pause down to the control plane and to Cluster API, and does nothing else. */
export async function propagatePause(
  { cluster, namespace, hostedControlPlane }: HostedClusterScope,
  { client, signal }: ReconcileContext,
): Promise<void> {
  const { pausedUntil, infraID } = cluster.spec;
  if (hostedControlPlane && hostedControlPlane.spec.pausedUntil !== pausedUntil) {
    const key = { namespace, name: hostedControlPlane.metadata.name ?? '' };
    await client.patch(hostedControlPlanes, key, { type: 'merge', body: { spec: { pausedUntil } } }, { signal });
  }
  const key = { namespace, name: infraID ?? '' };
  const live = infraID ? await getIfPresent(client, clusterApiClusters, key, { signal }) : undefined;
  if (live && !live.spec.paused)
    await client.patch(clusterApiClusters, key, { type: 'merge', body: { spec: { paused: true } } }, { signal });
}
