/** Where the state of the hosted cluster is kept. */
import { fieldError, tryParseQuantity } from '@hypershift-ts/kube-apimachinery';
import type { HostedClusterCheck } from './facts.ts';

/** A managed etcd needs room, a foreign one a client certificate; whether that is complete, UnmanagedEtcdAvailable tells. */
export const validateEtcd: HostedClusterCheck = ({ spec }) => {
  const { etcd } = spec;
  if (!etcd) return [];
  if (etcd.managementType === 'Managed') {
    const size = etcd.managed?.storage?.persistentVolume?.size;
    const parsed = size === undefined ? undefined : tryParseQuantity(size);
    return size !== undefined && (!parsed || parsed.sign <= 0)
      ? [fieldError.invalid('spec.etcd.managed.storage.persistentVolume.size', size, 'must be more than zero')]
      : [];
  }
  return etcd.unmanaged?.tls?.clientSecret?.name
    ? []
    : [fieldError.required('spec.etcd.unmanaged.tls.clientSecret.name', 'managementType is Unmanaged')];
};
