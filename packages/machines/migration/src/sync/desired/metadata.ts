import type { ObjectMeta } from '@hypershift-ts/kube-apimachinery';
import { clusterApi } from '../../conversion/names.ts';

/** What the server knows of a stored object and a new version of it must not change. */
export function serverMetadata(existing: ObjectMeta | undefined): ObjectMeta {
  const { generation, uid, creationTimestamp, managedFields, resourceVersion } = existing ?? {};
  return {
    ...(generation === undefined ? {} : { generation }),
    ...(uid === undefined ? {} : { uid }),
    ...(creationTimestamp === undefined ? {} : { creationTimestamp }),
    ...(managedFields === undefined ? {} : { managedFields }),
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
  };
}

/** Finalizers are everybody's own: those of a stored object stay, a new one gets what its conversion says. */
export function finalizersOf(existing: ObjectMeta | undefined, converted: ObjectMeta): Pick<ObjectMeta, 'finalizers'> {
  const { finalizers } = existing ?? converted;
  return finalizers?.length ? { finalizers } : {};
}

/** Keys of a stored object that the conversion does not speak of stay: other controllers may need them. */
export function overlaid(
  field: 'labels' | 'annotations',
  existing: ObjectMeta | undefined,
  converted: ObjectMeta,
): { readonly [key: string]: string } {
  return { ...existing?.[field], ...converted[field] };
}

/** The request to pause, which counts by being there. */
export const pausedAnnotation: { readonly [key: string]: string } = { [clusterApi.annotations.paused]: '' };

/** The field with its entries, or nothing at all where there are none. */
export function unlessEmptyField<K extends string>(name: K, entries: { readonly [key: string]: string }) {
  return (Object.keys(entries).length > 0 ? { [name]: entries } : {}) as {
    [key in K]?: { readonly [key: string]: string };
  };
}
