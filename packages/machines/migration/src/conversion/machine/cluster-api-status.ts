import type { capiv1beta2 } from '@hypershift-ts/machines-cluster-api';
import type { mapiv1beta1 } from '@hypershift-ts/machines-machine-api';
import type { Findings } from '../findings.ts';
import { unlessEmpty } from '../labels.ts';
import { convertAddresses } from './addresses.ts';

type Machine = Pick<mapiv1beta1.Machine, 'metadata' | 'status'>;
type OldCondition = capiv1beta2.ClusterStatusDeprecatedV1beta1Condition;

const provisioned: ReadonlySet<string> = new Set(['Provisioned', 'Running', 'Deleting']);
const booted: ReadonlySet<string> = new Set(['Running', 'Deleting']);

/** What Cluster API would say of a machine of which the Machine API says this. */
export function statusToClusterApi(machine: Machine, now: string, findings: Findings): capiv1beta2.MachineStatus {
  const { nodeRef, lastUpdated, phase, errorReason, errorMessage, addresses } = machine.status ?? {};
  const converted = convertAddresses(addresses, findings);
  return {
    ...(nodeRef?.name ? { nodeRef: { name: nodeRef.name } } : {}),
    ...(lastUpdated ? { lastUpdated } : {}),
    ...(converted?.length ? { addresses: converted } : {}),
    // The phases of the Machine API are phases of Cluster API, too.
    ...(phase ? { phase: phase as NonNullable<capiv1beta2.MachineStatus['phase']> } : {}),
    ...(phase === undefined
      ? {}
      : {
          initialization: {
            infrastructureProvisioned: provisioned.has(phase),
            bootstrapDataSecretCreated: booted.has(phase),
          },
        }),
    conditions: conditions(machine, now),
    deprecated: {
      v1beta1: {
        conditions: oldConditions(phase ?? '', now),
        ...unlessEmpty({
          ...(errorReason ? { failureReason: errorReason } : {}),
          ...(errorMessage ? { failureMessage: errorMessage } : {}),
        }),
      },
    },
  };
}

/** Conditions that only a running Cluster API can know (Paused, UpToDate, NodeHealthy) are left to it. */
function conditions({ metadata, status }: Machine, now: string): readonly capiv1beta2.ClusterStatusCondition[] {
  const phase = status?.phase ?? '';
  const condition = (type: string, met: boolean, [yes, no]: readonly [string, string]) => ({
    type,
    status: met ? ('True' as const) : ('False' as const),
    reason: met ? yes : no,
    message: '',
    lastTransitionTime: now,
  });
  return [
    condition('Available', phase === 'Running', ['Available', 'NotAvailable']),
    condition('Ready', phase === 'Running', ['Ready', 'NotReady']),
    condition('BootstrapConfigReady', booted.has(phase), ['Ready', 'NotReady']),
    condition('InfrastructureReady', provisioned.has(phase), ['Ready', 'NotReady']),
    condition('Deleting', metadata.deletionTimestamp !== undefined, ['Deleting', 'NotDeleting']),
    condition('NodeReady', booted.has(phase) && status?.nodeRef !== undefined, ['NodeReady', 'NodeNotReady']),
  ];
}

function oldConditions(phase: string, now: string): readonly OldCondition[] {
  const condition = (type: string, met: boolean, otherwise: Partial<OldCondition>): OldCondition => ({
    type,
    status: met ? 'True' : 'False',
    ...(met ? {} : otherwise),
    lastTransitionTime: now,
  });
  return [
    condition('Ready', phase === 'Running', { severity: 'Error' }),
    condition('BootstrapReady', booted.has(phase), { severity: 'Info' }),
    condition('InfrastructureReady', provisioned.has(phase), { severity: 'Info', reason: 'WaitingForInfrastructure' }),
  ];
}
