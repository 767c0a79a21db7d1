import { isJsonObject, type JsonObject } from '@hypershift-ts/kube-apimachinery';
import type { Entity, Registry } from '../registry/index.ts';
import { apiPrefix } from '../resources/index.ts';
import { kindSchemas, sharedSchemas } from './schemas.ts';

const problem = {
  description: 'What went wrong, as in RFC 9457',
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/ProblemDetails' } } },
};

const json = (schema: string) => ({
  content: { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } },
});
const answer = (status: number, description: string, schema?: string) => ({
  [status]: { description, ...(schema ? json(schema) : {}) },
  default: problem,
});
const query = (name: string, description: string, type: object = { type: 'string' }) => ({
  name,
  in: 'query',
  description,
  schema: type,
});
const pathParameters = (path: string) =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));

const paging = [
  query('page', 'Which page', { type: 'integer', minimum: 1, maximum: 100_000, default: 1 }),
  query('size', 'How many on a page', { type: 'integer', minimum: 1, maximum: 100, default: 20 }),
];
const fields = query('fields', 'Only these fields, separated by commas; `a.b` and `a.*` reach into objects');
const listing = [
  ...paging,
  query('order', 'Fields to order by, each with asc or desc, separated by commas'),
  query('search', "An expression such as labels.env='prod' and deleted_time is null"),
  fields,
  query('ref_type', 'With ref_target_id: only resources that refer to the target by this type'),
  query('ref_target_id', 'With ref_type: the id of the target'),
];

/** The routes of one kind below one path. */
function pathsOf(
  kind: string,
  base: string,
  canCreate: boolean,
  extra: readonly object[] = [],
): Record<string, object> {
  const body = (schema: string) => ({ requestBody: { required: true, ...json(schema) } });
  const item = `${base}/{id}`;
  const operation = (path: string, parts: object, parameters: readonly object[] = []) => ({
    tags: [kind],
    parameters: [...pathParameters(path), ...parameters],
    ...parts,
  });
  return {
    [base]: {
      get: operation(base, { responses: answer(200, 'A page of the list', `${kind}List`) }, [...listing, ...extra]),
      ...(canCreate
        ? { post: operation(base, { ...body(`${kind}CreateRequest`), responses: answer(201, 'Created', kind) }) }
        : {}),
    },
    [item]: {
      get: operation(item, { responses: answer(200, 'The resource, also while it is being deleted', kind) }, [fields]),
      patch: operation(item, {
        ...body(`${kind}PatchRequest`),
        responses: answer(200, 'Replaced what was given', kind),
      }),
      delete: operation(item, { responses: answer(202, 'Marked for deletion', kind) }),
    },
    [`${item}/force-delete`]: {
      post: operation(item, { ...body('ForceDeleteRequest'), responses: answer(204, 'Removed from the database') }),
    },
    [`${item}/statuses`]: {
      get: operation(item, { responses: answer(200, 'Reports of adapters', 'AdapterStatusList') }, paging),
      put: operation(item, {
        ...body('AdapterStatusCreateRequest'),
        responses: { ...answer(201, 'Stored', 'AdapterStatus'), 204: { description: 'Too late to matter' } },
      }),
    },
  };
}

function entityPaths(registry: Registry, entity: Entity): Record<string, object> {
  const parent = registry.parentOf(entity);
  const flat = pathsOf(entity.kind, `${apiPrefix}/${entity.plural}`, !parent);
  return parent
    ? { ...flat, ...pathsOf(entity.kind, `${apiPrefix}/${parent.plural}/{parent_id}/${entity.plural}`, true) }
    : flat;
}

/** The OpenAPI document of this server: the configured kinds with the provider's schemas of their specs. */
export function openapiDocument(
  registry: Registry,
  provider: JsonObject,
  version: string,
  serverUrl: string,
): JsonObject {
  const components = isJsonObject(provider['components']) ? provider['components'] : {};
  const providerSchemas = isJsonObject(components['schemas']) ? components['schemas'] : {};
  const known = (name: string | undefined) =>
    name !== undefined && Object.hasOwn(providerSchemas, name) ? name : undefined;
  const kinds = registry.entities.flatMap((entity) =>
    Object.entries(kindSchemas(entity.kind, known(entity.spec_schema_name))),
  );
  const any = query('kind', 'Only this kind');
  return {
    openapi: '3.0.0',
    info: {
      title: 'HyperFleet API',
      version,
      license: { name: 'Apache 2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    servers: [{ url: serverUrl }],
    paths: Object.assign(
      {},
      ...registry.entities.map((entity) => entityPaths(registry, entity)),
      pathsOf('Resource', `${apiPrefix}/resources`, true, [any]),
    ) as JsonObject,
    components: {
      // The provider may use names of ours for what its specs are made of; then ours win.
      schemas: {
        ...providerSchemas,
        ...Object.fromEntries(kinds),
        ...kindSchemas('Resource', undefined),
        ...sharedSchemas,
      } as unknown as JsonObject,
      securitySchemes: { BearerAuth: { type: 'http', scheme: 'bearer' } },
    },
    security: [{ BearerAuth: [] }],
  };
}
