import { findCondition } from '@hypershift-ts/kube-apimachinery';
import type { mapiv1beta1 } from '@hypershift-ts/machines-machine-api';

/** A change of authority that was asked for and has not happened yet, as metrics and alerts tell it. */
export interface PendingMigration {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly from: string;
  readonly to: string;
  /** Why it is not over: what the Synchronized condition says, or that it is under way. */
  readonly reason: string;
}

export function pendingMigration({
  kind,
  metadata,
  spec,
  status,
}: mapiv1beta1.Machine | mapiv1beta1.MachineSet): PendingMigration | undefined {
  const from = status?.authoritativeAPI;
  const to = spec.authoritativeAPI ?? 'MachineAPI';
  if (from === undefined || from === to) return undefined;
  const synchronized = findCondition(status?.conditions, 'Synchronized');
  const reason =
    from === 'Migrating'
      ? 'Migrating'
      : synchronized
        ? (synchronized.reason ?? synchronized.status)
        : 'NotSynchronized';
  return { kind, namespace: metadata.namespace ?? '', name: metadata.name ?? '', from, to, reason };
}
