import { apiVersionOf } from '@hypershift-ts/kube-apimachinery';
import type { ServedResource, ServedSubresource } from '../discovery/index.ts';

/** Definition names of what a resource's operations answer with. */
export interface AnswerNames {
  readonly object: string;
  readonly list: string;
  /** Of a subresource's kind, when there is a schema of it. */
  readonly subresource: (sub: ServedSubresource) => string | undefined;
}

type Operation = { readonly [field: string]: unknown };
type PathItem = Record<string, Operation | readonly object[]>;

const fieldValidation = { in: 'query', name: 'fieldValidation', schema: { type: 'string', uniqueItems: true } };
const fieldManager = { in: 'query', name: 'fieldManager', schema: { type: 'string', uniqueItems: true } };
const dryRun = { in: 'query', name: 'dryRun', schema: { type: 'string', uniqueItems: true } };
const writeParameters = [dryRun, fieldManager, fieldValidation];

/** Verb of discovery, HTTP method, x-kubernetes-action. */
type Row = readonly [verb: string, method: string, action: string];
const onCollection: readonly Row[] = [
  ['list', 'get', 'list'],
  ['create', 'post', 'post'],
  ['deletecollection', 'delete', 'deletecollection'],
];
const onObject: readonly Row[] = [
  ['get', 'get', 'get'],
  ['update', 'put', 'put'],
  ['patch', 'patch', 'patch'],
  ['delete', 'delete', 'delete'],
];
const onSubresource: readonly Row[] = [
  ['get', 'get', 'get'],
  ['create', 'post', 'post'],
  ['update', 'put', 'put'],
  ['patch', 'patch', 'patch'],
];

/**
 * The paths of a resource, slim: each operation says which kind and action it is and which write parameters it
 * takes, because that is what clients look up.
 */
export function pathsOf(resource: ServedResource, names: AnswerNames): Record<string, PathItem> {
  const { group, version, verbs, namespaced } = resource;
  const root = `${group === '' ? '/api' : '/apis'}/${apiVersionOf({ group, version })}`;
  const collection = `${root}/${namespaced ? 'namespaces/{namespace}/' : ''}${resource.resource}`;
  const kind = { group, version, kind: resource.kind };
  const scope = namespaced ? [inPath('namespace')] : [];

  const paths: Record<string, PathItem> = {};
  const add = (
    path: string,
    rows: readonly Row[],
    served: readonly string[],
    parameters: readonly object[],
    answer: Answer,
  ) => {
    const operations = rows.filter(([verb]) => served.includes(verb));
    if (operations.length === 0) return;
    const item: PathItem = parameters.length > 0 ? { parameters } : {};
    for (const [, method, action] of operations) item[method] = operation(method, action, answer);
    paths[path] = item;
  };

  add(collection, onCollection, verbs, scope, { kind, object: names.object, list: names.list });
  if (namespaced && verbs.includes('list')) {
    add(`${root}/${resource.resource}`, onCollection.slice(0, 1), verbs, [], { kind, list: names.list });
  }
  const named = [...scope, inPath('name')];
  add(`${collection}/{name}`, onObject, verbs, named, { kind, object: names.object });
  for (const sub of resource.subresources) {
    const answer = { kind: { group: sub.group, version: sub.version, kind: sub.kind }, object: names.subresource(sub) };
    add(`${collection}/{name}/${sub.name}`, onSubresource, sub.verbs, named, answer);
  }
  return paths;
}

interface Answer {
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string };
  readonly object?: string | undefined;
  readonly list?: string | undefined;
}

function operation(method: string, action: string, { kind, object, list }: Answer): Operation {
  const name = action === 'list' ? list : action.startsWith('delete') ? undefined : object;
  return {
    ...(method === 'post' || method === 'put' || method === 'patch' ? { parameters: writeParameters } : {}),
    responses: {
      200: {
        description: 'OK',
        ...(name ? { content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } } } : {}),
      },
    },
    'x-kubernetes-action': action,
    'x-kubernetes-group-version-kind': kind,
  };
}

function inPath(name: string): object {
  return { in: 'path', name, required: true, schema: { type: 'string', uniqueItems: true } };
}
