import { deepFreeze, jsonClone, pruneUnknownFields, type UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import type { Resource } from '../resource/resource.ts';
import { storagePrefix } from '../storage/keys.ts';
import type { CustomResourceDefinition } from './definition/types.ts';
import { type CompiledVersion, compileCustomResource } from './resource/compile.ts';

const verbs = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];

/** Turns objects of one version into another; the definition's webhook, or a change of apiVersion. */
export type Converter = (
  definition: CustomResourceDefinition,
  objects: readonly UnstructuredObject[],
  apiVersion: string,
) => UnstructuredObject[] | Promise<UnstructuredObject[]>;

/** The resources a definition adds to a server, one per served version. */
export function resourcesOf(definition: CustomResourceDefinition, convert: Converter): Resource[] {
  const { group, names, scope } = definition.spec;
  const { versions, storageVersion } = compileCustomResource(definition);
  const storageApiVersion = `${group}/${storageVersion}`;
  // A definition that never changed and has one version is served exactly as stored, without a look inside.
  const asStored = versions.length === 1 && (definition.metadata.generation ?? 1) === 1;
  return versions
    .filter(({ served }) => served)
    .map((version) => {
      const apiVersion = `${group}/${version.name}`;
      return {
        group,
        version: version.name,
        resource: names.plural,
        kind: names.kind,
        listKind: names.listKind ?? `${names.kind}List`,
        singular: names.singular ?? names.kind.toLowerCase(),
        namespaced: scope === 'Namespaced',
        shortNames: names.shortNames ?? [],
        categories: names.categories ?? [],
        verbs,
        subresources: subresourcesOf(group, version, names.kind),
        apiVersion,
        custom: true,
        ...(version.deprecationWarning ? { deprecationWarning: version.deprecationWarning } : {}),
        storage: {
          prefix: storagePrefix(group, names.plural),
          apiVersion: storageApiVersion,
          ...(asStored
            ? {}
            : {
                fromStorage: reader(definition, version, apiVersion, convert),
                ...(apiVersion === storageApiVersion
                  ? {}
                  : {
                      toStorage: (objects: readonly UnstructuredObject[]) =>
                        convert(definition, objects, storageApiVersion),
                    }),
              }),
        },
        logic: version.logic,
      };
    });
}

function subresourcesOf(group: string, { name, logic }: CompiledVersion, kind: string): Resource['subresources'] {
  const sub = { group, version: name, verbs: ['get', 'patch', 'update'] };
  return [
    ...(logic.hasStatus ? [{ name: 'status', kind, ...sub }] : []),
    ...(logic.scale ? [{ ...sub, name: 'scale', kind: 'Scale', group: 'autoscaling', version: 'v1' }] : []),
  ];
}

/** Stored objects in a served version, with the defaults its schema has gained since and without the fields it lost. */
function reader(
  definition: CustomResourceDefinition,
  version: CompiledVersion,
  apiVersion: string,
  convert: Converter,
): NonNullable<Resource['storage']['fromStorage']> {
  // Keyed by the stored object, so that everybody keeps sharing one copy.
  const known = new WeakMap<UnstructuredObject, UnstructuredObject>();
  const finish = (stored: UnstructuredObject, converted: UnstructuredObject): UnstructuredObject => {
    const draft = jsonClone(converted);
    pruneUnknownFields(draft, version.logic.schema, { resourceRoot: true });
    version.logic.defaults(draft);
    const served = deepFreeze(draft);
    known.set(stored, served);
    return served;
  };
  return (objects) => {
    const missing = objects.filter((object) => !known.has(object));
    const answer = (): UnstructuredObject[] => objects.map((object) => known.get(object)!);
    if (missing.length === 0) return answer();
    const other = missing.filter((object) => object.apiVersion !== apiVersion);
    for (const object of missing) if (object.apiVersion === apiVersion) finish(object, object);
    const converted = other.length === 0 ? [] : convert(definition, other, apiVersion);
    const finishAll = (results: UnstructuredObject[]): UnstructuredObject[] => {
      results.forEach((result, index) => finish(other[index]!, result));
      return answer();
    };
    return converted instanceof Promise ? converted.then(finishAll) : finishAll(converted);
  };
}

/** Conversion strategy None: the versions differ in name only. */
export const renameVersion: Converter = (_, objects, apiVersion) =>
  objects.map((object) => ({ ...object, apiVersion }));
