/** Instances of EC2. */
import type { AWSMachineProviderConfig } from '@hypershift-ts/machines-machine-api';
import { awsv1beta2 } from '@hypershift-ts/machines-providers';
import { definePlatform } from '../platform-conversion.ts';
import { awsInfraCluster } from './infra-cluster.ts';
import { checkLoadBalancers } from './load-balancers.ts';
import { awsMachineSpec, awsProviderSpec } from './shapes.ts';
import { awsToClusterApi } from './to-cluster-api.ts';
import { awsToMachineApi } from './to-machine-api.ts';
import { unsupportedAwsFields } from './unsupported-fields.ts';

export const aws = definePlatform<AWSMachineProviderConfig, awsv1beta2.AWSMachineSpec, awsv1beta2.AWSCluster>({
  name: 'AWS',
  kinds: {
    providerSpec: 'AWSMachineProviderConfig',
    machine: awsv1beta2.awsmachines,
    template: awsv1beta2.awsmachinetemplates,
    cluster: awsv1beta2.awsclusters,
  },
  providerSpec: awsProviderSpec,
  infraSpec: awsMachineSpec,
  needsCluster: false,
  toClusterApi: awsToClusterApi,
  toMachineApi: awsToMachineApi,
  checkCluster: checkLoadBalancers,
  toInfraCluster: awsInfraCluster,
  policies: [unsupportedAwsFields],
});
