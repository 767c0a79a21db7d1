import { isUniqueViolation, type Queryable } from '@hypershift-ts/fleet-database';
import { ApiError, wrongState } from '../errors/index.ts';
import { instantFromMs } from '../instant.ts';
import { childElsewhere, type Entity } from '../registry/index.ts';
import { type CreateRequest, hrefOf, isDeleting, type Owner, type Resource } from '../resources/index.ts';
import { insertResource, replaceLabels, replaceReferences, uuid7 } from '../store/index.ts';
import { type Caller, refuseSystem, type ServiceContext } from './context.ts';
import { findById, findParent } from './lookup.ts';
import { resolveReferences } from './references.ts';
import { refreshConditions } from './refresh-conditions.ts';

/** Creates a resource, at generation 1 and not reconciled. */
export async function createResource(
  context: ServiceContext,
  caller: Caller,
  entity: Entity,
  parentId: string | undefined,
  request: CreateRequest,
): Promise<Resource> {
  refuseSystem(caller);
  const parentEntity = context.registry.parentOf(entity);
  if (parentEntity && parentId === undefined) throw childElsewhere(entity, parentEntity);
  try {
    return await context.database.transaction(async (tx) => {
      const scope = { entity, ...(parentId === undefined ? {} : { parentId }) };
      const parent = await findParent(tx, context.registry, caller, scope, 'share');
      if (parent && isDeleting(parent)) throw wrongState(`${parent.kind} '${parent.id}' is marked for deletion`);
      return store(context, tx, caller, newResource(context, caller, entity, request, parent), request);
    });
  } catch (error) {
    if (isUniqueViolation(error)) throw new ApiError('CNF-001', `This ${entity.kind} already exists`, { cause: error });
    throw error;
  }
}

function newResource(
  { clock }: ServiceContext,
  caller: Caller,
  entity: Entity,
  { name, spec, labels }: CreateRequest,
  parent: Resource | undefined,
): Resource {
  const now = instantFromMs(clock.now());
  const id = uuid7(clock.now());
  const owner: Owner | undefined = parent && { id: parent.id, kind: parent.kind, href: parent.href };
  return {
    id,
    kind: entity.kind,
    name,
    href: hrefOf(entity, id, owner),
    spec,
    labels,
    // A child belongs to whom its parent belongs to, whoever created it.
    tenancy: parent?.tenancy ?? caller.tenancy ?? {},
    generation: 1,
    ...(owner ? { owner } : {}),
    references: [],
    conditions: [],
    created_time: now,
    updated_time: now,
    created_by: caller.identity,
    updated_by: caller.identity,
  };
}

async function store(
  context: ServiceContext,
  tx: Queryable,
  caller: Caller,
  resource: Resource,
  request: CreateRequest,
): Promise<Resource> {
  const entity = context.registry.get(resource.kind);
  const references = await resolveReferences(tx, caller, entity, request.references);
  await insertResource(tx, resource);
  await replaceLabels(tx, resource.id, resource.labels);
  if (references.length > 0) await replaceReferences(tx, resource.id, references);
  const created = await refreshConditions(context, tx, resource, []);
  return references.length === 0 ? created : ((await findById(tx, resource.id)) ?? created);
}
