/** Labels and taints that reach the machines of a pool without replacing them. */
import { annotations, type NodePool } from '@hypershift-ts/hypershift-api';
import type { ReconcileContext } from '@hypershift-ts/kube-controller';
import { capiv1beta1 } from '@hypershift-ts/machines-cluster-api';
import { nodeLabels, removed, taintsJson } from './machine-template-spec.ts';
import { globalPullSecretLabel, managedLabelPrefix } from './names.ts';

/** The merge patch that gives a machine the labels and taints of its pool; undefined when it has them. */
export function machineMetadataPatch(
  machine: capiv1beta1.Machine,
  pool: NodePool,
  syncsGlobalPullSecret: boolean,
): object | undefined {
  const { labels: live, annotations: marks } = machine.metadata;
  const wanted = { ...nodeLabels(pool), ...(syncsGlobalPullSecret ? { [globalPullSecretLabel]: 'true' } : {}) };
  const labels = {
    ...removed(live, wanted, (key) => key.startsWith(managedLabelPrefix)),
    ...Object.fromEntries(Object.entries(wanted).filter(([key, value]) => live?.[key] !== value)),
  };
  const taints = taintsJson(pool);
  const key = annotations.nodePoolTaints.key;
  const isSame = Object.keys(labels).length === 0 && marks?.[key] === taints;
  return isSame ? undefined : { metadata: { labels, annotations: { [key]: taints } } };
}

/** Brings every machine of a pool up to date. */
export async function updateMachineMetadata(
  machines: readonly capiv1beta1.Machine[],
  pool: NodePool,
  syncsGlobalPullSecret: boolean,
  { client, signal }: ReconcileContext,
): Promise<void> {
  for (const machine of machines) {
    const { namespace = '', name = '', deletionTimestamp } = machine.metadata;
    const body = deletionTimestamp ? undefined : machineMetadataPatch(machine, pool, syncsGlobalPullSecret);
    if (body) await client.patch(capiv1beta1.machines, { namespace, name }, { type: 'merge', body }, { signal });
  }
}
