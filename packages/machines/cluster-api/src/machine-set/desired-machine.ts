import { controllerOf, controllerReference } from '@hypershift-ts/kube-controller';
import type { ApplyObject } from '@hypershift-ts/kube-client';
import * as capi from '../generated/capiv1beta1.ts';
import { finalizers, labels } from '../keys.ts';
import { labelValueOf } from '../label-value.ts';

/** What a Machine keeps from the day it was made: it is replaced, never edited, when the template changes these. */
export type Birth = Pick<capi.MachineSpec, 'bootstrap' | 'infrastructureRef' | 'version' | 'failureDomain'>;

type Metadata = {
  readonly labels: { readonly [key: string]: string };
  readonly annotations: { readonly [key: string]: string };
};

/** Labels and annotations of the Machines of a set. */
export function machineMetadata(set: capi.MachineSet): Metadata {
  const { metadata } = set.spec.template ?? {};
  const deployment = set.metadata.labels?.[labels.deploymentName];
  return {
    labels: {
      ...metadata?.labels,
      [labels.clusterName]: set.spec.clusterName,
      [labels.setName]: labelValueOf(set.metadata.name ?? ''),
      ...(deployment && controllerOf(set) ? { [labels.deploymentName]: deployment } : {}),
    },
    annotations: { ...metadata?.annotations },
  };
}

/** The Machine as its set applies it; what other writers own (providerID, labels of others) is not in it. */
export function desiredMachine(set: capi.MachineSet, name: string, birth: Birth): ApplyObject {
  const spec = set.spec.template?.spec;
  const { nodeDrainTimeout, nodeVolumeDetachTimeout, nodeDeletionTimeout, readinessGates, taints } = spec ?? {};
  return {
    apiVersion: 'cluster.x-k8s.io/v1beta1',
    kind: 'Machine',
    metadata: {
      name,
      namespace: set.metadata.namespace ?? '',
      ...machineMetadata(set),
      ownerReferences: [controllerReference(capi.machinesets, set)],
      finalizers: [finalizers.machine],
    },
    spec: {
      clusterName: set.spec.clusterName,
      bootstrap: birth.bootstrap,
      infrastructureRef: birth.infrastructureRef,
      ...(birth.version === undefined ? {} : { version: birth.version }),
      ...(birth.failureDomain === undefined ? {} : { failureDomain: birth.failureDomain }),
      ...(nodeDrainTimeout === undefined ? {} : { nodeDrainTimeout }),
      ...(nodeVolumeDetachTimeout === undefined ? {} : { nodeVolumeDetachTimeout }),
      ...(nodeDeletionTimeout === undefined ? {} : { nodeDeletionTimeout }),
      ...(readinessGates === undefined ? {} : { readinessGates }),
      ...(taints === undefined ? {} : { taints }),
    },
  };
}

export function birthOf({ spec }: capi.Machine): Birth {
  const { bootstrap, infrastructureRef, version, failureDomain } = spec;
  return {
    bootstrap,
    infrastructureRef,
    ...(version === undefined ? {} : { version }),
    ...(failureDomain === undefined ? {} : { failureDomain }),
  };
}
