import { findCondition, type KubeObject } from '@hypershift-ts/kube-apimachinery';
import { mapiv1beta1 } from '@hypershift-ts/machines-machine-api';
import type { AppliedStatus } from '../applied-status.ts';
import { type SyncOutcome, synchronizedManagers, synchronizedStatus } from '../sync/synchronized.ts';
import type { PassScope } from './scope.ts';
import { SyncError } from './sync-error.ts';

type MachineApiObject = mapiv1beta1.Machine | mapiv1beta1.MachineSet;

/** What a pass has to tell; nothing while it waits for an event. */
export interface Told {
  /** The Machine API object as it is after the pass. */
  readonly about: MachineApiObject;
  readonly outcome: SyncOutcome;
}

/** Applies a part of the status as one of several writers of it. */
export function applyStatus({ client }: PassScope, applied: AppliedStatus, fieldManager: string): Promise<KubeObject> {
  const type = applied.kind === 'Machine' ? mapiv1beta1.machines : mapiv1beta1.machinesets;
  return client.apply<KubeObject>(type, applied, { fieldManager, force: true, subresource: 'status' });
}

function isTold({ status }: MachineApiObject, outcome: SyncOutcome, applied: AppliedStatus): boolean {
  const { conditions, synchronizedGeneration, synchronizedAPI } = applied.status as mapiv1beta1.MachineStatus;
  const old = findCondition(status?.conditions, 'Synchronized');
  const next = conditions?.[0];
  return (
    old?.status === next?.status &&
    old?.reason === next?.reason &&
    (old?.message ?? '') === (next?.message ?? '') &&
    (outcome.kind !== 'synchronized' ||
      (status?.synchronizedGeneration === synchronizedGeneration && status?.synchronizedAPI === synchronizedAPI))
  );
}

/** Tells how synchronisation went, unless it was told already. */
export async function tellOutcome({ about, outcome }: Told, scope: PassScope): Promise<void> {
  const applied = synchronizedStatus(about, outcome, scope.now);
  if (isTold(about, outcome, applied)) return;
  await applyStatus(scope, applied, synchronizedManagers[about.kind as 'Machine' | 'MachineSet']);
}

/**
 * Runs a pass and tells how it went. Where there is no Machine API object yet that could say so, `original` gets an
 * event instead.
 */
export async function reporting(
  about: MachineApiObject | undefined,
  original: KubeObject | undefined,
  scope: PassScope,
  pass: () => Promise<Told | undefined>,
): Promise<void> {
  try {
    const told = await pass();
    if (told) await tellOutcome(told, scope);
  } catch (error) {
    if (!(error instanceof SyncError)) throw error;
    const { reason, message, retry } = error;
    if (about) await tellOutcome({ about, outcome: { kind: 'failed', reason, message } }, scope);
    else if (original)
      scope.events.warning(original, retry === 'backoff' ? 'SynchronizationWarning' : 'SynchronizationError', message);
    throw error;
  }
}
