import { annotations, type HostedCluster, type HostedControlPlane } from '@hypershift-ts/hypershift-api';
import { annotationPrefixes, hostedClusters } from '@hypershift-ts/hypershift-api';
import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import { ownerReference } from '@hypershift-ts/kube-controller';

/** A Secret beside the cluster that is made from one of its control plane. */
export interface BackCopy {
  readonly target: string;
  /** Secret in the control plane namespace, with the key to take; absent when the copy must not exist. */
  readonly source?: { readonly name: string; readonly key?: string | undefined };
}

/** Access to the hosted cluster, as far as the control plane has made it. */
export function backCopies({ metadata, spec }: HostedCluster, { status }: HostedControlPlane): readonly BackCopy[] {
  const name = metadata.name ?? '';
  const { kubeConfig, customKubeconfig, kubeadminPassword } = status ?? {};
  const explicitOAuth = spec.configuration?.oauth !== undefined;
  const password = explicitOAuth ? undefined : kubeadminPassword?.name;
  return [
    // A kubeconfig that exists is never taken away: it may be the only way in.
    ...(kubeConfig ? [{ target: `${name}-admin-kubeconfig`, source: kubeConfig }] : []),
    {
      target: `${name}-custom-admin-kubeconfig`,
      ...(spec.kubeAPIServerDNSName && customKubeconfig ? { source: customKubeconfig } : {}),
    },
    { target: `${name}-kubeadmin-password`, ...(password ? { source: { name: password } } : {}) },
  ];
}

/** The Secret to write for a back copy. */
export function backCopyOf(cluster: HostedCluster, { target, source }: BackCopy, from: corev1.Secret): corev1.Secret {
  const key = source?.key;
  const value = key === undefined ? undefined : from.data?.[key];
  if (key !== undefined && value === undefined)
    throw new Error(`Secret ${from.metadata.namespace}/${from.metadata.name} of the control plane has no key ${key}`);
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: target,
      namespace: cluster.metadata.namespace ?? '',
      ...(key !== undefined && cluster.metadata.labels ? { labels: cluster.metadata.labels } : {}),
      annotations: { [annotations.cluster.key]: `${cluster.metadata.namespace}/${cluster.metadata.name}` },
      ownerReferences: [ownerReference(hostedClusters, cluster)],
    },
    type: 'Opaque',
    data: value === undefined ? (from.data ?? {}) : { kubeconfig: value },
  };
}

/** The annotation on a user's object that makes its changes wake the cluster. */
export const referencedBy = ({ metadata }: Pick<HostedCluster, 'metadata'>): string =>
  `${annotationPrefixes.referencedResource.prefix}${metadata.name}`;
