import type { Queryable } from '@hypershift-ts/fleet-database';
import { wrongState } from '../errors/index.ts';
import { isDeleting, type Resource } from '../resources/index.ts';
import { removeInboundReferences, removeResource } from '../store/index.ts';
import { type Caller, refuseSystem, type ServiceContext } from './context.ts';
import { childrenOf, findTarget, lockOwners, type Target } from './lookup.ts';
import { settleParent } from './settle.ts';

/** Removes the rows of a stuck deletion and of everything below it. Nothing outside the database is cleaned up. */
export async function forceDeleteResource(
  context: ServiceContext,
  caller: Caller,
  target: Target,
  reason: string,
): Promise<void> {
  refuseSystem(caller);
  await context.database.transaction(async (tx) => {
    await lockOwners(tx, await findTarget(tx, context.registry, caller, target));
    const resource = await findTarget(tx, context.registry, caller, target, 'update');
    if (!isDeleting(resource)) throw wrongState(`${resource.kind} '${resource.id}' is not in Finalizing state`);
    await removeTree(context, tx, resource, caller, reason);
    await settleParent(context, tx, resource);
  });
}

async function removeTree(
  context: ServiceContext,
  tx: Queryable,
  resource: Resource,
  caller: Caller,
  reason: string,
): Promise<void> {
  const { id, kind } = resource;
  const children: string[] = [];
  for (const entity of context.registry.childrenOf(kind)) {
    for (const child of await childrenOf(tx, entity.kind, id)) {
      children.push(child.id);
      await removeTree(context, tx, child, caller, reason);
    }
  }
  await removeInboundReferences(tx, id);
  await removeResource(tx, resource);
  context.observer.forceDeleted({ kind, id, caller: caller.identity, reason, children });
}
