import type { SchemaDefinition } from '@hypershift-ts/kube-apimachinery';
import type { OpenApiResource } from './openapi-resource.ts';

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';
const refTo = (name: string): SchemaDefinition => ({ $ref: `#/components/schemas/${name}` });

/** How documents call a custom kind: the group backwards, then version and kind (`com.example.v1.Widget`). */
export function customDefinitionName(resource: { group: string; version: string }, kind: string): string {
  return `${resource.group.split('.').reverse().join('.')}.${resource.version}.${kind}`;
}

/** Definitions of other documents that custom kinds refer to. */
export const customRoots: readonly string[] = [`${meta}.ObjectMeta`, `${meta}.ListMeta`];

const typeMeta: { readonly [field: string]: SchemaDefinition } = {
  apiVersion: { type: 'string', description: 'Group and version of the schema this object follows.' },
  kind: { type: 'string', description: 'Name of the REST resource kind this object is.' },
};

/** The published schemas of a custom kind and its list. */
export function customComponents(resource: OpenApiResource): Record<string, SchemaDefinition> {
  const name = customDefinitionName(resource, resource.kind);
  const listName = customDefinitionName(resource, resource.listKind);
  const schema: SchemaDefinition = resource.logic?.schema ?? {};
  return {
    [name]: {
      ...schema,
      type: 'object',
      properties: {
        ...typeMeta,
        ...schema.properties,
        metadata: { description: 'Standard metadata of the object.', allOf: [refTo(`${meta}.ObjectMeta`)] },
      },
      'x-kubernetes-group-version-kind': [gvk(resource, resource.kind)],
    },
    [listName]: {
      type: 'object',
      description: `A list of ${resource.kind}.`,
      required: ['items'],
      properties: {
        ...typeMeta,
        items: { type: 'array', description: `The ${resource.resource}.`, items: refTo(name) },
        metadata: { description: 'Standard metadata of the list.', allOf: [refTo(`${meta}.ListMeta`)] },
      },
      'x-kubernetes-group-version-kind': [gvk(resource, resource.listKind)],
    },
  };
}

function gvk({ group, version }: OpenApiResource, kind: string) {
  return { group, version, kind };
}
