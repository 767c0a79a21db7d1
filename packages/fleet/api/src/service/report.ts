import { jsonEqual } from '@hypershift-ts/kube-apimachinery';
import { reportsFinalized } from '../conditions/index.ts';
import { instantFromMs } from '../instant.ts';
import { outcomeOf, type Report, statusFrom } from '../reports/index.ts';
import type { AdapterStatus } from '../resources/index.ts';
import { selectStatuses, upsertStatus, uuid7 } from '../store/index.ts';
import type { Caller, ServiceContext } from './context.ts';
import { findTarget, lockOwners, type Target } from './lookup.ts';
import { refreshConditions } from './refresh-conditions.ts';
import { removeIfFinished } from './settle.ts';

/** Takes the report of an adapter; undefined when it came too late to matter. */
export async function reportStatus(
  context: ServiceContext,
  caller: Caller,
  target: Target,
  report: Report,
): Promise<AdapterStatus | undefined> {
  return context.database.transaction(async (tx) => {
    const finalizes = reportsFinalized(report);
    // The last report of a deletion may also remove the owners, which must be locked before the resource.
    if (finalizes) await lockOwners(tx, await findTarget(tx, context.registry, caller, target));
    const resource = await findTarget(tx, context.registry, caller, target, 'update');
    const reports = await selectStatuses(tx, resource);
    const stored = reports.find((one) => one.adapter === report.adapter);
    const outcome = outcomeOf(report, resource.generation, stored);
    if (!outcome.store) return undefined;
    const now = context.clock.now();
    const status = statusFrom(report, stored, instantFromMs(now));
    await upsertStatus(tx, resource, status, uuid7(now), instantFromMs(now));
    const current = [...reports.filter((one) => one !== stored), status];
    if (finalizes && (await removeIfFinished(context, tx, resource, current))) return status;
    const isMapped = context.mappers.has(resource.kind) && saysMore(status, stored);
    if (outcome.aggregate || isMapped) await refreshConditions(context, tx, resource, current);
    return status;
  });
}

function saysMore(status: AdapterStatus, stored: AdapterStatus | undefined): boolean {
  return !stored || !jsonEqual(status.conditions, stored.conditions) || !jsonEqual(status.data, stored.data);
}
