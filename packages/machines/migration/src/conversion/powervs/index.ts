/** Power virtual servers of IBM Cloud. */
import type { PowerVSMachineProviderConfig } from '@hypershift-ts/machines-machine-api';
import { ibmcloudv1beta2 } from '@hypershift-ts/machines-providers';
import { definePlatform } from '../platform-conversion.ts';
import { powervsMachineSpec, powervsProviderSpec } from './shapes.ts';
import { powervsToClusterApi } from './to-cluster-api.ts';
import { powervsToMachineApi } from './to-machine-api.ts';

export const powervs = definePlatform<
  PowerVSMachineProviderConfig,
  ibmcloudv1beta2.IBMPowerVSMachineSpec,
  ibmcloudv1beta2.IBMPowerVSCluster
>({
  name: 'PowerVS',
  installerName: 'ibmcloud',
  kinds: {
    providerSpec: 'PowerVSMachineProviderConfig',
    machine: ibmcloudv1beta2.ibmpowervsmachines,
    template: ibmcloudv1beta2.ibmpowervsmachinetemplates,
    cluster: ibmcloudv1beta2.ibmpowervsclusters,
  },
  providerSpec: powervsProviderSpec,
  infraSpec: powervsMachineSpec,
  needsCluster: false,
  toClusterApi: powervsToClusterApi,
  toMachineApi: powervsToMachineApi,
});
