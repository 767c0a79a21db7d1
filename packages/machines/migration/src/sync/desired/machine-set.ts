import type { OwnerReference } from '@hypershift-ts/kube-apimachinery';
import type { capiv1beta2 } from '@hypershift-ts/machines-cluster-api';
import type { mapiv1beta1 } from '@hypershift-ts/machines-machine-api';
import type { InfraTemplate } from '../../conversion/infra-objects.ts';
import type { ClusterApiMachineSet } from '../../conversion/machine-set/to-cluster-api.ts';
import { finalizersOf, pausedAnnotation, serverMetadata, unlessEmptyField } from './metadata.ts';

/** The Cluster API copy of a set and the template for it, as they should be stored. Both belong to the cluster. */
export function desiredClusterApiMachineSet(
  { machineSet, template }: ClusterApiMachineSet,
  existing: capiv1beta2.MachineSet | undefined,
  { owners, paused }: { readonly owners: readonly OwnerReference[]; readonly paused: boolean },
): ClusterApiMachineSet {
  const annotations = (own: { readonly [key: string]: string } = {}) =>
    unlessEmptyField('annotations', { ...own, ...(paused ? pausedAnnotation : {}) });
  return {
    machineSet: {
      ...machineSet,
      metadata: {
        ...machineSet.metadata,
        ...serverMetadata(existing?.metadata),
        ...finalizersOf(existing?.metadata, machineSet.metadata),
        ...annotations(machineSet.metadata.annotations),
        ownerReferences: owners,
      },
    },
    template: {
      ...template,
      metadata: { ...template.metadata, ...annotations(template.metadata.annotations), ownerReferences: owners },
    },
  };
}

/** Templates made for a set that its spec no longer stands for. Those that users made carry no label and are not asked about. */
export function outdatedTemplates(labelled: readonly InfraTemplate[], current: string): readonly InfraTemplate[] {
  return labelled.filter(({ metadata }) => metadata.name !== current);
}

/** The Machine API copy of a set as it should be stored. Selectors cannot be changed, and authority is the user's word. */
export function desiredMachineApiMachineSet(
  converted: mapiv1beta1.MachineSet,
  existing: mapiv1beta1.MachineSet,
): mapiv1beta1.MachineSet {
  const { authoritativeAPI, selector, template: oldTemplate } = existing.spec;
  const { template } = converted.spec;
  const madeBy = oldTemplate?.spec.authoritativeAPI;
  const labels = { ...oldTemplate?.metadata?.labels, ...template?.metadata?.labels };
  const nodeLabels = { ...oldTemplate?.spec.metadata?.labels, ...template?.spec.metadata?.labels };
  return {
    ...converted,
    metadata: {
      ...converted.metadata,
      ...serverMetadata(existing.metadata),
      ...finalizersOf(existing.metadata, converted.metadata),
    },
    spec: {
      ...converted.spec,
      ...(authoritativeAPI ? { authoritativeAPI } : {}),
      ...(selector ? { selector } : {}),
      template: {
        metadata: { ...template?.metadata, ...unlessEmptyField('labels', labels) },
        spec: {
          ...template?.spec,
          ...(Object.keys(nodeLabels).length > 0
            ? { metadata: { ...template?.spec.metadata, labels: nodeLabels } }
            : {}),
          ...(madeBy ? { authoritativeAPI: madeBy } : {}),
        },
      },
    },
  };
}
