import type { KubeObject } from '@hypershift-ts/kube-apimachinery';
import type { mapiv1beta1 } from '@hypershift-ts/machines-machine-api';

/** Which copy follows which, for one name. */
export type SyncDirection =
  | { readonly to: 'nowhere'; readonly because: string }
  /** `paused`: the copy must not act, because the original does. */
  | { readonly to: 'ClusterAPI'; readonly paused: boolean }
  | { readonly to: 'MachineAPI' };

interface Pair {
  readonly machineApi?: mapiv1beta1.Machine | mapiv1beta1.MachineSet | undefined;
  readonly clusterApi?: KubeObject | undefined;
}

const nowhere = (because: string): SyncDirection => ({ to: 'nowhere', because });

/** The name of the Cluster API set that a machine belongs to. */
export function owningSet({ metadata }: KubeObject): string | undefined {
  return metadata.ownerReferences?.find(
    ({ kind, apiVersion }) => kind === 'MachineSet' && apiVersion === 'cluster.x-k8s.io/v1beta2',
  )?.name;
}

/**
 * Who has authority decides. A machine that only Cluster API knows is shown in the Machine API when its set is; other
 * objects that only Cluster API knows are nobody else's business.
 */
export function syncDirection(
  { machineApi, clusterApi }: Pair,
  hasMachineApiSet: (name: string) => boolean,
): SyncDirection {
  if (!machineApi) {
    if (!clusterApi) return nowhere('neither copy exists');
    const set = clusterApi.kind === 'Machine' ? owningSet(clusterApi) : undefined;
    if (clusterApi.metadata.deletionTimestamp || set === undefined || !hasMachineApiSet(set))
      return nowhere('it exists in Cluster API alone');
    return { to: 'MachineAPI' };
  }
  const authority = machineApi.status?.authoritativeAPI;
  if (authority === 'MachineAPI') return { to: 'ClusterAPI', paused: true };
  // What is made for Cluster API from the start is made by it: the first copy goes there and is not paused.
  if (authority === 'ClusterAPI') return clusterApi ? { to: 'MachineAPI' } : { to: 'ClusterAPI', paused: false };
  return nowhere(authority === 'Migrating' ? 'its authority is being handed over' : 'nobody has authority yet');
}
