import { findCondition, isConditionTrue, type KubeObject } from '@hypershift-ts/kube-apimachinery';
import type { mapiv1beta1 } from '@hypershift-ts/machines-machine-api';
import type { InfraObject } from '../conversion/infra-objects.ts';
import { clusterApi } from '../conversion/names.ts';

/** Whose controllers act on the infrastructure. */
export type Authority = 'MachineAPI' | 'ClusterAPI';

export const otherAuthority = (authority: Authority): Authority =>
  authority === 'MachineAPI' ? 'ClusterAPI' : 'MachineAPI';

/** An object of Cluster API as far as a handover looks at it. */
export interface Mirror extends KubeObject {
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

/** A machine or a set in both APIs. */
export interface HandoverObjects {
  readonly machineApi: mapiv1beta1.Machine | mapiv1beta1.MachineSet;
  /** Absent until synchronisation has made it. */
  readonly clusterApi?: Mirror | undefined;
  /** The InfraMachine of a machine; sets have none. */
  readonly infra?: InfraObject | undefined;
}

/** What has to be paused and set going again on the side of Cluster API. Templates do nothing by themselves. */
export function pausableMirrors({ machineApi, clusterApi: mirror, infra }: HandoverObjects): readonly Mirror[] {
  const wanted = machineApi.kind === 'Machine' ? [mirror, infra] : [mirror];
  return wanted.filter((object) => object !== undefined) as readonly Mirror[];
}

/** Whether all that must be there on the side of Cluster API is there. */
export function isMirrored({ machineApi, clusterApi: mirror, infra }: HandoverObjects): boolean {
  return mirror !== undefined && (machineApi.kind !== 'Machine' || infra !== undefined);
}

export function isAskedToPause({ metadata }: KubeObject): boolean {
  return metadata.annotations !== undefined && Object.hasOwn(metadata.annotations, clusterApi.annotations.paused);
}

/** Controllers of Cluster API say that they have paused; saying nothing is not saying so. */
export const hasPaused = ({ status }: Mirror): boolean => isConditionTrue(status?.conditions, 'Paused');

/** Controllers of Cluster API say that they work. */
export const isAtWork = ({ status }: Mirror): boolean =>
  findCondition(status?.conditions, 'Paused')?.status === 'False';

/** The generation that synchronisation has to have seen, on the side that has authority. */
function sourceGeneration({ machineApi, clusterApi: mirror }: HandoverObjects, source: Authority) {
  return (source === 'MachineAPI' ? machineApi : mirror)?.metadata.generation;
}

/** Whether both copies say the same, as of the newest generation of the side that has authority. */
export function isSynchronized(objects: HandoverObjects, source: Authority): boolean {
  const { status } = objects.machineApi;
  const generation = sourceGeneration(objects, source);
  return (
    isConditionTrue(status?.conditions, 'Synchronized') &&
    generation !== undefined &&
    status?.synchronizedGeneration === generation
  );
}
