/** Kinds that configure the operating system of nodes; they come in ConfigMaps of node pools. */
import { labelSelector } from '../common/index.ts';
import { type AnyNode, boolean, defineKind, int32, list, object, string } from '../schema/index.ts';
import { freeForm, operatorConditions, partly } from './free-form.ts';

function machineConfiguration<const Kind extends string, const F extends { readonly [name: string]: AnyNode }>(
  kind: Kind,
  plural: string,
  shortNames: readonly string[],
  description: string,
  fields: F,
) {
  return defineKind({
    group: 'machineconfiguration.openshift.io',
    version: 'v1',
    kind,
    plural,
    shortNames,
    scope: 'Cluster',
    description,
    statusSubresource: kind !== 'MachineConfig',
    fields,
  });
}

export const machineConfig = machineConfiguration(
  'MachineConfig',
  'machineconfigs',
  ['mc'],
  'Files, units and kernel of a machine.',
  {
    spec: partly({
      config: freeForm().optional(),
      osImageURL: string().optional(),
      baseOSExtensionsContainerImage: string().optional(),
      extensions: list(string(), { type: 'atomic' }).nullable().optional(),
      fips: boolean().optional(),
      kernelArguments: list(string(), { type: 'atomic' }).nullable().optional(),
      kernelType: string().optional(),
    }).unenforced(),
  },
);

export const kubeletConfig = machineConfiguration('KubeletConfig', 'kubeletconfigs', [], 'Settings of kubelets.', {
  spec: partly({
    kubeletConfig: freeForm().optional(),
    autoSizingReserved: boolean().optional(),
    logLevel: int32().optional(),
    machineConfigPoolSelector: labelSelector.optional(),
    tlsSecurityProfile: freeForm().optional(),
  }).unenforced(),
  status: freeForm().optional(),
});

export const containerRuntimeConfig = machineConfiguration(
  'ContainerRuntimeConfig',
  'containerruntimeconfigs',
  ['ctrcfg'],
  'Settings of container runtimes.',
  {
    spec: partly({
      containerRuntimeConfig: partly({
        pidsLimit: int32().optional(),
        logLevel: string().optional(),
        defaultRuntime: string().optional(),
      }).optional(),
      machineConfigPoolSelector: labelSelector.optional(),
    }).unenforced(),
    status: freeForm().optional(),
  },
);

export const machineConfigPool = machineConfiguration(
  'MachineConfigPool',
  'machineconfigpools',
  ['mcp'],
  'Machines with the same configuration.',
  {
    spec: partly({ paused: boolean().optional(), nodeSelector: labelSelector.optional() }).unenforced(),
    status: partly({ conditions: operatorConditions.optional() }).optional(),
  },
);

export const tuned = defineKind({
  group: 'tuned.openshift.io',
  version: 'v1',
  kind: 'Tuned',
  plural: 'tuneds',
  scope: 'Namespaced',
  description: 'Profiles of the tuning daemon and which nodes use them.',
  statusSubresource: true,
  fields: {
    spec: partly({
      managementState: string().optional(),
      profile: list(object({ name: string(), data: string() })).optional(),
      recommend: list(partly({ profile: string(), priority: int32({ minimum: 0 }) })).optional(),
    }).unenforced(),
    status: freeForm().optional(),
  },
});

export const tunedProfile = defineKind({
  group: 'tuned.openshift.io',
  version: 'v1',
  kind: 'Profile',
  plural: 'profiles',
  scope: 'Namespaced',
  description: 'The tuning of one node.',
  statusSubresource: true,
  fields: { spec: freeForm().unenforced(), status: freeForm().optional() },
});

export const performanceProfile = defineKind({
  group: 'performance.openshift.io',
  version: 'v2',
  kind: 'PerformanceProfile',
  plural: 'performanceprofiles',
  scope: 'Cluster',
  description: 'Processors, memory and kernel of nodes for low latency.',
  statusSubresource: true,
  fields: { spec: freeForm().unenforced(), status: freeForm().optional() },
});
