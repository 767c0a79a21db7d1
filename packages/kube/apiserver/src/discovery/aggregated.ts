import type { Group, GroupVersionResources } from './groups.ts';
import { ResourceMemo } from './resource-memo.ts';
import type { ServedResource } from './served-resource.ts';

export type AggregatedVersion = 'v2' | 'v2beta1';

/** The APIGroupDiscoveryList of the groups; `core` groups have no name in it. */
export function aggregatedDiscovery(groups: readonly Group[], version: AggregatedVersion): string {
  const items = groups.map((group) => {
    const metadata = group.name === '' ? '{}' : JSON.stringify({ name: group.name });
    return `{"metadata":${metadata},"versions":[${group.versions.map(versionJson).join(',')}]}`;
  });
  const head = `"kind":"APIGroupDiscoveryList","apiVersion":"apidiscovery.k8s.io/${version}","metadata":{}`;
  return `{${head},"items":[${items.join(',')}]}\n`;
}

const rendered = new ResourceMemo<ServedResource, string>();

function versionJson({ version, resources }: GroupVersionResources): string {
  return rendered.get(resources, () =>
    JSON.stringify({ version, resources: resources.map(describe), freshness: 'Current' }),
  );
}

function describe(resource: ServedResource): object {
  const { shortNames, categories, subresources } = resource;
  return {
    resource: resource.resource,
    responseKind: responseKind(resource, resource),
    scope: resource.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: resource.singular,
    verbs: resource.verbs,
    ...(shortNames.length > 0 ? { shortNames } : {}),
    ...(categories.length > 0 ? { categories } : {}),
    ...(subresources.length > 0
      ? {
          subresources: subresources.map((sub) => ({
            subresource: sub.name,
            responseKind: responseKind(resource, sub),
            verbs: sub.verbs,
          })),
        }
      : {}),
  };
}

/** kube-apiserver leaves group and version empty where they are the resource's own, except for custom resources. */
function responseKind(resource: ServedResource, of: { group: string; version: string; kind: string }): object {
  const own = of.group === resource.group && of.version === resource.version;
  if (own && !resource.custom) return { group: '', version: '', kind: of.kind };
  return { group: of.group, version: of.version, kind: of.kind };
}
