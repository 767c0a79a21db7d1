import type { capiv1beta2 } from '@hypershift-ts/machines-cluster-api';
import type { mapiv1beta1 } from '@hypershift-ts/machines-machine-api';
import { annotationsToMachineApi, hooksFromAnnotations } from '../annotations.ts';
import type { ClusterFacts } from '../cluster-facts.ts';
import { type Conversion, Findings } from '../findings.ts';
import type { InfraObject } from '../infra-objects.ts';
import { labelsToMachineApi, nodeMetadata, type Strings, unlessEmpty } from '../labels.ts';
import { machineApi, machineApiNamespace } from '../names.ts';
import type { ClusterApiSource, PlatformConversion, ProviderParts } from '../platform-conversion.ts';
import { statusToMachineApi } from './machine-api-status.ts';
import { refuseClusterApiSpec } from './unsupported.ts';

/** A Machine of Cluster API and its InfraMachine as the Machine API says them. Who has authority is not its business. */
export function machineToMachineApi(
  { machine, infraMachine }: { readonly machine: capiv1beta2.Machine; readonly infraMachine: InfraObject },
  platform: PlatformConversion,
  facts: ClusterFacts,
): Conversion<mapiv1beta1.Machine> {
  const findings = new Findings();
  const { spec = {}, status } = infraMachine;
  const provider = platform.toMachineApi({ spec, status }, machine, facts, findings);
  findings.ignored('spec', machine.spec, { minReadySeconds: 'minReadySeconds is a matter of sets in MAPI, ignoring' });
  const { labels, annotations } = metadataToMachineApi(machine);
  const shown = unlessEmpty({ ...labels, ...columns(provider) });
  const noted = unlessEmpty({
    ...annotations,
    ...(provider.instanceState ? { [machineApi.annotations.instanceState]: provider.instanceState } : {}),
  });
  return findings.result({
    apiVersion: 'machine.openshift.io/v1beta1',
    kind: 'Machine',
    metadata: {
      ...(machine.metadata.name === undefined ? {} : { name: machine.metadata.name }),
      namespace: machineApiNamespace,
      ...(shown ? { labels: shown } : {}),
      ...(noted ? { annotations: noted } : {}),
      finalizers: [machineApi.finalizer],
    },
    spec: specToMachineApi(machine, provider, findings),
    status: statusToMachineApi(machine.status, provider.status, findings),
  });
}

function columns({ instanceType, region, zone }: ProviderParts): Strings {
  return {
    ...(instanceType ? { [machineApi.labels.instanceType]: instanceType } : {}),
    ...(region ? { [machineApi.labels.region]: region } : {}),
    ...(zone ? { [machineApi.labels.zone]: zone } : {}),
  };
}

export function metadataToMachineApi({ metadata }: Pick<ClusterApiSource, 'metadata'>): {
  readonly labels: Strings;
  readonly annotations: Strings;
} {
  return {
    labels: labelsToMachineApi(metadata.labels),
    annotations: annotationsToMachineApi(metadata.annotations),
  };
}

export function specToMachineApi(
  { metadata, spec }: ClusterApiSource,
  provider: ProviderParts,
  findings: Findings,
): mapiv1beta1.MachineSpec {
  refuseClusterApiSpec(spec, findings);
  const labels = unlessEmpty(nodeMetadata(metadata.labels));
  const annotations = unlessEmpty(nodeMetadata(metadata.annotations));
  const node = unlessEmpty({ ...(labels ? { labels } : {}), ...(annotations ? { annotations } : {}) });
  const lifecycleHooks = hooksFromAnnotations(metadata.annotations);
  return {
    ...(node ? { metadata: node } : {}),
    ...(lifecycleHooks ? { lifecycleHooks } : {}),
    ...(spec.providerID ? { providerID: spec.providerID } : {}),
    providerSpec: { value: { ...provider.spec } },
  };
}
