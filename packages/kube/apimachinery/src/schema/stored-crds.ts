import { deepFreeze } from '../json.ts';
import type { ObjectMeta } from '../object.ts';
import type { Schema } from '../schema-types.ts';

/** What a version of a CustomResourceDefinition says beside its schema. */
interface CrdVersionFacts {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated?: boolean;
  readonly deprecationWarning?: string;
  readonly additionalPrinterColumns?: readonly object[];
  readonly selectableFields?: readonly object[];
  readonly subresources?: object;
}

/** A version of a CustomResourceDefinition. */
export interface CrdVersionManifest extends CrdVersionFacts {
  readonly schema: { readonly openAPIV3Schema: Schema };
}

/** What a CustomResourceDefinition says beside its versions. */
interface CrdFacts {
  readonly group: string;
  readonly scope: 'Namespaced' | 'Cluster';
  readonly names: {
    readonly plural: string;
    readonly kind: string;
    readonly singular?: string;
    readonly listKind?: string;
    readonly shortNames?: readonly string[];
    readonly categories?: readonly string[];
  };
  readonly conversion?: object;
  readonly preserveUnknownFields?: boolean;
}

/** A CustomResourceDefinition ready to be sent. */
export interface CrdManifestObject {
  readonly apiVersion: 'apiextensions.k8s.io/v1';
  readonly kind: 'CustomResourceDefinition';
  readonly metadata: ObjectMeta & { readonly name: string };
  readonly spec: CrdFacts & { readonly versions: readonly CrdVersionManifest[] };
}

/** A schema node whose children are numbers of other nodes. */
interface StoredNode extends Omit<Schema, 'properties' | 'items' | 'additionalProperties'> {
  readonly properties?: { readonly [name: string]: number };
  readonly items?: number;
  readonly additionalProperties?: number | boolean;
}

interface StoredCrd {
  readonly metadata: ObjectMeta & { readonly name: string };
  readonly spec: CrdFacts & { readonly versions: readonly (CrdVersionFacts & { readonly schema: number })[] };
}

/** CRDs that share the schema nodes they have in common; a node comes after its children. */
interface StoredCrds {
  readonly nodes: readonly StoredNode[];
  readonly crds: readonly StoredCrd[];
}

/** Reads CRDs that were stored with shared schema nodes. Equal nodes become one object, so the result is small. */
export function readStoredCrds(text: string): readonly CrdManifestObject[] {
  const { nodes, crds } = JSON.parse(text) as StoredCrds;
  const schemas: Schema[] = [];
  const at = (index: number): Schema => schemas[index]!;
  for (const { properties, items, additionalProperties, ...rest } of nodes)
    schemas.push({
      ...rest,
      ...(properties
        ? { properties: Object.fromEntries(Object.entries(properties).map(([name, index]) => [name, at(index)])) }
        : {}),
      ...(items === undefined ? {} : { items: at(items) }),
      ...(additionalProperties === undefined
        ? {}
        : {
            additionalProperties:
              typeof additionalProperties === 'number' ? at(additionalProperties) : additionalProperties,
          }),
    });
  return deepFreeze(
    crds.map(({ metadata, spec }) => ({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata,
      spec: {
        ...spec,
        versions: spec.versions.map((version) => ({ ...version, schema: { openAPIV3Schema: at(version.schema) } })),
      },
    })),
  );
}
