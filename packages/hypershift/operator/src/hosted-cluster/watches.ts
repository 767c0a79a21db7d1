import {
  annotationPrefixes,
  annotations,
  type HostedControlPlane,
  hostedControlPlanes,
  type NodePool,
  nodePools,
} from '@hypershift-ts/hypershift-api';
import {
  appsv1,
  corev1,
  type KubeObject,
  networkingv1,
  type ObjectKey,
  parseKey,
  type ResourceType,
} from '@hypershift-ts/kube-apimachinery';
import type { WatchSource } from '@hypershift-ts/kube-controller';

const { prefix } = annotationPrefixes.referencedResource;

/** The clusters an object concerns: the one it was made for, and those that read it. */
export function clustersOf({ metadata }: KubeObject): readonly ObjectKey[] {
  const owner = metadata.annotations?.[annotations.cluster.key];
  const readers = Object.keys(metadata.annotations ?? {})
    .filter((key) => key.startsWith(prefix))
    .map((key) => ({ namespace: metadata.namespace ?? '', name: key.slice(prefix.length) }));
  return owner ? [parseKey(owner), ...readers] : readers;
}

const mapped = <T extends KubeObject>(type: ResourceType<T>): WatchSource<T> => ({ type, map: clustersOf });

/** What wakes a HostedCluster besides itself. */
export const hostedClusterWatches: readonly [WatchSource<HostedControlPlane>, WatchSource<NodePool>, ...WatchSource[]] =
  [
    mapped(hostedControlPlanes),
    {
      type: nodePools,
      map: ({ metadata, spec }) =>
        spec?.clusterName ? [{ namespace: metadata.namespace ?? '', name: spec.clusterName }] : undefined,
    },
    mapped<KubeObject>(appsv1.deployments),
    mapped<KubeObject>(corev1.secrets),
    mapped<KubeObject>(corev1.configmaps),
    mapped<KubeObject>(corev1.namespaces),
    mapped<KubeObject>(networkingv1.networkpolicies),
  ];
