import { invalid } from '../errors/index.ts';
import { type ListParams, orderSql } from '../listing/index.ts';
import { type Entity, referenceOf } from '../registry/index.ts';
import type { AdapterStatus, Resource } from '../resources/index.ts';
import { Parameters, type SearchNode, searchSql } from '../search/index.ts';
import { countResources, countStatuses, selectResources, selectStatuses } from '../store/index.ts';
import type { Caller, ServiceContext } from './context.ts';
import { findParent, findTarget, type Target, visibleSql } from './lookup.ts';

/** Which resources a list route is about. */
interface ListScope {
  readonly entity?: Entity;
  readonly parentId?: string;
  /** What the route itself asks for, beside the client's search. */
  readonly filter?: SearchNode;
}

interface Page<T> {
  readonly items: readonly T[];
  readonly total: number;
}

/** One page of the resources a caller may see. */
export async function listResources(
  context: ServiceContext,
  caller: Caller,
  scope: ListScope,
  params: ListParams,
): Promise<Page<Resource>> {
  const { database, registry } = context;
  await findParent(database, registry, caller, scope);
  const parameters = new Parameters();
  const where = whereOf(caller, scope, params, parameters);
  const total = await countResources(database, where, parameters);
  const offset = (params.page - 1) * params.size;
  if (offset >= total) return { items: [], total };
  const order = orderSql(params.order);
  const page = { limit: params.size, offset };
  return { items: await selectResources(database, { where, parameters, order, page }), total };
}

function whereOf(caller: Caller, scope: ListScope, params: ListParams, parameters: Parameters): string {
  const { entity, parentId, filter } = scope;
  const { reference, search } = params;
  if (entity && reference && !referenceOf(entity, reference.type))
    throw invalid(`Unknown ref_type "${reference.type}" for entity ${entity.kind}`);
  return [
    visibleSql(caller, parameters),
    ...(entity ? [`r.kind = ${parameters.add(entity.kind)}`] : []),
    ...(parentId === undefined ? [] : [`r.owner_id = ${parameters.add(parentId)}`]),
    ...(reference
      ? [
          `r.id in (select f.source_id from resource_references f where f.ref_type = ${parameters.add(reference.type)} and f.target_id = ${parameters.add(reference.targetId)})`,
        ]
      : []),
    ...[filter, search].flatMap((node) => (node ? [searchSql(node, parameters)] : [])),
  ].join(' and ');
}

/** One page of the reports about a resource. */
export async function listStatuses(
  { database, registry }: ServiceContext,
  caller: Caller,
  target: Target,
  { page, size }: Pick<ListParams, 'page' | 'size'>,
): Promise<Page<AdapterStatus>> {
  const resource = await findTarget(database, registry, caller, target);
  const total = await countStatuses(database, resource);
  const items = await selectStatuses(database, resource, { limit: size, offset: (page - 1) * size });
  return { items, total };
}
