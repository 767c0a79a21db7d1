import type { JsonObject } from '@hypershift-ts/kube-apimachinery';
import { checkFields, fieldList, listParams, project } from '../listing/index.ts';
import { parseReport } from '../reports/index.ts';
import {
  createRequest,
  forceDeleteReason,
  kindOf,
  patchRequest,
  presentList,
  presentResource,
  presentStatus,
  type Resource,
} from '../resources/index.ts';
import {
  type Caller,
  createResource,
  deleteResource,
  findTarget,
  forceDeleteResource,
  listResources,
  listStatuses,
  patchResource,
  reportStatus,
  type ServiceContext,
} from '../service/index.ts';
import type { SpecValidator } from '../spec-schema/index.ts';
import { spikeFilter, spikeView } from '../spike/index.ts';
import { selectStatusesOf } from '../store/index.ts';
import type { ApiRequest } from './request.ts';
import type { ApiResponse } from './response.ts';
import type { CollectionRoute, ItemRoute } from './routes.ts';

export interface HandlerContext extends ServiceContext {
  readonly validateSpec: SpecValidator;
}

/** Answers a request about resources; the route and its method are known to fit. */
export async function handleResources(
  context: HandlerContext,
  caller: Caller,
  route: CollectionRoute | ItemRoute,
  request: ApiRequest,
): Promise<ApiResponse> {
  const { method } = request;
  switch (route.to) {
    case 'collection':
      return method === 'POST' ? create(context, caller, route, request) : list(context, caller, route, request);
    case 'item':
      if (method === 'PATCH') return patch(context, caller, route, request);
      if (method === 'DELETE') return remove(context, caller, route, request);
      return get(context, caller, route, request);
    case 'force-delete': {
      const reason = forceDeleteReason(await request.body());
      await forceDeleteResource(context, caller, route, reason);
      return { status: 204 };
    }
    default:
      return method === 'GET' ? statuses(context, caller, route, request) : report(context, caller, route, request);
  }
}

/** Shows resources as the route (or `?view=spike`) asks. */
async function show(
  context: HandlerContext,
  route: CollectionRoute | ItemRoute,
  request: ApiRequest,
  resources: readonly Resource[],
): Promise<JsonObject[]> {
  if (!route.spike && request.query.get('view') !== 'spike') return resources.map(presentResource);
  const reports = await selectStatusesOf(context.database, resources);
  return resources.map((resource) =>
    spikeView(context.registry.get(resource.kind), resource, reports.get(resource.id) ?? []),
  );
}

async function shown(
  context: HandlerContext,
  route: CollectionRoute | ItemRoute,
  request: ApiRequest,
  resource: Resource,
): Promise<JsonObject> {
  const [body] = await show(context, route, request, [resource]);
  return body as JsonObject;
}

async function list(
  context: HandlerContext,
  caller: Caller,
  route: CollectionRoute,
  request: ApiRequest,
): Promise<ApiResponse> {
  const params = listParams(request.query);
  if (params.fields) checkFields(params.fields);
  const kind = route.entity ? undefined : request.query.get('kind');
  const entity = kind ? context.registry.get(kind) : route.entity;
  const filter = route.spike ? spikeFilter(request.query) : undefined;
  const scope = {
    ...(entity ? { entity } : {}),
    ...(route.parentId === undefined ? {} : { parentId: route.parentId }),
    ...(filter ? { filter } : {}),
  };
  const { items, total } = await listResources(context, caller, scope, params);
  const { fields } = params;
  const bodies = await show(context, route, request, items);
  const body = presentList(fields ? bodies.map((one) => project(one, fields)) : bodies, params.page, total);
  return { status: 200, body: route.spike ? { kind: `${entity?.kind ?? 'Resource'}List`, ...body } : body };
}

async function create(
  context: HandlerContext,
  caller: Caller,
  route: CollectionRoute,
  request: ApiRequest,
): Promise<ApiResponse> {
  const body = await request.body();
  const entity = route.entity ?? context.registry.get(kindOf(body));
  const wanted = createRequest(entity, body);
  context.validateSpec(entity, wanted.spec);
  const resource = await createResource(context, caller, entity, route.parentId, wanted);
  return { status: 201, body: await shown(context, route, request, resource), headers: { location: resource.href } };
}

async function get(
  context: HandlerContext,
  caller: Caller,
  route: ItemRoute,
  request: ApiRequest,
): Promise<ApiResponse> {
  const fields = fieldList(request.query);
  if (fields) checkFields(fields);
  const resource = await findTarget(context.database, context.registry, caller, route);
  const body = await shown(context, route, request, resource);
  return { status: 200, body: fields ? project(body, fields) : body };
}

async function patch(
  context: HandlerContext,
  caller: Caller,
  route: ItemRoute,
  request: ApiRequest,
): Promise<ApiResponse> {
  const wanted = patchRequest(await request.body());
  if (wanted.spec) {
    // On /resources the path does not say the kind, and without it nobody knows the schema.
    const entity =
      route.entity ?? context.registry.get((await findTarget(context.database, context.registry, caller, route)).kind);
    context.validateSpec(entity, wanted.spec);
  }
  const resource = await patchResource(context, caller, route, wanted);
  return { status: 200, body: await shown(context, route, request, resource) };
}

async function remove(
  context: HandlerContext,
  caller: Caller,
  route: ItemRoute,
  request: ApiRequest,
): Promise<ApiResponse> {
  const resource = await deleteResource(context, caller, route);
  return { status: 202, body: await shown(context, route, request, resource) };
}

async function statuses(
  context: HandlerContext,
  caller: Caller,
  route: ItemRoute,
  request: ApiRequest,
): Promise<ApiResponse> {
  const params = listParams(request.query);
  const { items, total } = await listStatuses(context, caller, route, params);
  const body = presentList(items.map(presentStatus), params.page, total);
  return { status: 200, body: route.spike ? { kind: 'AdapterStatusList', ...body } : body };
}

async function report(
  context: HandlerContext,
  caller: Caller,
  route: ItemRoute,
  request: ApiRequest,
): Promise<ApiResponse> {
  const wanted = parseReport(await request.body(), context.clock.now());
  const status = await reportStatus(context, caller, route, wanted);
  return status ? { status: 201, body: presentStatus(status) } : { status: 204 };
}
