import { objectMetaSchema, parseApiVersion, type Schema } from '@hypershift-ts/kube-apimachinery';
import { type CelType, typeFromSchema } from '@hypershift-ts/kube-cel';
import type { Catalogue } from '../../resource/catalogue.ts';
import type { Resource } from '../../resource/resource.ts';
import { expressionErrors } from './check-expressions.ts';
import { compile } from './compile.ts';
import type { PolicySpec } from './types.ts';

/** A hint to the author: an expression that cannot work for a kind it will see. */
export interface ExpressionWarning {
  readonly fieldRef: string;
  readonly warning: string;
}

/** Kinds beyond this many are not checked. */
const maxKinds = 10;

/** Checks a policy against the kinds its rules name outright; wildcards name none. */
export function typeCheck(spec: PolicySpec, catalogue: Catalogue): readonly ExpressionWarning[] {
  const texts = new Map<string, string>();
  const params = spec.paramKind ? paramsType(spec.paramKind, catalogue) : undefined;
  for (const resource of namedResources(spec, catalogue).slice(0, maxKinds)) {
    const object = objectTypeOf(resource);
    if (!object) continue;
    for (const { field, message } of expressionErrors(compile(spec, { objectType: object, paramsType: params }))) {
      const kind = `${resource.apiVersion.includes('/') ? resource.apiVersion : `/${resource.apiVersion}`}, Kind=${resource.kind}`;
      // The value is repeated in front of what is wrong with it.
      const why = message.slice(message.indexOf('compilation failed: ') + 'compilation failed: '.length);
      if (message.includes('compilation failed: ')) texts.set(field, `${texts.get(field) ?? ''}${kind}: ${why}\n`);
    }
  }
  return [...texts].map(([fieldRef, warning]) => ({ fieldRef, warning }));
}

function namedResources({ matchConstraints }: PolicySpec, catalogue: Catalogue): Resource[] {
  const found = new Set<Resource>();
  for (const { apiGroups = [], apiVersions = [], resources = [] } of matchConstraints?.resourceRules ?? [])
    for (const group of apiGroups)
      for (const version of apiVersions)
        for (const name of resources) {
          // Subresources have kinds of their own, which may look like anything.
          const resource = name.includes('/') ? undefined : catalogue.find(group, version, name);
          if (resource) found.add(resource);
        }
  return [...found];
}

function paramsType(
  { apiVersion, kind }: NonNullable<PolicySpec['paramKind']>,
  catalogue: Catalogue,
): CelType | undefined {
  const { group, version } = parseApiVersion(apiVersion);
  const resource = catalogue.findKind(group, version, kind);
  return resource && objectTypeOf(resource);
}

const withMetadata = new WeakMap<Schema, Schema>();

/** Custom kinds leave their metadata to the server; expressions may use all of it. */
function objectTypeOf({ custom, logic: { schema } }: Resource): CelType | undefined {
  if (schema['x-kubernetes-preserve-unknown-fields']) return undefined;
  if (!custom) return typeFromSchema(schema, { root: true });
  let full = withMetadata.get(schema);
  if (!full) {
    full = { ...schema, properties: { ...schema.properties, metadata: objectMetaSchema } };
    withMetadata.set(schema, full);
  }
  return typeFromSchema(full, { root: true });
}
