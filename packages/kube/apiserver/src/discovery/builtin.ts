import { builtinResources } from '@hypershift-ts/kube-apimachinery';
import type { ServedResource } from './served-resource.ts';

let table: readonly ServedResource[] | undefined;

/** The built-in resources as discovery sees them, for documents that need no server. One table per process. */
export function builtinServedResources(): readonly ServedResource[] {
  table ??= builtinResources().flatMap(({ group, version, resources }) =>
    resources.map((resource) => ({
      group,
      version,
      resource: resource.name,
      singular: resource.singular,
      kind: resource.kind,
      namespaced: resource.namespaced,
      shortNames: resource.shortNames ?? [],
      categories: resource.categories ?? [],
      verbs: resource.verbs,
      subresources: (resource.subresources ?? []).map((sub) => ({ group, version, ...sub })),
      custom: false,
    })),
  );
  return table;
}
