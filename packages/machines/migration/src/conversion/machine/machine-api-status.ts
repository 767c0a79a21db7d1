import type { capiv1beta2 } from '@hypershift-ts/machines-cluster-api';
import type { mapiv1beta1 } from '@hypershift-ts/machines-machine-api';
import type { Findings } from '../findings.ts';
import { convertAddresses } from './addresses.ts';

/** Phases without an entry are none in the Machine API. */
const phases: { readonly [phase: string]: string } = {
  Provisioning: 'Provisioning',
  Provisioned: 'Provisioned',
  Running: 'Running',
  Deleting: 'Deleting',
  Deleted: 'Deleting',
  Failed: 'Failed',
};

/** What the Machine API would say of a machine of which Cluster API says this. Its conditions stay its own. */
export function statusToMachineApi(
  status: capiv1beta2.MachineStatus = {},
  providerStatus: object | undefined,
  findings: Findings,
): mapiv1beta1.MachineStatus {
  const { nodeRef, lastUpdated, addresses, phase = '' } = status;
  const { failureReason, failureMessage } = status.deprecated?.v1beta1 ?? {};
  const converted = convertAddresses(addresses, findings);
  return {
    ...(nodeRef?.name ? { nodeRef: { kind: 'Node', apiVersion: 'v1', name: nodeRef.name } } : {}),
    ...(lastUpdated ? { lastUpdated } : {}),
    ...(converted?.length ? { addresses: converted } : {}),
    ...(Object.hasOwn(phases, phase) ? { phase: phases[phase]! } : {}),
    ...(failureReason ? { errorReason: failureReason } : {}),
    ...(failureMessage ? { errorMessage: failureMessage } : {}),
    ...(providerStatus ? { providerStatus: { ...providerStatus } } : {}),
  };
}
