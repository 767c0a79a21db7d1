import { isJsonObject } from '@hypershift-ts/kube-apimachinery';
import type { mapiv1beta1 } from '@hypershift-ts/machines-machine-api';
import type { awsv1beta2 } from '@hypershift-ts/machines-providers';
import { Findings } from '../findings.ts';
import { convertAddresses } from '../machine/addresses.ts';

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** What is known of the instance, for the AWSMachine. */
export function awsStatusToClusterApi(
  { addresses, providerStatus = {} }: mapiv1beta1.MachineStatus = {},
  interruptible: boolean,
  now: string,
): awsv1beta2.AWSMachineStatus {
  const instanceState = textOf(providerStatus['instanceState']);
  const dedicatedHost = providerStatus['dedicatedHost'];
  const hostID = isJsonObject(dedicatedHost) ? textOf(dedicatedHost['id']) : undefined;
  const ready = instanceState === 'running';
  // Addresses of unknown types are reported with the Machine, which has them, too.
  const known = convertAddresses(addresses, new Findings());
  return {
    ...(ready ? { ready } : {}),
    ...(interruptible ? { interruptible } : {}),
    ...(known?.length ? { addresses: known } : {}),
    ...(instanceState ? { instanceState } : {}),
    ...(hostID ? { dedicatedHost: { id: hostID } } : {}),
    conditions: ['Ready', 'InstanceReady'].map((type) => ({
      type,
      status: ready ? 'True' : 'Unknown',
      ...(ready ? {} : { severity: 'Error', message: 'See Machine API Machine.Status.Providerstatus conditions' }),
      lastTransitionTime: now,
    })),
  };
}

/** The providerStatus that tells the same. */
export function awsStatusToMachineApi(
  { instanceState, ready, dedicatedHost }: awsv1beta2.AWSMachineStatus = {},
  instanceID: string | undefined,
  now: string,
): object {
  const creation = ready
    ? { status: 'True', reason: 'MachineCreationSucceeded', message: 'Machine successfully created' }
    : { status: 'False', reason: 'MachineCreationFailed', message: 'See AWSMachine conditions.' };
  return {
    ...(instanceID ? { instanceId: instanceID } : {}),
    ...(instanceState ? { instanceState } : {}),
    conditions: [{ type: 'MachineCreation', ...creation, lastTransitionTime: now }],
    ...(dedicatedHost?.id ? { dedicatedHost: { id: dedicatedHost.id } } : {}),
  };
}
