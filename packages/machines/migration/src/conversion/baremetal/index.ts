/** Hosts of bare metal. */
import type { BareMetalMachineProviderSpec } from '@hypershift-ts/machines-machine-api';
import { definePlatform } from '../platform-conversion.ts';
import { baremetalProviderSpec, metal3MachineSpec } from './shapes.ts';
import { baremetalToClusterApi } from './to-cluster-api.ts';
import { baremetalToMachineApi, refuseNodeReuse } from './to-machine-api.ts';
import {
  type Metal3Cluster,
  type Metal3MachineSpec,
  metal3clusters,
  metal3machines,
  metal3machinetemplates,
} from './types.ts';

export const baremetal = definePlatform<BareMetalMachineProviderSpec, Metal3MachineSpec, Metal3Cluster>({
  name: 'BareMetal',
  installerName: 'metal3',
  kinds: {
    providerSpec: 'BareMetalMachineProviderSpec',
    machine: metal3machines,
    template: metal3machinetemplates,
    cluster: metal3clusters,
  },
  providerSpec: baremetalProviderSpec,
  infraSpec: metal3MachineSpec,
  needsCluster: false,
  templateFields: { nodeReuse: false },
  refuseTemplate: refuseNodeReuse,
  toClusterApi: baremetalToClusterApi,
  toMachineApi: baremetalToMachineApi,
});
