import type { ClusterFacts } from '../conversion/cluster-facts.ts';
import type { PassScope } from './scope.ts';
import { SyncError } from './sync-error.ts';

interface Referring {
  readonly metadata: { readonly name?: string };
  readonly spec: { readonly clusterName: string; readonly infrastructureRef: { readonly name: string } };
}

const reason = 'FailedToGetCAPIInfraResources';

/** What a Cluster API object refers to has to be there before anything is said about it. */
export function requireInfraCluster({ metadata, spec }: Referring, facts: ClusterFacts, { settings }: PassScope): void {
  const missing = (field: string) =>
    new SyncError(reason, `failed to get Cluster API infra resources: ${field} of ${metadata.name} is empty`, {
      retry: 'after-user-change',
    });
  if (!spec.clusterName) throw missing('spec.clusterName');
  if (!spec.infrastructureRef.name) throw missing('spec.infrastructureRef.name');
  if (!facts.infraCluster)
    throw new SyncError(
      reason,
      `failed to get Cluster API infra resources: ${settings.platform.kinds.cluster.kind} ${facts.infrastructure.infrastructureName} does not exist`,
    );
}
