import {
  apiVersionOf,
  type BuiltinResource,
  builtinResources,
  builtinSchema,
  type GroupVersionKind,
  type Schema,
  toGoForm,
  type UnstructuredObject,
} from '@hypershift-ts/kube-apimachinery';
import {
  type CustomResourceDefinition,
  defaultDefinition,
  definitionWarnings,
  prepareDefinitionForCreate,
  prepareDefinitionForUpdate,
  validateDefinition,
  validateDefinitionUpdate,
} from '../custom-resources/index.ts';
import { builtinBehaviours } from '../kinds/index.ts';
import type { KindBehaviour } from '../kinds/behaviour.ts';
import { storagePrefix } from '../storage/keys.ts';
import { catalogueKey } from './catalogue.ts';
import { normaliseBuiltin } from './normalise.ts';
import { objectColumns } from './object-columns.ts';
import type { Resource, ResourceLogic, ScalePaths } from './resource.ts';
import { sharedStorage } from './shared-storage.ts';

let shared: ReadonlyMap<string, Resource> | undefined;

/** The built-in resources, made once and shared by every server of the process. */
export function builtinCatalogue(): ReadonlyMap<string, Resource> {
  shared ??= new Map(
    builtinResources().flatMap(({ group, version, resources }) =>
      resources.map((resource): [string, Resource] => [
        catalogueKey(group, version, resource.name),
        builtinResource(group, version, resource),
      ]),
    ),
  );
  return shared;
}

function builtinResource(group: string, version: string, info: BuiltinResource): Resource {
  const name = group === '' ? info.name : `${info.name}.${group}`;
  const behaviour = { ...builtinBehaviours[name], ...(name === definitions ? definitionBehaviour : {}) };
  const schema = builtinSchema({ group, version, kind: info.kind }) ?? {};
  const apiVersion = apiVersionOf({ group, version });
  return {
    group,
    version,
    resource: info.name,
    kind: info.kind,
    listKind: `${info.kind}List`,
    singular: info.singular,
    namespaced: info.namespaced,
    shortNames: info.shortNames ?? [],
    categories: info.categories ?? [],
    verbs: info.verbs,
    subresources: (info.subresources ?? []).map((sub) => ({ group, version, ...sub })),
    apiVersion,
    custom: false,
    ...(name === 'endpoints'
      ? { deprecationWarning: 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice' }
      : {}),
    storage: sharedStorage(group, version, info.name) ?? { prefix: storagePrefix(group, info.name), apiVersion },
    logic: builtinLogic(name, behaviour, schema, info, { group, version, kind: info.kind }),
  };
}

const definitions = 'customresourcedefinitions.apiextensions.k8s.io';

/** What the custom resource machinery adds to the kind of definitions. */
const definitionBehaviour: KindBehaviour = {
  defaults: (draft) => {
    // What is required may be missing until validation says so.
    draft['spec'].versions ??= [];
    defaultDefinition(draft);
  },
  prepareForCreate: prepareDefinitionForCreate,
  prepareForUpdate: (draft, old) => prepareDefinitionForUpdate(draft, old),
  warnings: (object, old) => definitionWarnings(asDefinition(object), old && asDefinition(old)),
};

function asDefinition(object: UnstructuredObject): CustomResourceDefinition {
  return object as unknown as CustomResourceDefinition;
}

/** Updates of a definition are judged by rules of their own, not by those of creation plus some. */
function validation(
  name: string,
  behaviour: KindBehaviour,
): Required<Pick<KindBehaviour, 'validate' | 'validateUpdate'>> {
  if (name === definitions)
    return {
      validate: (object) => validateDefinition(asDefinition(object)),
      validateUpdate: (object, old) => validateDefinitionUpdate(asDefinition(object), asDefinition(old)),
    };
  const validate = behaviour.validate ?? (() => []);
  return {
    validate,
    validateUpdate: (object, old) => [...validate(object), ...(behaviour.validateUpdate?.(object, old) ?? [])],
  };
}

const nothing = (): void => {};

/** Deployments' own controller writes their revision that way. */
const statusTakes: { readonly [resource: string]: readonly ('labels' | 'annotations')[] } = {
  pods: ['labels', 'annotations'],
  nodes: ['labels', 'annotations'],
  'deployments.apps': ['annotations'],
};

function builtinLogic(
  name: string,
  behaviour: KindBehaviour,
  schema: Schema,
  info: BuiltinResource,
  gvk: GroupVersionKind,
): ResourceLogic {
  const { validate, validateUpdate } = validation(name, behaviour);
  const warnings = behaviour.warnings ?? (() => []);
  const scale = scalePaths(info);
  return {
    schema,
    normalise: (draft) => normaliseBuiltin(draft, schema, gvk.kind, gvk.version),
    complete: (draft) => toGoForm(draft, gvk),
    defaults: behaviour.defaults ?? nothing,
    prepareForCreate: behaviour.prepareForCreate ?? nothing,
    prepareForUpdate: behaviour.prepareForUpdate ?? nothing,
    prepareForStatus: behaviour.status?.prepare ?? nothing,
    validateCreate: (object) => ({ errors: validate(object), warnings: warnings(object) }),
    validateUpdate: (object, old) => ({ errors: validateUpdate(object, old), warnings: warnings(object, old) }),
    validateStatus: (object, old) => ({ errors: behaviour.status?.validate?.(object, old) ?? [], warnings: [] }),
    hasStatus: behaviour.status !== undefined,
    keepsStatusOnCreate: behaviour.status?.keepOnCreate === true,
    statusTakes: statusTakes[name] ?? [],
    tracksGeneration: behaviour.generation === true,
    ...(scale ? { scale } : {}),
    nameRule: behaviour.nameRule ?? 'subdomain',
    unconditionalUpdate: behaviour.unconditionalUpdate === true,
    createOnUpdate: behaviour.createOnUpdate === true,
    ...(behaviour.gracePeriod ? { gracePeriod: behaviour.gracePeriod } : {}),
    selectableFields: behaviour.selectableFields ?? {},
    columns: behaviour.columns ?? objectColumns.columns,
    cells: behaviour.cells ?? ((object: UnstructuredObject, now: number) => objectColumns.cells(object, now)),
  };
}

function scalePaths({ subresources }: BuiltinResource): ScalePaths | undefined {
  if (!subresources?.some(({ name }) => name === 'scale')) return undefined;
  return { specReplicas: 'spec.replicas', statusReplicas: 'status.replicas', selector: 'spec.selector' };
}
