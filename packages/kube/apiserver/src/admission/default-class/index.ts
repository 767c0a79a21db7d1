import type { UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import { statusErrors } from '@hypershift-ts/kube-apimachinery';
import type { AdmissionPlugin } from '../admission.ts';
import type { Lookup } from '../lookup.ts';

const storageAnnotations = [
  'storageclass.kubernetes.io/is-default-class',
  'storageclass.beta.kubernetes.io/is-default-class',
];
const ingressAnnotation = 'ingressclass.kubernetes.io/is-default-class';

/** Claims that name no storage class get the default one, the newest when there are several. */
export function defaultStorageClass(lookup: Lookup): AdmissionPlugin {
  return {
    name: 'DefaultStorageClass',
    handles: ({ resource, operation, subresource }) =>
      operation === 'CREATE' &&
      subresource === '' &&
      resource.group === '' &&
      resource.resource === 'persistentvolumeclaims',
    async mutate({ object }) {
      const spec = (object!['spec'] ??= {});
      // Set but empty is a choice: no class at all.
      if (spec.storageClassName !== undefined) return;
      if (object!['metadata'].annotations?.['volume.beta.kubernetes.io/storage-class'] !== undefined) return;
      const classes = await lookup.list('storage.k8s.io', 'storageclasses');
      const [newest] = newestFirst(classes.filter((one) => storageAnnotations.some((key) => isMarked(one, key))));
      if (newest) spec.storageClassName = newest.metadata.name;
    },
  };
}

/** Ingresses that name no class get the default one; more than one default is an error of the administrator's. */
export function defaultIngressClass(lookup: Lookup): AdmissionPlugin {
  return {
    name: 'DefaultIngressClass',
    handles: ({ resource, operation, subresource }) =>
      operation === 'CREATE' &&
      subresource === '' &&
      resource.group === 'networking.k8s.io' &&
      resource.resource === 'ingresses',
    async mutate({ object, resource }) {
      const spec = (object!['spec'] ??= {});
      if (spec.ingressClassName !== undefined) return;
      if (object!['metadata'].annotations?.['kubernetes.io/ingress.class'] !== undefined) return;
      const classes = await lookup.list('networking.k8s.io', 'ingressclasses');
      const defaults = newestFirst(classes.filter((one) => isMarked(one, ingressAnnotation)));
      if (defaults.length > 1)
        throw statusErrors.forbidden(
          resource,
          object!['metadata'].name ?? '',
          `${defaults.length} default IngressClasses were found, only 1 allowed`,
        );
      if (defaults[0]) spec.ingressClassName = defaults[0].metadata.name;
    },
  };
}

function isMarked({ metadata }: UnstructuredObject, annotation: string): boolean {
  return metadata.annotations?.[annotation] === 'true';
}

function newestFirst(classes: readonly UnstructuredObject[]): readonly UnstructuredObject[] {
  const age = ({ metadata }: UnstructuredObject): number => Date.parse(metadata.creationTimestamp ?? '') || 0;
  return classes.toSorted((a, b) => age(b) - age(a) || ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1));
}
