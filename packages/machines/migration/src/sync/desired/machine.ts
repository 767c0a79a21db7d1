import type { OwnerReference } from '@hypershift-ts/kube-apimachinery';
import { type capiv1beta2, labelValueOf } from '@hypershift-ts/machines-cluster-api';
import type { mapiv1beta1 } from '@hypershift-ts/machines-machine-api';
import type { InfraObject } from '../../conversion/infra-objects.ts';
import { finalizersOf, overlaid, pausedAnnotation, serverMetadata, unlessEmptyField } from './metadata.ts';

interface CopyOptions {
  readonly owners: readonly OwnerReference[];
  /** The copy must not act, because the original does. */
  readonly paused: boolean;
}

/** The Cluster API copy of a machine as it should be stored. */
export function desiredClusterApiMachine(
  converted: capiv1beta2.Machine,
  existing: capiv1beta2.Machine | undefined,
  { owners, paused }: CopyOptions,
): capiv1beta2.Machine {
  const set = owners.length === 1 && owners[0]?.kind === 'MachineSet' ? owners[0].name : undefined;
  return {
    ...converted,
    metadata: {
      ...converted.metadata,
      ...serverMetadata(existing?.metadata),
      ...finalizersOf(existing?.metadata, converted.metadata),
      ...unlessEmptyField('labels', {
        ...overlaid('labels', existing?.metadata, converted.metadata),
        ...(set === undefined ? {} : { 'cluster.x-k8s.io/set-name': labelValueOf(set) }),
      }),
      ...unlessEmptyField('annotations', {
        ...overlaid('annotations', existing?.metadata, converted.metadata),
        ...(paused ? pausedAnnotation : {}),
      }),
      ownerReferences: owners,
    },
  };
}

/** The InfraMachine of a copy as it should be stored; `machine` is the stored copy it belongs to. */
export function desiredInfraMachine(
  converted: InfraObject,
  existing: InfraObject | undefined,
  { machine, paused }: { readonly machine: capiv1beta2.Machine; readonly paused: boolean },
): InfraObject {
  const { apiVersion, kind, metadata } = machine;
  const owner = { apiVersion, kind, name: metadata.name ?? '', uid: metadata.uid ?? '' };
  return {
    ...converted,
    metadata: {
      ...converted.metadata,
      ...serverMetadata(existing?.metadata),
      ...finalizersOf(existing?.metadata, converted.metadata),
      ...unlessEmptyField('labels', overlaid('labels', existing?.metadata, converted.metadata)),
      ...unlessEmptyField('annotations', {
        ...overlaid('annotations', existing?.metadata, converted.metadata),
        ...(paused ? pausedAnnotation : {}),
      }),
      ownerReferences: [{ ...owner, controller: true, blockOwnerDeletion: true }],
    },
  };
}

/** The Machine API copy of a machine as it should be stored. Who shall have authority is the user's word alone. */
export function desiredMachineApiMachine(
  converted: mapiv1beta1.Machine,
  existing: mapiv1beta1.Machine | undefined,
  owners: readonly OwnerReference[],
): mapiv1beta1.Machine {
  const authority = existing ? existing.spec.authoritativeAPI : 'ClusterAPI';
  return {
    ...converted,
    metadata: {
      ...converted.metadata,
      ...serverMetadata(existing?.metadata),
      ...finalizersOf(existing?.metadata, converted.metadata),
      ...(owners.length > 0 ? { ownerReferences: owners } : {}),
    },
    spec: { ...converted.spec, ...(authority ? { authoritativeAPI: authority } : {}) },
  };
}
