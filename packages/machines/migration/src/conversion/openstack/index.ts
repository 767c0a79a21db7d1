/** Servers of OpenStack. */
import type { OpenstackProviderSpec } from '@hypershift-ts/machines-machine-api';
import { openstackv1beta1 } from '@hypershift-ts/machines-providers';
import { definePlatform } from '../platform-conversion.ts';
import { openstackMachineSpec, openstackProviderSpec } from './shapes.ts';
import { openstackToClusterApi } from './to-cluster-api.ts';
import { openstackToMachineApi } from './to-machine-api.ts';
import type { OpenStackMachineSpec } from './types.ts';

export const openstack = definePlatform<OpenstackProviderSpec, OpenStackMachineSpec, openstackv1beta1.OpenStackCluster>(
  {
    name: 'OpenStack',
    kinds: {
      providerSpec: 'OpenstackProviderSpec',
      machine: openstackv1beta1.openstackmachines,
      template: openstackv1beta1.openstackmachinetemplates,
      cluster: openstackv1beta1.openstackclusters,
    },
    providerSpec: openstackProviderSpec,
    infraSpec: openstackMachineSpec,
    needsCluster: false,
    toClusterApi: openstackToClusterApi,
    toMachineApi: openstackToMachineApi,
  },
);
