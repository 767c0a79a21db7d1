import type { mapiv1beta1 } from '@hypershift-ts/machines-machine-api';
import type { capiv1beta2 } from '@hypershift-ts/machines-cluster-api';
import { Findings } from './findings.ts';
import { convertAddresses } from './machine/addresses.ts';

/** A field of a providerStatus, when it holds text. */
export function statusText(providerStatus: { readonly [field: string]: unknown } | undefined, field: string) {
  const value = providerStatus?.[field];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** What the InfraMachines of all platforms tell of an instance: whether it is ready, and where it answers. */
export function infraStatus(
  { addresses }: mapiv1beta1.MachineStatus = {},
  ready: boolean,
): { readonly ready?: true; readonly addresses?: readonly capiv1beta2.MachineStatusAddress[] } {
  // Addresses of unknown types are reported with the Machine, which has them, too.
  const known = convertAddresses(addresses, new Findings());
  return { ...(ready ? { ready } : {}), ...(known?.length ? { addresses: known } : {}) };
}

/** Conditions of an InfraMachine. The Machine API says why an instance is not ready in words of its own. */
export function infraConditions(types: readonly string[], ready: boolean, now: string) {
  return types.map((type) => ({
    type,
    status: ready ? 'True' : 'Unknown',
    ...(ready ? {} : { severity: 'Error', message: 'See Machine API Machine.Status.Providerstatus conditions' }),
    lastTransitionTime: now,
  }));
}

/** Whether the instance came to be, as a providerStatus says it. */
export function creationCondition(type: string, ready: boolean | undefined, kind: string, now: string) {
  const outcome = ready
    ? { status: 'True', reason: 'MachineCreationSucceeded', message: 'Machine successfully created' }
    : { status: 'False', reason: 'MachineCreationFailed', message: `See ${kind} conditions.` };
  return { type, ...outcome, lastTransitionTime: now };
}
