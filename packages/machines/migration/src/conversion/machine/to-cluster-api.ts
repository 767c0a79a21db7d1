import { apiVersionOf } from '@hypershift-ts/kube-apimachinery';
import type { capiv1beta2 } from '@hypershift-ts/machines-cluster-api';
import type { mapiv1beta1 } from '@hypershift-ts/machines-machine-api';
import { annotationsToClusterApi, hooksToAnnotations } from '../annotations.ts';
import type { ClusterFacts } from '../cluster-facts.ts';
import { type Conversion, Findings } from '../findings.ts';
import type { InfraObject } from '../infra-objects.ts';
import { controlPlaneLabel, labelsToClusterApi, type Strings, unlessEmpty } from '../labels.ts';
import { clusterApi, clusterApiNamespace, infrastructureGroup, nodeDeletionTimeoutSeconds } from '../names.ts';
import type { InfraParts, MachineApiSource, PlatformConversion } from '../platform-conversion.ts';
import { statusToClusterApi } from './cluster-api-status.ts';
import { refuseMachineApiSpec } from './unsupported.ts';

export interface ClusterApiMachine {
  readonly machine: capiv1beta2.Machine;
  readonly infraMachine: InfraObject;
}

/** A Machine of the Machine API as Cluster API says it. Owners, pausing and finalizers of the sync are not its business. */
export function machineToClusterApi(
  machine: mapiv1beta1.Machine,
  platform: PlatformConversion,
  facts: ClusterFacts,
): Conversion<ClusterApiMachine> {
  const findings = new Findings();
  const infra = platform.toClusterApi(machine, facts, findings);
  const name = machine.metadata.name ?? '';
  const metadata = { name, namespace: clusterApiNamespace, ...metadataToClusterApi(machine, facts) };
  const ref = { apiGroup: infrastructureGroup, kind: platform.kinds.machine.kind, name };
  return findings.result({
    machine: {
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'Machine',
      metadata: { ...metadata, finalizers: [clusterApi.finalizer] },
      spec: specToClusterApi(machine.spec, infra, ref, facts, findings),
      status: statusToClusterApi(machine, facts.now, findings),
    },
    infraMachine: {
      apiVersion: apiVersionOf(platform.kinds.machine),
      kind: platform.kinds.machine.kind,
      metadata,
      spec: infra.spec,
      ...(infra.status ? { status: infra.status } : {}),
    },
  });
}

/** Labels and annotations, with those that the Machine API would put on the node. */
export function metadataToClusterApi(
  { metadata, spec }: MachineApiSource,
  { infrastructure }: ClusterFacts,
): { readonly labels: Strings; readonly annotations?: Strings } {
  const annotations = unlessEmpty({
    ...annotationsToClusterApi(metadata.annotations),
    ...spec.metadata?.annotations,
    ...hooksToAnnotations(spec.lifecycleHooks),
  });
  return {
    labels: {
      ...labelsToClusterApi(metadata.labels),
      ...controlPlaneLabel(metadata.labels),
      ...spec.metadata?.labels,
      [clusterApi.labels.clusterName]: infrastructure.infrastructureName,
    },
    ...(annotations ? { annotations } : {}),
  };
}

export function specToClusterApi(
  spec: mapiv1beta1.MachineSpec,
  { failureDomain, userDataSecret }: InfraParts,
  infrastructureRef: capiv1beta2.MachineSpec['infrastructureRef'],
  { infrastructure }: ClusterFacts,
  findings: Findings,
): capiv1beta2.MachineSpec {
  refuseMachineApiSpec(spec, findings);
  const clusterName = infrastructure.infrastructureName;
  if (!clusterName)
    findings.invalid(
      'infrastructure.status.infrastructureName',
      clusterName ?? '',
      'infrastructure cannot be nil and infrastructure.Status.InfrastructureName cannot be empty',
    );
  return {
    clusterName,
    bootstrap: userDataSecret ? { dataSecretName: userDataSecret } : {},
    infrastructureRef,
    ...(spec.providerID ? { providerID: spec.providerID } : {}),
    ...(failureDomain ? { failureDomain } : {}),
    deletion: { nodeDeletionTimeoutSeconds },
  };
}
