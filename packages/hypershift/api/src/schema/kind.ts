import type { ObjectMeta, ResourceType, Schema } from '@hypershift-ts/kube-apimachinery';
import { type FeatureGateName, type FeatureSet, featureSets, gatesOf } from '../feature-gates.ts';
import { object, string } from './builders.ts';
import { type AnyNode, ObjectNode, type ReadObject, type Rule, type WriteObject } from './node.ts';
import { render } from './render.ts';

/** A column of `kubectl get`; priority 1 shows with `-o wide` only. */
export interface PrinterColumn {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'date' | 'boolean';
  readonly jsonPath: string;
  readonly priority?: number;
  readonly format?: string;
  readonly description?: string;
}

interface ScalePaths {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath?: string;
}

type Fields = { readonly [name: string]: AnyNode };

interface KindSource<Group extends string, Version extends string, Kind extends string, F extends Fields> {
  readonly group: Group;
  readonly version: Version;
  readonly kind: Kind;
  readonly plural: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly scope: 'Namespaced' | 'Cluster';
  readonly description: string;
  readonly columns?: readonly PrinterColumn[];
  readonly statusSubresource?: boolean;
  readonly scale?: ScalePaths;
  /** The whole kind exists only where the gate is on. */
  readonly gate?: FeatureGateName;
  /** Labels of the CRD itself, such as the Cluster API contract it satisfies. */
  readonly labels?: { readonly [key: string]: string };
  readonly fields: F;
  /** CEL rules on the object as a whole. */
  readonly rules?: readonly Rule[];
}

/** A kind of ours: how it is reached, its columns, and the schema of its objects. */
export interface KindDefinition<Read = unknown, Write = unknown>
  extends Omit<KindSource<string, string, string, Fields>, 'fields' | 'rules'> {
  readonly schema: AnyNode;
  readonly singular: string;
  /** Phantoms: never present at run time. */
  readonly '~read'?: Read;
  readonly '~write'?: Write;
}

interface TypeMeta<Group extends string, Version extends string, Kind extends string> {
  readonly apiVersion: `${Group}/${Version}`;
  readonly kind: Kind;
  readonly metadata: ObjectMeta;
}

export function defineKind<
  const Group extends string,
  const Version extends string,
  const Kind extends string,
  const F extends Fields,
>(
  source: KindSource<Group, Version, Kind, F>,
): KindDefinition<TypeMeta<Group, Version, Kind> & ReadObject<F>, TypeMeta<Group, Version, Kind> & WriteObject<F>> {
  const { fields, rules = [], ...rest } = source;
  const root = object({
    apiVersion: string().optional().describe('Group and version of the schema this object was written for.'),
    kind: string().optional().describe('The kind of the object.'),
    metadata: new ObjectNode({ keywords: { type: 'object' }, rules: [], required: false }),
    ...fields,
  }).describe(source.description);
  const schema = new ObjectNode({ ...root.definition, rules });
  return { ...rest, singular: source.kind.toLowerCase(), schema };
}

/** How a client reaches the objects of a kind. */
export function resourceOf<Read, Write>(
  kind: KindDefinition<Read, Write>,
): ResourceType<Read extends TypeMeta<string, string, string> ? Read : never> {
  const { group, version, plural, scope } = kind;
  return { group, version, kind: kind.kind, resource: plural, namespaced: scope === 'Namespaced' };
}

/** The type of a kind's objects as an API server hands them out. */
export type ObjectOf<K extends KindDefinition> = NonNullable<K['~read']>;

/** The type of a kind's objects as a client may send them. */
export type ManifestOf<K extends KindDefinition> = NonNullable<K['~write']>;

interface CrdVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly additionalPrinterColumns?: readonly PrinterColumn[];
  readonly schema: { readonly openAPIV3Schema: Schema };
  readonly subresources?: { readonly status?: object; readonly scale?: ScalePaths };
}

/** A CustomResourceDefinition manifest, as far as we write them. */
export interface CrdManifest {
  readonly apiVersion: 'apiextensions.k8s.io/v1';
  readonly kind: 'CustomResourceDefinition';
  readonly metadata: ObjectMeta & { readonly name: string };
  readonly spec: {
    readonly group: string;
    readonly names: {
      readonly kind: string;
      readonly listKind: string;
      readonly plural: string;
      readonly singular: string;
      readonly shortNames?: readonly string[];
      readonly categories?: readonly string[];
    };
    readonly scope: 'Namespaced' | 'Cluster';
    readonly versions: readonly CrdVersion[];
  };
}

function schemaIn(kind: KindDefinition, set: FeatureSet): Schema {
  return render(kind.schema, gatesOf(set));
}

/** Whether the sets disagree about a kind; then its CRD says which set it is for. */
function variesBySet(kind: KindDefinition): boolean {
  if (kind.gate) return true;
  const [first, ...others] = featureSets.map((set) => JSON.stringify(schemaIn(kind, set)));
  return others.some((other) => other !== first);
}

/** The CustomResourceDefinition of a kind in a feature set, or undefined where its gate is off. */
export function crdOf(kind: KindDefinition, set: FeatureSet): CrdManifest | undefined {
  if (kind.gate && !gatesOf(set).has(kind.gate)) return undefined;
  const { group, version, plural, singular, shortNames, categories, scope, columns, statusSubresource, scale } = kind;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: `${plural}.${group}`,
      ...(kind.labels ? { labels: kind.labels } : {}),
      ...(variesBySet(kind) ? { annotations: { 'release.openshift.io/feature-set': set } } : {}),
    },
    spec: {
      group,
      names: {
        kind: kind.kind,
        listKind: `${kind.kind}List`,
        plural,
        singular,
        ...(shortNames ? { shortNames } : {}),
        ...(categories ? { categories } : {}),
      },
      scope,
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          ...(columns ? { additionalPrinterColumns: columns } : {}),
          schema: { openAPIV3Schema: schemaIn(kind, set) },
          ...(statusSubresource || scale
            ? { subresources: { ...(statusSubresource ? { status: {} } : {}), ...(scale ? { scale } : {}) } }
            : {}),
        },
      ],
    },
  };
}
