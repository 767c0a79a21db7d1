import type { ClusterApiSource, MachineApiSource } from './platform-conversion.ts';
import { clusterApi, machineApi } from './names.ts';

/** Whether a Machine of the Machine API belongs to the control plane. */
export function isControlPlane({ metadata }: Pick<MachineApiSource, 'metadata'>): boolean {
  return (
    metadata.labels?.[machineApi.labels.role] === 'master' ||
    (metadata.ownerReferences ?? []).some(({ kind }) => kind === 'ControlPlaneMachineSet')
  );
}

/** Whether a Machine of Cluster API belongs to the control plane. */
export function isClusterApiControlPlane({ metadata }: Pick<ClusterApiSource, 'metadata'>): boolean {
  return metadata.labels?.[clusterApi.labels.controlPlane] !== undefined;
}
