import { isJsonObject } from '@hypershift-ts/kube-apimachinery';
import type { mapiv1beta1 } from '@hypershift-ts/machines-machine-api';
import type { awsv1beta2 } from '@hypershift-ts/machines-providers';
import { creationCondition, infraConditions, infraStatus, statusText } from '../instance-status.ts';

/** What is known of the instance, for the AWSMachine. */
export function awsStatusToClusterApi(
  status: mapiv1beta1.MachineStatus | undefined,
  interruptible: boolean,
  now: string,
): awsv1beta2.AWSMachineStatus {
  const instanceState = statusText(status?.providerStatus, 'instanceState');
  const dedicatedHost = status?.providerStatus?.['dedicatedHost'];
  const hostID = isJsonObject(dedicatedHost) ? statusText(dedicatedHost, 'id') : undefined;
  const ready = instanceState === 'running';
  return {
    ...infraStatus(status, ready),
    ...(interruptible ? { interruptible } : {}),
    ...(instanceState ? { instanceState } : {}),
    ...(hostID ? { dedicatedHost: { id: hostID } } : {}),
    conditions: infraConditions(['Ready', 'InstanceReady'], ready, now),
  };
}

/** The providerStatus that tells the same. */
export function awsStatusToMachineApi(
  { instanceState, ready, dedicatedHost }: awsv1beta2.AWSMachineStatus = {},
  instanceID: string | undefined,
  now: string,
): object {
  return {
    ...(instanceID ? { instanceId: instanceID } : {}),
    ...(instanceState ? { instanceState } : {}),
    conditions: [creationCondition('MachineCreation', ready, 'AWSMachine', now)],
    ...(dedicatedHost?.id ? { dedicatedHost: { id: dedicatedHost.id } } : {}),
  };
}
