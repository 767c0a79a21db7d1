import type { KubeObject, OwnerReference } from '@hypershift-ts/kube-apimachinery';
import { capiv1beta2 } from '@hypershift-ts/machines-cluster-api';
import { mapiv1beta1 } from '@hypershift-ts/machines-machine-api';
import { type OwnerOutcome, ownerReferences } from '../conversion/owner-references.ts';
import type { SyncFailure } from '../sync/synchronized.ts';
import { inClusterApi, inMachineApi, type PassScope } from './scope.ts';
import { SyncError } from './sync-error.ts';

/** The references of a copy on this side. An owner that is missing may come; one that cannot be converted will not. */
export async function resolveOwners(
  outcome: OwnerOutcome,
  side: 'ClusterAPI' | 'MachineAPI',
  reason: SyncFailure,
  { reader }: PassScope,
): Promise<readonly OwnerReference[]> {
  if ('refused' in outcome) throw new SyncError(reason, outcome.detail, { retry: 'after-user-change' });
  const { owner } = outcome;
  if (owner.wanted === 'none') return [];
  const { name } = owner;
  const found: KubeObject | undefined =
    owner.wanted === 'Cluster'
      ? await reader.get(capiv1beta2.clusters, inClusterApi(name))
      : side === 'ClusterAPI'
        ? await reader.get(capiv1beta2.machinesets, inClusterApi(name))
        : await reader.get(mapiv1beta1.machinesets, inMachineApi(name));
  if (!found)
    throw new SyncError(
      reason,
      `failed to convert owner references: ${owner.wanted} ${name} of ${side} does not exist`,
    );
  return ownerReferences(owner, found);
}
