import type { Queryable } from '@hypershift-ts/fleet-database';
import { wrongState } from '../errors/index.ts';
import { type Instant, instantFromMs } from '../instant.ts';
import { requiredAdapters } from '../registry/index.ts';
import { isDeleting, type Resource } from '../resources/index.ts';
import { removeResource, replaceReferences, selectStatuses, updateResource } from '../store/index.ts';
import { type Caller, refuseSystem, type ServiceContext } from './context.ts';
import { childrenOf, findTarget, hasActiveChildrenOfKind, hasChildren, lockOwners, type Target } from './lookup.ts';
import { refreshConditions } from './refresh-conditions.ts';
import { removeIfFinished, settleParent } from './settle.ts';

/** Marks a resource and its cascading children for deletion, or removes at once what no adapter has to clean up. */
export async function deleteResource(context: ServiceContext, caller: Caller, target: Target): Promise<Resource> {
  refuseSystem(caller);
  return context.database.transaction(async (tx) => {
    await lockOwners(tx, await findTarget(tx, context.registry, caller, target));
    const resource = await findTarget(tx, context.registry, caller, target, 'update');
    const { result, removed } = await deleteTree(
      context,
      tx,
      resource,
      caller.identity,
      instantFromMs(context.clock.now()),
    );
    if (removed) await settleParent(context, tx, resource);
    // Deleting again what is on its way also looks again whether anything is left to wait for.
    else if (isDeleting(resource)) await removeIfFinished(context, tx, result, await selectStatuses(tx, result));
    return result;
  });
}

function marked(resource: Resource, by: string, at: Instant): Resource {
  if (isDeleting(resource)) return resource;
  return {
    ...resource,
    deleted_time: at,
    deleted_by: by,
    updated_time: at,
    generation: resource.generation + 1,
  };
}

interface Deletion {
  readonly result: Resource;
  readonly removed: boolean;
}

async function deleteTree(
  context: ServiceContext,
  tx: Queryable,
  resource: Resource,
  by: string,
  at: Instant,
): Promise<Deletion> {
  const next = marked(resource, by, at);
  const kinds = context.registry.childrenOf(resource.kind);
  for (const { kind, on_parent_delete: policy } of kinds) {
    if (policy === 'restrict' && (await hasActiveChildrenOfKind(tx, kind, resource.id)))
      throw wrongState(`Cannot delete ${resource.kind} '${resource.id}': active ${kind}(s) exist`);
  }
  for (const { kind, on_parent_delete: policy } of kinds) {
    if (policy !== 'cascade') continue;
    for (const child of await childrenOf(tx, kind, resource.id)) await deleteTree(context, tx, child, by, at);
  }
  await refuseReferenced(tx, resource);
  const mustWait =
    requiredAdapters(context.registry.get(resource.kind)).length > 0 || (await hasChildren(tx, resource.id, 'any'));
  if (!mustWait) {
    await removeResource(tx, resource);
    return { result: next, removed: true };
  }
  await updateResource(tx, next);
  // A resource on its way out must not keep its targets from being deleted.
  await replaceReferences(tx, next.id, []);
  const reports = await selectStatuses(tx, next);
  return { result: await refreshConditions(context, tx, { ...next, references: [] }, reports), removed: false };
}

async function refuseReferenced(tx: Queryable, { id, kind, name }: Resource): Promise<void> {
  const { rows } = await tx.query<{ kind: string; name: string }>(
    `select distinct s.kind, s.name from resource_references f join resources s on s.id = f.source_id
      where f.target_id = $1 and f.source_id <> $1 order by s.kind, s.name limit 10`,
    [id],
  );
  if (rows.length === 0) return;
  const names = rows.map((row) => `${row.kind} "${row.name}"`).join(', ');
  throw wrongState(`cannot delete ${kind} "${name}": referenced by ${names} — remove the reference(s) before deleting`);
}
