import { findCondition, type KubeObject } from '@hypershift-ts/kube-apimachinery';
import type { HandoverObjects } from './objects.ts';
import type { HandoverStep } from './next-step.ts';

/** Who writes what a handover tells. */
export const handoverManagers = {
  Machine: 'MachineMigrationController-AuthoritativeAPI',
  MachineSet: 'MachineSetMigrationController-AuthoritativeAPI',
} as const;

/**
 * What to apply to the status for a step. The version is that of the object the step was chosen for: had it changed
 * since, the step might be another. A finish sets the generation back to 0 in the same write, which is the only moment
 * at which the schema lets it shrink.
 */
export function handoverStatus(
  { machineApi }: HandoverObjects,
  step: Extract<HandoverStep, { readonly kind: 'tell' | 'finish' }>,
  now: string,
): KubeObject & { readonly status: object } {
  const { apiVersion, kind, metadata, status } = machineApi;
  const { name, namespace, resourceVersion } = metadata;
  const old = findCondition(status?.conditions, 'Synchronized');
  return {
    apiVersion,
    kind,
    metadata: {
      ...(name === undefined ? {} : { name }),
      ...(namespace === undefined ? {} : { namespace }),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
    },
    status: {
      authoritativeAPI: step.authority,
      ...(step.kind === 'tell' && step.source ? { synchronizedAPI: step.source } : {}),
      ...(step.kind === 'finish'
        ? {
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
          }
        : {}),
    },
  };
}
