import {
  applySchemaDefaults,
  compileJsonPath,
  fieldError,
  formatFieldError,
  jsonPathText,
  normaliseEmbedded,
  normaliseObjectMeta,
  pruneUnknownFields,
  type Schema,
  statusErrors,
  type UnstructuredObject,
} from '@hypershift-ts/kube-apimachinery';
import type { Draft } from '../../kinds/behaviour.ts';
import type { ResourceLogic } from '../../resource/resource.ts';
import type { CustomResourceDefinition, DefinitionVersion } from '../definition/types.ts';
import { Interner, internSchema } from '../interning.ts';
import { customColumns } from './columns.ts';
import { scalePaths } from './scale.ts';
import { resourceValidation } from './validation.ts';

/** One version of a custom resource, ready to serve. */
export interface CompiledVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  /** For a Warning header, when the version is deprecated. */
  readonly deprecationWarning?: string;
  readonly logic: ResourceLogic;
}

export interface CompiledCustomResource {
  readonly versions: readonly CompiledVersion[];
  readonly storageVersion: string;
}

/** Everything a version's behaviour depends on; equal recipes share one compiled version. */
interface Recipe {
  readonly group: string;
  readonly kind: string;
  readonly version: DefinitionVersion;
}

const recipes = new Interner<Recipe>();
const compiled = new WeakMap<Recipe, CompiledVersion>();

/** A schema that does not say anything keeps everything. */
const anything: Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

/** Compiles a valid definition. Versions seen before, on this or any other server of the process, cost only a hash. */
export function compileCustomResource(definition: CustomResourceDefinition): CompiledCustomResource {
  const { group, names, versions } = definition.spec;
  return {
    versions: versions.map((version) => compileVersion({ group, kind: names.kind, version })),
    storageVersion: versions.find(({ storage }) => storage)?.name ?? '',
  };
}

function compileVersion(recipe: Recipe): CompiledVersion {
  const shared = recipes.intern(recipe);
  const known = compiled.get(shared);
  if (known) return known;
  const fresh = build(shared);
  compiled.set(shared, fresh);
  return fresh;
}

const nothing = (): void => {};

function build({ group, kind, version }: Recipe): CompiledVersion {
  const schema = internSchema(version.schema?.openAPIV3Schema ?? anything);
  const scale = scalePaths(version.subresources);
  const { name, served, storage, deprecated } = version;
  const warning = version.deprecationWarning ?? `${group}/${name} ${kind} is deprecated`;
  return {
    name,
    served,
    storage,
    ...(deprecated ? { deprecationWarning: warning } : {}),
    logic: {
      schema,
      normalise: (draft) => normalise(draft, schema, kind, name),
      defaults: (draft) => applySchemaDefaults(draft, schema),
      prepareForCreate: nothing,
      prepareForUpdate: nothing,
      prepareForStatus: nothing,
      ...resourceValidation(schema, version.subresources),
      hasStatus: version.subresources?.status !== undefined,
      tracksGeneration: true,
      ...(scale ? { scale } : {}),
      nameRule: 'subdomain',
      unconditionalUpdate: false,
      createOnUpdate: false,
      selectableFields: selectableFields(version),
      ...customColumns(version.additionalPrinterColumns),
    },
  };
}

/** Drops what the schema does not know and nulls it does not want; refuses metadata that is none. */
function normalise(draft: Draft, schema: Schema, kind: string, version: string): string[] {
  const unknown = pruneUnknownFields(draft, schema, { resourceRoot: true, dropNulls: true });
  const embedded = normaliseEmbedded(draft, schema);
  unknown.push(...embedded.unknown);
  const errors = [...embedded.errors];
  if (draft['metadata'] !== undefined) {
    const outcome = normaliseObjectMeta(draft['metadata']);
    unknown.push(...outcome.unknown.map((path) => `metadata.${path}`));
    if (outcome.error !== undefined) errors.push(fieldError.invalid('metadata', draft['metadata'], outcome.error));
  }
  if (errors.length > 0) {
    const why = errors.map(formatFieldError).join(', ');
    throw statusErrors.badRequest(`${kind} in version "${version}" cannot be handled as a ${kind}: ${why}`);
  }
  return unknown.sort();
}

function selectableFields(version: DefinitionVersion): ResourceLogic['selectableFields'] {
  return Object.fromEntries(
    (version.selectableFields ?? []).map(({ jsonPath }) => {
      const path = compileJsonPath(jsonPath);
      const text = (object: UnstructuredObject) => {
        const value = path.find(object)[0];
        return value === undefined || value === null ? '' : jsonPathText(value);
      };
      return [jsonPath.replace(/^\./, ''), text];
    }),
  );
}
