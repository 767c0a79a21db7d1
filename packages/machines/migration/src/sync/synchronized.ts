import { findCondition } from '@hypershift-ts/kube-apimachinery';
import type { mapiv1beta1 } from '@hypershift-ts/machines-machine-api';
import { type AppliedStatus, appliedStatus } from '../applied-status.ts';
import type { Authority } from '../handover/objects.ts';

type Kind = 'Machine' | 'MachineSet';

/** Who writes how synchronisation went. */
export const synchronizedManagers = {
  Machine: 'MachineSyncController-SynchronizedCondition',
  MachineSet: 'MachineSetSyncController-SynchronizedCondition',
} as const;

/** Why a copy does not say what its original does. */
export type SyncFailure =
  | 'CAPIMachineNotFound'
  | 'FailedToGetCAPIInfraResources'
  | `FailedToConvertMAPI${Kind}ToCAPI`
  | `FailedToConvertCAPI${Kind}ToMAPI`
  | `FailedToCreateCAPI${Kind}`
  | `FailedToUpdateCAPI${Kind}`
  | 'FailedToUpdateCAPIInfraMachine'
  | 'FailedToUpdateCAPIInfraMachineTemplate'
  | `FailedToCreateMAPI${Kind}`
  | `FailedToUpdateMAPI${Kind}`;

/** How synchronisation went. */
export type SyncOutcome =
  | { readonly kind: 'synchronized'; readonly source: Authority; readonly generation: number }
  | { readonly kind: 'failed'; readonly reason: SyncFailure; readonly message: string }
  /** An InfraMachine cannot be changed: it went, and the next pass makes the new one. */
  | { readonly kind: 'replacing-infra-machine' };

function condition(kind: string, outcome: SyncOutcome) {
  switch (outcome.kind) {
    case 'synchronized': {
      const [from, to] = outcome.source === 'MachineAPI' ? ['MAPI', 'CAPI'] : ['CAPI', 'MAPI'];
      return {
        status: 'True',
        reason: 'ResourceSynchronized',
        message: `Successfully synchronized ${from} ${kind} to ${to}`,
      };
    }
    case 'failed':
      return { status: 'False', severity: 'Error', reason: outcome.reason, message: outcome.message };
    case 'replacing-infra-machine':
      return {
        status: 'Unknown',
        severity: 'Info',
        reason: 'ProgressingToCreateCAPIInfraMachine',
        message: `Progressing to synchronize MAPI ${kind} to CAPI`,
      };
    default:
      return outcome satisfies never;
  }
}

/**
 * What to apply to the status of a Machine API object. Fields of an earlier success are applied again after a failure:
 * what an applier leaves out is taken away.
 */
export function synchronizedStatus(
  object: mapiv1beta1.Machine | mapiv1beta1.MachineSet,
  outcome: SyncOutcome,
  now: string,
): AppliedStatus {
  const { kind, status } = object;
  const told = condition(kind, outcome);
  const old = findCondition(status?.conditions, 'Synchronized');
  const { synchronizedGeneration, synchronizedAPI } =
    outcome.kind === 'synchronized'
      ? { synchronizedGeneration: outcome.generation, synchronizedAPI: outcome.source }
      : { synchronizedGeneration: status?.synchronizedGeneration, synchronizedAPI: status?.synchronizedAPI };
  return appliedStatus(object, {
    conditions: [
      { type: 'Synchronized', ...told, lastTransitionTime: old?.status === told.status ? old.lastTransitionTime : now },
    ],
    ...(synchronizedGeneration === undefined ? {} : { synchronizedGeneration }),
    ...(synchronizedAPI === undefined ? {} : { synchronizedAPI }),
  });
}
