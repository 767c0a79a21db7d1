import { apiVersionOf } from '@hypershift-ts/kube-apimachinery';
import type { Group, GroupVersionResources } from './groups.ts';
import type { ServedResource } from './served-resource.ts';

/** `/api`: the versions of the core group and the address that clients should use. */
export function apiVersions(core: Group | undefined, serverAddress: string): object {
  return {
    kind: 'APIVersions',
    versions: core?.versions.map(({ version }) => version) ?? [],
    serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress }],
  };
}

/** `/apis`: every named group. */
export function apiGroupList(groups: readonly Group[]): object {
  return { kind: 'APIGroupList', apiVersion: 'v1', groups: groups.map(describeGroup) };
}

/** `/apis/<group>`. */
export function apiGroup(group: Group): object {
  return { kind: 'APIGroup', apiVersion: 'v1', ...describeGroup(group) };
}

function describeGroup({ name, versions }: Group) {
  const described = versions.map(({ group, version }) => ({ groupVersion: apiVersionOf({ group, version }), version }));
  return { name, versions: described, preferredVersion: described[0] };
}

/** `/api/v1` and `/apis/<group>/<version>`. */
export function apiResourceList({ group, version, resources }: GroupVersionResources): object {
  return {
    kind: 'APIResourceList',
    // kube-apiserver has never printed one for the core group.
    ...(group === '' ? {} : { apiVersion: 'v1' }),
    groupVersion: apiVersionOf({ group, version }),
    resources: resources.flatMap(describeResource),
  };
}

function describeResource(resource: ServedResource): object[] {
  const { shortNames, categories, namespaced } = resource;
  return [
    {
      name: resource.resource,
      singularName: resource.singular,
      namespaced,
      kind: resource.kind,
      verbs: resource.verbs,
      ...(shortNames.length > 0 ? { shortNames } : {}),
      ...(categories.length > 0 ? { categories } : {}),
    },
    ...resource.subresources.map((sub) => ({
      name: `${resource.resource}/${sub.name}`,
      singularName: '',
      namespaced,
      ...(sub.group === resource.group && sub.version === resource.version
        ? {}
        : { group: sub.group, version: sub.version }),
      kind: sub.kind,
      verbs: sub.verbs,
    })),
  ];
}
