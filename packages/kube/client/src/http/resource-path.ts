import type { KubeObject, ObjectKey, ResourceType } from '@hypershift-ts/kube-apimachinery';
import { statusErrors } from '@hypershift-ts/kube-apimachinery';

/** The URL path of a collection, or of one object of it. */
export function resourcePath(
  type: ResourceType<KubeObject>,
  place: {
    readonly namespace?: string | undefined;
    readonly name?: string | undefined;
    readonly subresource?: string | undefined;
  },
): string {
  let path =
    type.group === '' ? `/api/${segment(type.version)}` : `/apis/${segment(type.group)}/${segment(type.version)}`;
  if (type.namespaced && place.namespace) path += `/namespaces/${segment(place.namespace)}`;
  path += `/${segment(type.resource)}`;
  if (place.name !== undefined) path += `/${segment(place.name)}`;
  if (place.subresource) path += `/${place.subresource.split('/').map(segment).join('/')}`;
  return path;
}

/** As resourcePath, for one object; a namespaced object without its namespace is the caller's mistake. */
export function objectPath(type: ResourceType<KubeObject>, key: ObjectKey, subresource?: string): string {
  requireNamespace(type, key.namespace);
  return resourcePath(type, { namespace: key.namespace, name: key.name, subresource });
}

export function requireNamespace(type: ResourceType<KubeObject>, namespace: string | undefined): void {
  if (!type.namespaced || namespace) return;
  throw statusErrors.badRequest(`an empty namespace may not be set when a ${type.kind} is meant`);
}

/** Dots and slashes in a name would address something else. */
function segment(text: string): string {
  if (text === '' || text === '.' || text === '..' || text.includes('/') || text.includes('%')) {
    throw statusErrors.badRequest(`invalid name ${JSON.stringify(text)} in a resource path`);
  }
  return encodeURIComponent(text);
}

/** `?a=b&c=d` of the parameters that are set, or nothing. */
export function queryString(parameters: Readonly<Record<string, string | number | boolean | undefined>>): string {
  let query = '';
  for (const name in parameters) {
    const value = parameters[name];
    if (value === undefined || value === '' || value === false) continue;
    query += `${query === '' ? '?' : '&'}${name}=${encodeURIComponent(value)}`;
  }
  return query;
}
