import type { KubeObject, ObjectKey, ResourceType } from '@hypershift-ts/kube-apimachinery';
import type { InformerCache } from '@hypershift-ts/kube-client';
import type { WatchSource } from '@hypershift-ts/kube-controller';
import { clusterApiNamespace, machineApiNamespace } from '../conversion/names.ts';
import { inMachineApi } from './scope.ts';

type KeysOf<T extends KubeObject> = (object: T, cache: InformerCache) => readonly ObjectKey[];

/** Copies have one name, and every request is for that name in the Machine API. */
export const byName = ({ metadata }: KubeObject): readonly ObjectKey[] => [inMachineApi(metadata.name ?? '')];

/** Objects of Cluster API and of its provider. */
export function clusterApiWatch<T extends KubeObject>(type: ResourceType<T>, keysOf: KeysOf<T>): WatchSource<T> {
  return { type, namespace: clusterApiNamespace, map: (object, { cache }) => keysOf(object, cache) };
}

/** Only their coming matters: what they say later does not change what a copy should be. */
export function arrivals<T extends KubeObject>(source: WatchSource<T>): WatchSource<T> {
  return { ...source, predicate: { updated: () => false, deleted: () => false } };
}

/** The objects of a kind of the Machine API that are known so far; each that comes later tells of itself. */
export function everyMachineApi<T extends KubeObject>(type: ResourceType<T>, cache: InformerCache): readonly T[] {
  return cache.informer(type, { namespace: machineApiNamespace }).list();
}

/** The objects of a kind of Cluster API that are known so far. */
export function everyClusterApi<T extends KubeObject>(type: ResourceType<T>, cache: InformerCache): readonly T[] {
  return cache.informer(type, { namespace: clusterApiNamespace }).list();
}
