/** Virtual machines of vSphere. */
import type { VSphereMachineProviderSpec } from '@hypershift-ts/machines-machine-api';
import { definePlatform } from '../platform-conversion.ts';
import { vsphereMachineSpec, vsphereProviderSpec } from './shapes.ts';
import { vsphereToClusterApi } from './to-cluster-api.ts';
import { vsphereToMachineApi } from './to-machine-api.ts';
import {
  type VSphereCluster,
  type VSphereMachineSpec,
  vsphereclusters,
  vspheremachines,
  vspheremachinetemplates,
} from './types.ts';

export const vsphere = definePlatform<VSphereMachineProviderSpec, VSphereMachineSpec, VSphereCluster>({
  name: 'VSphere',
  kinds: {
    providerSpec: 'VSphereMachineProviderSpec',
    machine: vspheremachines,
    template: vspheremachinetemplates,
    cluster: vsphereclusters,
  },
  providerSpec: vsphereProviderSpec,
  infraSpec: vsphereMachineSpec,
  needsCluster: false,
  toClusterApi: vsphereToClusterApi,
  toMachineApi: vsphereToMachineApi,
});
