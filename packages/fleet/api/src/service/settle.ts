import { allFinalized } from '../conditions/index.ts';
import type { Queryable } from '@hypershift-ts/fleet-database';
import { requiredAdapters } from '../registry/index.ts';
import { type AdapterStatus, isDeleting, type Resource } from '../resources/index.ts';
import { removeResource, selectStatuses } from '../store/index.ts';
import type { ServiceContext } from './context.ts';
import { findById, hasChildren } from './lookup.ts';
import { refreshConditions } from './refresh-conditions.ts';

/**
 * Removes a resource marked for deletion if all its adapters are done with the current generation and no child, marked
 * or not, is left. Then its parent may be able to go as well. The caller holds the locks on all owners.
 */
export async function removeIfFinished(
  context: ServiceContext,
  tx: Queryable,
  resource: Resource,
  reports: readonly AdapterStatus[],
): Promise<boolean> {
  if (!isDeleting(resource)) return false;
  const required = requiredAdapters(context.registry.get(resource.kind));
  if (!allFinalized(required, reports, resource.generation)) return false;
  if (await hasChildren(tx, resource.id, 'any')) return false;
  await removeResource(tx, resource);
  await settleParent(context, tx, resource);
  return true;
}

/** Looks again at the parent of a resource that is gone: it may be finished now, or no longer wait for children. */
export async function settleParent(
  context: ServiceContext,
  tx: Queryable,
  gone: Pick<Resource, 'owner'>,
): Promise<void> {
  const parent = gone.owner && (await findById(tx, gone.owner.id, 'update'));
  if (!parent || !isDeleting(parent)) return;
  const reports = await selectStatuses(tx, parent);
  if (await removeIfFinished(context, tx, parent, reports)) return;
  await refreshConditions(context, tx, parent, reports);
}
