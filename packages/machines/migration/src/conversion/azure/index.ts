/** Virtual machines of Azure. */
import type { AzureMachineProviderSpec } from '@hypershift-ts/machines-machine-api';
import { azurev1beta1 } from '@hypershift-ts/machines-providers';
import { definePlatform } from '../platform-conversion.ts';
import { azureMachineSpec, azureProviderSpec } from './shapes.ts';
import { azureToClusterApi } from './to-cluster-api.ts';
import { azureToMachineApi } from './to-machine-api.ts';

export const azure = definePlatform<AzureMachineProviderSpec, azurev1beta1.AzureMachineSpec, azurev1beta1.AzureCluster>(
  {
    name: 'Azure',
    kinds: {
      providerSpec: 'AzureMachineProviderSpec',
      machine: azurev1beta1.azuremachines,
      template: azurev1beta1.azuremachinetemplates,
      cluster: azurev1beta1.azureclusters,
    },
    providerSpec: azureProviderSpec,
    infraSpec: azureMachineSpec,
    needsCluster: true,
    toClusterApi: azureToClusterApi,
    toMachineApi: azureToMachineApi,
  },
);
