import { compileLabelSelector, parseApiVersion, type UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import type { Resource } from '../../resource/resource.ts';
import type { Lookup } from '../lookup.ts';
import type { ParamRef, PolicyFrame } from './types.ts';

/** The params of a binding for one request, or why there are none. An empty list means: do not evaluate. */
export type Params = readonly (UnstructuredObject | null)[] | { readonly error: string };

/** Finds the objects a binding hands to its policy. One null stands for a policy that is evaluated without. */
export async function paramsFor(
  lookup: Lookup,
  paramKind: PolicyFrame['paramKind'],
  paramRef: ParamRef | undefined,
  requestNamespace: string,
): Promise<Params> {
  if (!paramKind || !paramRef) return [null];
  const { group, version } = parseApiVersion(paramKind.apiVersion);
  const resource = lookup.catalogue.findKind(group, version, paramKind.kind);
  if (!resource) return { error: `paramKind kind \`${paramKind.apiVersion}, Kind=${paramKind.kind}\` not known` };
  if (!resource.namespaced && paramRef.namespace)
    return { error: 'paramRef.namespace must not be provided for a cluster-scoped `paramKind`' };
  const namespace = resource.namespaced ? paramRef.namespace || requestNamespace : '';
  if (resource.namespaced && namespace === '')
    return { error: 'cannot use namespaced paramRef in policy binding that matches cluster-scoped resources' };
  const found = await find(lookup, resource, paramRef, namespace);
  if (found.length === 0 && (paramRef.parameterNotFoundAction ?? 'Deny') === 'Deny')
    return { error: 'no params found for policy binding with `Deny` parameterNotFoundAction' };
  return found;
}

async function find(
  lookup: Lookup,
  resource: Resource,
  { name, selector }: ParamRef,
  namespace: string,
): Promise<readonly UnstructuredObject[]> {
  const [group, plural] = storedAs(resource);
  let stored: readonly UnstructuredObject[];
  if (name) {
    const one = await lookup.get(group, plural, namespace, name);
    stored = one ? [one] : [];
  } else {
    const selected = compileLabelSelector(selector ?? {});
    const all = await lookup.list(group, plural, namespace || undefined);
    stored = selected.everything ? all : all.filter(({ metadata }) => selected.matches(metadata.labels));
  }
  return resource.storage.fromStorage ? resource.storage.fromStorage(stored) : stored;
}

/** The group and plural of the stored form: `/registry/core/pods/`. */
function storedAs({ storage }: Resource): readonly [group: string, resource: string] {
  const [, , group = '', resource = ''] = storage.prefix.split('/');
  return [group === 'core' ? '' : group, resource];
}
