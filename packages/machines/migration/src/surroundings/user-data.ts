import { type corev1, jsonEqual } from '@hypershift-ts/kube-apimachinery';
import { clusterApiNamespace } from '../conversion/names.ts';

/** Workers boot from it, whether a machine names it already or not. */
export const workerUserData = 'worker-user-data';

const ignition = Buffer.from('ignition').toString('base64');

/** The secret that machines of Cluster API boot from, made from that of the Machine API; undefined without user data. */
export function desiredUserData({ metadata, data, type, immutable }: corev1.Secret): corev1.Secret | undefined {
  const userData = data?.['userData'];
  if (userData === undefined) return undefined;
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: metadata.name ?? '', namespace: clusterApiNamespace },
    data: { format: ignition, value: userData },
    ...(type === undefined ? {} : { type }),
    ...(immutable === undefined ? {} : { immutable }),
  };
}

export function isSameSecret(stored: corev1.Secret, desired: corev1.Secret): boolean {
  return (
    jsonEqual(stored.data ?? {}, desired.data ?? {}) &&
    (stored.type ?? 'Opaque') === (desired.type ?? 'Opaque') &&
    (stored.immutable ?? false) === (desired.immutable ?? false)
  );
}
