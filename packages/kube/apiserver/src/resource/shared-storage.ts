import type { UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import { autoscalerToV1, autoscalerToV2, eventFromCore, eventToCore } from '../kinds/index.ts';
import { storagePrefix } from '../storage/keys.ts';
import type { Resource } from './resource.ts';

type Convert = (object: UnstructuredObject) => UnstructuredObject;

const each = (convert: Convert) => (objects: readonly UnstructuredObject[]) => objects.map(convert);

/** Resources that are another view of objects stored under a different group or version. */
const views: Readonly<Record<string, Resource['storage']>> = {
  'events.k8s.io/v1/events': {
    prefix: storagePrefix('', 'events'),
    apiVersion: 'v1',
    fromStorage: each(eventFromCore as Convert),
    toStorage: each(eventToCore as Convert),
  },
  'autoscaling/v1/horizontalpodautoscalers': {
    prefix: storagePrefix('autoscaling', 'horizontalpodautoscalers'),
    apiVersion: 'autoscaling/v2',
    fromStorage: each(autoscalerToV1 as Convert),
    toStorage: each(autoscalerToV2 as Convert),
  },
};

export function sharedStorage(group: string, version: string, resource: string): Resource['storage'] | undefined {
  return views[`${group}/${version}/${resource}`];
}
