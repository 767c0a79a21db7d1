import type { capiv1beta2 } from '@hypershift-ts/machines-cluster-api';
import type { mapiv1beta1 } from '@hypershift-ts/machines-machine-api';
import type { Findings } from '../findings.ts';

const known: ReadonlySet<string> = new Set(['Hostname', 'ExternalIP', 'InternalIP', 'ExternalDNS', 'InternalDNS']);

/** Addresses are said alike in both APIs; only some of their types are known to either. */
export function convertAddresses(
  addresses: readonly mapiv1beta1.MachineStatusAddress[] | undefined,
  findings: Findings,
): readonly capiv1beta2.MachineStatusAddress[] | undefined {
  for (const { type } of addresses ?? [])
    if (!known.has(type)) findings.invalid('status.addresses', type, `${type} unrecognized address type`);
  return addresses
    ?.filter(({ type }) => known.has(type))
    .map(({ type, address }) => ({ type, address }) as capiv1beta2.MachineStatusAddress);
}
