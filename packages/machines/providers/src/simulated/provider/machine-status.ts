import type { Condition } from '@hypershift-ts/kube-apimachinery';
import { type DesiredCondition, mergeConditions } from '@hypershift-ts/kube-controller';
import { addressesOf, type Instance } from '../cloud/instance.ts';
import type { InfraMachine } from './capi-objects.ts';
import type { MachineKind, MachineWish } from './machine-kind.ts';

/** How far an infrastructure machine has come. */
export type Progress =
  | { readonly at: 'waiting'; readonly reason: string; readonly message: string }
  | { readonly at: 'refused'; readonly message: string; readonly isFinal: boolean }
  | { readonly at: 'instance'; readonly id: string; readonly instance: Instance; readonly wish: MachineWish };

type Severity = { readonly severity?: 'Info' | 'Warning' | 'Error' };
/** Conditions of Cluster API's first sort: a reason only when something is not True. */
type InfraCondition = Pick<Condition, 'type' | 'status'> & Partial<Pick<Condition, 'reason' | 'message'>> & Severity;

/** The status an infrastructure machine should have; null removes a field. */
export function desiredMachineStatus(
  kind: MachineKind,
  live: InfraMachine,
  progress: Progress,
  now: string,
): Readonly<Record<string, unknown>> {
  const condition = instanceCondition(kind, progress);
  const conditions = kind.condition && {
    // Ready sums the others up; there is one.
    conditions: mergeConditions(
      live.status?.conditions,
      [condition, { ...condition, type: 'Ready' }] as DesiredCondition[],
      now,
    ),
  };
  if (progress.at === 'waiting') return { ready: live.status?.ready ?? false, ...conditions };
  if (progress.at === 'refused') {
    const failure = { failureReason: 'CreateError', failureMessage: progress.message };
    return {
      ready: false,
      ...conditions,
      ...(progress.isFinal ? failure : { failureReason: null, failureMessage: null }),
    };
  }
  const { instance, wish } = progress;
  const isRunning = instance.state === 'running';
  const hasEnded = instance.state === 'shutting-down' || instance.state === 'terminated';
  return {
    ready: isRunning,
    addresses: hasEnded ? (live.status?.addresses ?? []) : addressesOf(instance),
    ...kind.status?.(progress.id, instance.state, wish),
    ...conditions,
    ...(hasEnded ? { failureReason: 'UpdateError', failureMessage: endedMessage(instance) } : {}),
  };
}

function instanceCondition(kind: MachineKind, progress: Progress): InfraCondition {
  const { type, provisionFailed, notReady } = kind.condition ?? { type: 'Ready', provisionFailed: '', notReady: '' };
  const no = (reason: string, message: string, severity: Severity['severity'] = 'Info'): InfraCondition => ({
    type,
    status: 'False',
    reason,
    message,
    ...(severity ? { severity } : {}),
  });
  switch (progress.at) {
    case 'waiting':
      return no(progress.reason, progress.message);
    case 'refused':
      return no(provisionFailed, progress.message, 'Error');
    case 'instance': {
      const { instance } = progress;
      if (instance.state === 'running') return { type, status: 'True' };
      if (instance.state === 'pending') return no(notReady, `instance ${progress.id} is being made`);
      if (instance.state === 'stopped' || instance.state === 'stopping')
        return no(
          'InstanceStopped',
          `instance ${progress.id} is ${instance.state}; start it or delete the Machine`,
          'Error',
        );
      return no('InstanceTerminated', endedMessage(instance), 'Error');
    }
    default:
      throw new Error(`unknown progress ${String(progress satisfies never)}`);
  }
}

function endedMessage({ id, reason }: Instance): string {
  return `simulated instance ${id} was terminated${reason ? `: ${reason}` : ''}; delete the Machine to have it replaced`;
}
