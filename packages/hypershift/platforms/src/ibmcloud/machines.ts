import type { ResourceType } from '@hypershift-ts/kube-apimachinery';
import { ibmcloudv1beta2 } from '@hypershift-ts/machines-providers';
import { PlatformError } from '../errors.ts';
import type { MachineTemplate } from '../machines.ts';
import { machinePlatform } from '../shared/machine-platform.ts';

/**
 * Machines of IBM Cloud are made by its own service. A NodePool has no field that could describe one, so a cluster that
 * asks for machines of ours is told so.
 */
export const ibmcloudMachines = machinePlatform({
  templates: ibmcloudv1beta2.ibmvpcmachinetemplates as unknown as ResourceType<MachineTemplate>, // Specs are JSON here.
  isManaged: ({ spec }) => spec.platform.ibmcloud?.providerType !== 'UPI',
  template: () => {
    throw new PlatformError('PLATFORM_UNSUPPORTED', {
      message: 'unsupported platform type: IBMCloud',
      fix: 'set spec.platform.ibmcloud.providerType of the HostedCluster to UPI, where IBM Cloud makes the machines',
      field: 'spec.platform.ibmcloud.providerType',
    });
  },
});
