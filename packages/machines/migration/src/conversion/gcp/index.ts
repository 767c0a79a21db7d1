/** Instances of Compute Engine. */
import type { GCPMachineProviderSpec } from '@hypershift-ts/machines-machine-api';
import { gcpv1beta1 } from '@hypershift-ts/machines-providers';
import { definePlatform } from '../platform-conversion.ts';
import { gcpMachineSpec, gcpProviderSpec } from './shapes.ts';
import { gcpToClusterApi } from './to-cluster-api.ts';
import { gcpToMachineApi } from './to-machine-api.ts';

export const gcp = definePlatform<GCPMachineProviderSpec, gcpv1beta1.GCPMachineSpec, gcpv1beta1.GCPCluster>({
  name: 'GCP',
  kinds: {
    providerSpec: 'GCPMachineProviderSpec',
    machine: gcpv1beta1.gcpmachines,
    template: gcpv1beta1.gcpmachinetemplates,
    cluster: gcpv1beta1.gcpclusters,
  },
  providerSpec: gcpProviderSpec,
  infraSpec: gcpMachineSpec,
  needsCluster: true,
  toClusterApi: gcpToClusterApi,
  toMachineApi: gcpToMachineApi,
});
