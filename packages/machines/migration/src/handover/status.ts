import { findCondition } from '@hypershift-ts/kube-apimachinery';
import { type AppliedStatus, appliedStatus } from '../applied-status.ts';
import type { HandoverObjects } from './objects.ts';
import type { HandoverStep } from './next-step.ts';

/** Who writes what a handover tells. */
export const handoverManagers = {
  Machine: 'MachineMigrationController-AuthoritativeAPI',
  MachineSet: 'MachineSetMigrationController-AuthoritativeAPI',
} as const;

/**
 * What to apply to the status for a step. A finish sets the generation back to 0 in the same write, which is the only
 * moment at which the schema lets it shrink.
 */
export function handoverStatus(
  { machineApi }: HandoverObjects,
  step: Extract<HandoverStep, { readonly kind: 'tell' | 'finish' }>,
  now: string,
): AppliedStatus {
  const old = findCondition(machineApi.status?.conditions, 'Synchronized');
  if (step.kind === 'tell')
    return appliedStatus(machineApi, {
      authoritativeAPI: step.authority,
      ...(step.source ? { synchronizedAPI: step.source } : {}),
    });
  return appliedStatus(machineApi, {
    authoritativeAPI: step.authority,
    synchronizedGeneration: 0,
    conditions: [
      {
        type: 'Synchronized',
        status: 'Unknown',
        severity: 'Info',
        reason: 'AuthoritativeAPIChanged',
        message: 'Waiting for resync after change of AuthoritativeAPI',
        lastTransitionTime: old?.status === 'Unknown' ? old.lastTransitionTime : now,
      },
    ],
  });
}
