/** What a Machine says to its cloud, below `spec.providerSpec.value`. */
import type { AWSMachineProviderConfig } from './aws.ts';
import type { AzureMachineProviderSpec } from './azure.ts';
import type { GCPMachineProviderSpec } from './gcp.ts';
import type { OpenstackProviderSpec } from './openstack.ts';
import type {
  BareMetalMachineProviderSpec,
  PowerVSMachineProviderConfig,
  VSphereMachineProviderSpec,
} from './other.ts';

export type * from './aws.ts';
export type * from './azure.ts';
export { type DefaultingFacts, withProviderSpecDefaults } from './defaults.ts';
export type * from './gcp.ts';
export type * from './openstack.ts';
export type * from './other.ts';
export type * from './references.ts';

export type ProviderSpec =
  | AWSMachineProviderConfig
  | AzureMachineProviderSpec
  | GCPMachineProviderSpec
  | OpenstackProviderSpec
  | PowerVSMachineProviderConfig
  | VSphereMachineProviderSpec
  | BareMetalMachineProviderSpec;

const apiVersions = {
  AWSMachineProviderConfig: 'machine.openshift.io/v1beta1',
  AzureMachineProviderSpec: 'machine.openshift.io/v1beta1',
  GCPMachineProviderSpec: 'machine.openshift.io/v1beta1',
  OpenstackProviderSpec: 'machine.openshift.io/v1alpha1',
  PowerVSMachineProviderConfig: 'machine.openshift.io/v1',
  VSphereMachineProviderSpec: 'machine.openshift.io/v1beta1',
  BareMetalMachineProviderSpec: 'baremetal.cluster.k8s.io/v1alpha1',
} as const satisfies { readonly [kind in ProviderSpec['kind']]: string };

/** The apiVersion a provider spec is written with, whatever older name it was read with. */
export function canonicalApiVersion(kind: ProviderSpec['kind']): string {
  return apiVersions[kind];
}

/** Which cloud a provider spec is for; undefined for kinds nobody here knows. */
export function providerSpecKind(value: { readonly kind?: unknown } | undefined): ProviderSpec['kind'] | undefined {
  const kind = value?.kind;
  return typeof kind === 'string' && Object.hasOwn(apiVersions, kind) ? (kind as ProviderSpec['kind']) : undefined;
}
