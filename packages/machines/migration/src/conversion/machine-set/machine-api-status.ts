import type { capiv1beta2 } from '@hypershift-ts/machines-cluster-api';
import type { mapiv1beta1 } from '@hypershift-ts/machines-machine-api';

/**
 * What the Machine API would say of a set of which Cluster API says this. Counts mean the same only in the block that
 * Cluster API keeps for its older version.
 */
export function statusToMachineApi(status: capiv1beta2.MachineSetStatus = {}): mapiv1beta1.MachineSetStatus {
  const { fullyLabeledReplicas, readyReplicas, availableReplicas, failureReason, failureMessage } =
    status.deprecated?.v1beta1 ?? {};
  return {
    ...(status.replicas === undefined ? {} : { replicas: status.replicas }),
    ...(fullyLabeledReplicas ? { fullyLabeledReplicas } : {}),
    ...(readyReplicas ? { readyReplicas } : {}),
    ...(availableReplicas ? { availableReplicas } : {}),
    ...(failureReason ? { errorReason: failureReason } : {}),
    ...(failureMessage ? { errorMessage: failureMessage } : {}),
    ...(status.selector ? { labelSelector: status.selector } : {}),
  };
}
