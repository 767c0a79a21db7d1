import { builtinDefinitionName, kubernetesVersion, type SchemaDefinition } from '@hypershift-ts/kube-apimachinery';
import type { ServedSubresource } from '../discovery/index.ts';
import { componentsFor } from './builtin-components.ts';
import { customComponents, customDefinitionName, customRoots } from './custom-components.ts';
import type { OpenApiResource } from './openapi-resource.ts';
import { pathsOf } from './paths.ts';

/** The text of one group-version's OpenAPI v3 document. */
export function renderV3(resources: readonly OpenApiResource[]): string {
  const paths: Record<string, object> = {};
  const roots = new Set<string>();
  let custom: Record<string, SchemaDefinition> = {};
  for (const resource of resources) {
    const names = answerNames(resource);
    Object.assign(paths, pathsOf(resource, names));
    const own = resource.custom ? [...customRoots] : [names.object, names.list];
    for (const name of own) roots.add(name);
    for (const sub of resource.subresources) {
      const name = names.subresource(sub);
      if (name !== undefined) roots.add(name);
    }
    if (resource.custom) custom = { ...custom, ...customComponents(resource) };
  }
  return `${JSON.stringify({
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: kubernetesVersion.gitVersion },
    paths,
    components: { schemas: { ...componentsFor(roots), ...custom } },
  })}\n`;
}

function answerNames(resource: OpenApiResource) {
  const { group, version, kind, listKind } = resource;
  const nameOf = (of: string): string =>
    resource.custom ? customDefinitionName(resource, of) : (builtinDefinitionName({ group, version, kind: of }) ?? '');
  return {
    object: nameOf(kind),
    list: nameOf(listKind),
    subresource: (sub: ServedSubresource) =>
      resource.custom && sub.group === group ? nameOf(sub.kind) : builtinDefinitionName(sub),
  };
}
