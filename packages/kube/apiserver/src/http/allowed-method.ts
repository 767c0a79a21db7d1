import { StatusError, statusErrors } from '@hypershift-ts/kube-apimachinery';
import type { RequestInfo } from '../request/request-info.ts';
import type { Resource } from '../resource/resource.ts';

const verbs: Readonly<Record<string, string>> = { POST: 'create', PUT: 'update', PATCH: 'patch', DELETE: 'delete' };

/** Answers for a method that no route of the path takes, in the words kube-apiserver's router has for it. */
export function methodNotServed(): StatusError {
  return new StatusError(
    405,
    'MethodNotAllowed',
    'the server does not allow this method on the requested resource',
    {},
  );
}

/** Throws 404 for paths that name nothing and 405 for methods the path does not take. */
export function checkRoute(resource: Resource, info: RequestInfo, method: string): void {
  const { namespaced } = resource;
  const isNamespaces = resource.group === '' && resource.resource === 'namespaces';
  if (!namespaced && info.namespace !== '' && !isNamespaces) throw statusErrors.unknownPath();
  if (namespaced && info.namespace === '' && info.named) throw statusErrors.unknownPath();
  if (!verbsAt(resource, info, method).some((verb) => verb !== '')) throw methodNotServed();
}

/** The verbs the method stands for at this path, empty where it stands for none. */
function verbsAt(resource: Resource, info: RequestInfo, method: string): readonly string[] {
  if (info.subresource !== '') {
    const sub = resource.subresources.find(({ name }) => name === info.subresource);
    if (!sub) throw statusErrors.unknownPath();
    return [served(sub.verbs, method === 'GET' ? 'get' : verbs[method])];
  }
  if (method === 'GET') return info.named ? [served(resource.verbs, 'get')] : collectionReads(resource);
  if (info.named) return [method === 'POST' ? '' : served(resource.verbs, verbs[method])];
  // Collections are created in and deleted from one namespace at a time.
  if (resource.namespaced && info.namespace === '') return [];
  if (method === 'POST') return [served(resource.verbs, 'create')];
  return [method === 'DELETE' ? served(resource.verbs, 'deletecollection') : ''];
}

function collectionReads(resource: Resource): readonly string[] {
  return [served(resource.verbs, 'list'), served(resource.verbs, 'watch')];
}

function served(all: readonly string[], verb: string | undefined): string {
  return verb !== undefined && all.includes(verb) ? verb : '';
}
