import type { AdmissionPlugin } from '../admission.ts';

const finalizers: Readonly<Record<string, string>> = {
  persistentvolumeclaims: 'kubernetes.io/pvc-protection',
  persistentvolumes: 'kubernetes.io/pv-protection',
};

/** Claims and volumes get the finalizer that keeps them while somebody uses them. */
export const storageObjectInUseProtection: AdmissionPlugin = {
  name: 'StorageObjectInUseProtection',
  handles: ({ resource, operation, subresource }) =>
    operation === 'CREATE' &&
    subresource === '' &&
    resource.group === '' &&
    (resource.resource === 'persistentvolumeclaims' || resource.resource === 'persistentvolumes'),
  mutate({ object, resource }) {
    const metadata = object!['metadata'];
    const finalizer = finalizers[resource.resource]!;
    const present: readonly string[] = metadata.finalizers ?? [];
    if (!present.includes(finalizer)) metadata.finalizers = [...present, finalizer];
  },
};
