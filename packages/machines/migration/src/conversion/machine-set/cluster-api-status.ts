import { compileLabelSelector, type metav1 } from '@hypershift-ts/kube-apimachinery';
import type { capiv1beta2 } from '@hypershift-ts/machines-cluster-api';
import type { mapiv1beta1 } from '@hypershift-ts/machines-machine-api';
import { unlessEmpty } from '../labels.ts';

/** What Cluster API would say of a set of which the Machine API says this. `selector` is the converted one. */
export function statusToClusterApi(
  { metadata, spec, status = {} }: mapiv1beta1.MachineSet,
  selector: metav1.LabelSelector,
  now: string,
): capiv1beta2.MachineSetStatus {
  const { replicas, fullyLabeledReplicas, readyReplicas, availableReplicas, errorReason, errorMessage } = status;
  const wanted = spec.replicas ?? 1;
  return {
    ...(replicas === undefined ? {} : { replicas }),
    ...(readyReplicas ? { readyReplicas } : {}),
    ...(availableReplicas ? { availableReplicas } : {}),
    selector: compileLabelSelector(selector).toString(),
    conditions: conditions(status, wanted, metadata.deletionTimestamp !== undefined, now),
    deprecated: {
      v1beta1: {
        ...unlessEmpty({
          ...(fullyLabeledReplicas ? { fullyLabeledReplicas } : {}),
          ...(readyReplicas ? { readyReplicas } : {}),
          ...(availableReplicas ? { availableReplicas } : {}),
          ...(errorReason ? { failureReason: errorReason } : {}),
          ...(errorMessage ? { failureMessage: errorMessage } : {}),
        }),
        conditions: oldConditions(status, wanted, now),
      },
    },
  };
}

function conditions(
  { replicas = 0, readyReplicas = 0, fullyLabeledReplicas = 0 }: mapiv1beta1.MachineSetStatus,
  wanted: number,
  deleting: boolean,
  now: string,
): readonly capiv1beta2.ClusterStatusCondition[] {
  const condition = (type: string, met: boolean, reason: string) => ({
    type,
    status: met ? ('True' as const) : ('False' as const),
    reason: met ? reason : `Not${reason}`,
    message: '',
    lastTransitionTime: now,
  });
  return [
    condition('Deleting', deleting, 'Deleting'),
    condition('MachinesReady', readyReplicas === wanted, 'Ready'),
    condition('MachinesUpToDate', fullyLabeledReplicas === wanted, 'UpToDate'),
    condition('ScalingDown', wanted < replicas, 'ScalingDown'),
    condition('ScalingUp', wanted > replicas, 'ScalingUp'),
  ];
}

function oldConditions(
  { replicas = 0, readyReplicas = 0 }: mapiv1beta1.MachineSetStatus,
  wanted: number,
  now: string,
): readonly capiv1beta2.ClusterStatusDeprecatedV1beta1Condition[] {
  const created = replicas === wanted;
  const ready = readyReplicas === wanted;
  const condition = (type: string, met: boolean) => ({ type, status: met ? 'True' : 'False', lastTransitionTime: now });
  return [
    condition('MachinesCreated', created),
    condition('MachinesReady', ready),
    condition('Ready', created && ready),
    condition('Resized', created),
  ];
}
