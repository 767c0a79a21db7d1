import type { ConditionReason, HostedClusterConditionType } from '@hypershift-ts/hypershift-api';
import type { Condition } from '@hypershift-ts/kube-apimachinery';

/** What a condition of a HostedCluster says; generation and time are added by the writer. */
export interface Verdict {
  readonly type: HostedClusterConditionType | 'HostedClusterDeleting' | 'NodeDrainBlocked';
  readonly status: Condition['status'];
  readonly reason: string;
  readonly message: string;
}

export const holds = (type: Verdict['type'], message: string, reason: ConditionReason = 'AsExpected'): Verdict => ({
  type,
  status: 'True',
  reason,
  message,
});

export const fails = (type: Verdict['type'], reason: ConditionReason, message: string): Verdict => ({
  type,
  status: 'False',
  reason,
  message,
});

export const unknown = (type: Verdict['type'], message: string): Verdict => ({
  type,
  status: 'Unknown',
  reason: 'StatusUnknown',
  message,
});

/** Another object's condition under this type. */
export const copied = (type: Verdict['type'], { status, reason, message }: Condition): Verdict => ({
  type,
  status,
  reason: reason || 'StatusUnknown',
  message: message ?? '',
});
