import { type HostedControlPlane, pauseOf } from '@hypershift-ts/hypershift-api';
import type { Condition } from '@hypershift-ts/kube-apimachinery';

/** Whether the control plane is worked on. `now` is in milliseconds. */
export function reconciliationActive({ spec }: HostedControlPlane, now: number): Condition {
  const is = (status: Condition['status'], reason: string, message: string): Condition => ({
    type: 'ReconciliationActive',
    status,
    reason,
    message,
  });
  const pause = pauseOf(spec.pausedUntil);
  if (pause === 'forever') return is('False', 'ReconciliationPaused', 'Reconciliation paused until field removed');
  if (typeof pause === 'object' && pause.until.getTime() > now) {
    return is('False', 'ReconciliationPaused', `Reconciliation paused until: ${spec.pausedUntil}`);
  }
  return pause === 'invalid'
    ? is('True', 'InvalidPausedUntilValue', 'Invalid value provided for PausedUntil field')
    : is('True', 'AsExpected', 'Reconciliation active on resource');
}

/** Milliseconds a pause lasts from now on; undefined when it ends with an edit only, or there is none. */
export function pauseLeftMs({ spec }: HostedControlPlane, now: number): number | undefined {
  const pause = pauseOf(spec.pausedUntil);
  return typeof pause === 'object' ? Math.max(0, pause.until.getTime() - now) : undefined;
}
