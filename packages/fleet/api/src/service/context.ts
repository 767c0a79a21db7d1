import type { Clock } from '@hypershift-ts/kube-apimachinery';
import type { ConditionMapper } from '../conditions/index.ts';
import type { Database } from '@hypershift-ts/fleet-database';
import { ApiError } from '../errors/index.ts';
import type { Registry } from '../registry/index.ts';

/** Who asks, and for which tenant. */
export interface Caller {
  readonly identity: string;
  /** What every resource the caller may see must carry; undefined sees all. */
  readonly tenancy?: Readonly<Record<string, string>>;
  /** Sentinel and adapters: they see everything and write only reports. */
  readonly system: boolean;
}

/** What others may want to hear about. */
interface ServiceObserver {
  /** A resource became unreconciled. */
  reconciliationStarted(kind: string, deleting: boolean): void;
  /** Rows were removed by hand; for the audit log. */
  forceDeleted(event: { kind: string; id: string; caller: string; reason: string; children: readonly string[] }): void;
}

export interface ServiceContext {
  readonly database: Database;
  readonly registry: Registry;
  readonly mappers: ReadonlyMap<string, ConditionMapper>;
  readonly clock: Clock;
  readonly observer: ServiceObserver;
}

/** Refuses writes of platform callers other than reports. */
export function refuseSystem(caller: Caller): void {
  if (caller.system) throw new ApiError('AUZ-001', 'system identities may only write status and conditions');
}
