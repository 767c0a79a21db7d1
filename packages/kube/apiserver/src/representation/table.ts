import type { ListMeta, UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import type { Resource } from '../resource/resource.ts';

/** How much of each object a table row carries along. */
export type IncludeObject = 'None' | 'Metadata' | 'Object';

export interface TableRequest {
  readonly metaVersion: 'v1' | 'v1beta1';
  readonly includeObject: IncludeObject;
  readonly now: number;
}

/** meta.k8s.io Table: what `kubectl get` prints. */
export function tableOf(
  resource: Resource,
  objects: readonly UnstructuredObject[],
  metadata: ListMeta,
  request: TableRequest,
  withColumns = true,
): object {
  return {
    kind: 'Table',
    apiVersion: `meta.k8s.io/${request.metaVersion}`,
    metadata,
    columnDefinitions: withColumns
      ? resource.logic.columns.map(({ name, type, format = '', description = '', priority }) => ({
          name,
          type,
          format,
          description,
          priority,
        }))
      : null,
    rows: objects.map((object) => ({
      cells: resource.logic.cells(object, request.now),
      ...rowObject(object, request),
    })),
  };
}

function rowObject(object: UnstructuredObject, { includeObject, metaVersion }: TableRequest): object {
  if (includeObject === 'None') return {};
  return { object: includeObject === 'Object' ? object : partialMetadata(object, metaVersion) };
}

export function partialMetadata(object: UnstructuredObject, metaVersion: 'v1' | 'v1beta1'): object {
  return { kind: 'PartialObjectMetadata', apiVersion: `meta.k8s.io/${metaVersion}`, metadata: object.metadata };
}

export function partialMetadataList(
  objects: readonly UnstructuredObject[],
  metadata: ListMeta,
  metaVersion: 'v1' | 'v1beta1',
): object {
  return {
    kind: 'PartialObjectMetadataList',
    apiVersion: `meta.k8s.io/${metaVersion}`,
    metadata,
    items: objects.map((object) => partialMetadata(object, metaVersion)),
  };
}
