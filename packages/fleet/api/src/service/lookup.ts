import type { Queryable } from '@hypershift-ts/fleet-database';
import { notFound } from '../errors/index.ts';
import type { Entity, Registry } from '../registry/index.ts';
import type { Resource } from '../resources/index.ts';
import { Parameters } from '../search/index.ts';
import { selectResources } from '../store/index.ts';
import type { Caller } from './context.ts';

/** Which resource a path names. */
export interface Target {
  readonly id: string;
  /** Undefined on `/resources`, where any kind is meant. */
  readonly entity?: Entity;
  /** On nested routes, the owner the resource must have. */
  readonly parentId?: string;
}

type Lock = 'update' | 'share';

/** What a caller may see, as SQL. */
export function visibleSql(caller: Caller, parameters: Parameters): string {
  if (!caller.tenancy || caller.system) return 'true';
  return `r.tenancy @> ${parameters.add(JSON.stringify(caller.tenancy))}::jsonb`;
}

/** One resource a caller may see, by kind and id. */
async function findVisible(
  on: Queryable,
  caller: Caller,
  { id, entity, parentId }: Target,
  lock?: Lock,
): Promise<Resource | undefined> {
  const parameters = new Parameters();
  const where = [
    `r.id = ${parameters.add(id)}`,
    ...(entity ? [`r.kind = ${parameters.add(entity.kind)}`] : []),
    ...(parentId === undefined ? [] : [`r.owner_id = ${parameters.add(parentId)}`]),
    visibleSql(caller, parameters),
  ].join(' and ');
  const [found] = await selectResources(on, { where, parameters, ...(lock ? { lock } : {}) });
  return found;
}

/** The resource a path names, or a 404 that names what is missing: on nested routes the parent first. */
export async function findTarget(
  on: Queryable,
  registry: Registry,
  caller: Caller,
  target: Target,
  lock?: Lock,
): Promise<Resource> {
  await findParent(on, registry, caller, target);
  const found = await findVisible(on, caller, target, lock);
  if (!found) throw notFound(target.entity?.kind ?? 'Resource', target.id);
  return found;
}

/** The parent of a nested route, or undefined on a flat one. */
export async function findParent(
  on: Queryable,
  registry: Registry,
  caller: Caller,
  { entity, parentId }: Omit<Target, 'id'>,
  lock?: Lock,
): Promise<Resource | undefined> {
  const parent = entity && registry.parentOf(entity);
  if (parentId === undefined || !parent) return undefined;
  const found = await findVisible(on, caller, { id: parentId, entity: parent }, lock);
  if (!found) throw notFound(parent.kind, parentId);
  return found;
}

/** A resource by id alone, whoever asks; for walking up and down a tree. */
export async function findById(on: Queryable, id: string, lock?: Lock): Promise<Resource | undefined> {
  const parameters = new Parameters();
  const where = `r.id = ${parameters.add(id)}`;
  const [found] = await selectResources(on, { where, parameters, ...(lock ? { lock } : {}) });
  return found;
}

/** Locks the owners of a resource from the root down. Everybody locks in this order, so nobody waits in a circle. */
export async function lockOwners(tx: Queryable, resource: Pick<Resource, 'owner'>): Promise<void> {
  const chain: string[] = [];
  for (let owner = resource.owner; owner && !chain.includes(owner.id); ) {
    chain.push(owner.id);
    owner = (await findById(tx, owner.id))?.owner;
  }
  for (const id of chain.reverse()) await tx.query('select id from resources where id = $1 for update', [id]);
}

export async function childrenOf(tx: Queryable, kind: string, ownerId: string): Promise<Resource[]> {
  const parameters = new Parameters();
  const where = `r.kind = ${parameters.add(kind)} and r.owner_id = ${parameters.add(ownerId)}`;
  return selectResources(tx, { where, parameters, lock: 'update' });
}

/** Whether a resource has children: any at all, or only those not marked for deletion. */
export async function hasChildren(tx: Queryable, ownerId: string, which: 'any' | 'active'): Promise<boolean> {
  const { rows } = await tx.query(
    `select 1 from resources where owner_id = $1${which === 'active' ? ' and deleted_time is null' : ''} limit 1`,
    [ownerId],
  );
  return rows.length > 0;
}

export async function hasActiveChildrenOfKind(tx: Queryable, kind: string, ownerId: string): Promise<boolean> {
  const { rows } = await tx.query(
    'select 1 from resources where owner_id = $1 and kind = $2 and deleted_time is null limit 1',
    [ownerId, kind],
  );
  return rows.length > 0;
}
