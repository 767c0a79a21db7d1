/** Ways to find cached objects without looking at all of them: one process may hold those of a thousand clusters. */
import {
  annotations,
  type HostedCluster,
  hostedClusters,
  type NodePool,
  nodePools,
} from '@hypershift-ts/hypershift-api';
import type { KubeObject, ObjectKey, ResourceType } from '@hypershift-ts/kube-apimachinery';
import type { InformerCache } from '@hypershift-ts/kube-client';
import { controlPlaneNamespaceOf } from '../names/index.ts';

const asKey = ({ metadata }: KubeObject): ObjectKey => ({
  namespace: metadata.namespace ?? '',
  name: metadata.name ?? '',
});

/** Objects of a kind that were made for a pool, in its control plane namespace. */
export function madeForPool<T extends KubeObject>(
  type: ResourceType<T>,
  key: string,
  namespace: string,
  cache: InformerCache,
): readonly T[] {
  const informer = cache.informer(type);
  informer.addIndex('nodepool/made-for', ({ metadata }) => {
    const pool = metadata.annotations?.[annotations.nodePool.key];
    return pool ? [`${metadata.namespace} ${pool}`] : [];
  });
  return informer.byIndex('nodepool/made-for', `${namespace} ${key}`);
}

/** Pools of a cluster. */
export function poolsOfCluster({ metadata }: HostedCluster, cache: InformerCache): readonly ObjectKey[] {
  const informer = cache.informer(nodePools);
  informer.addIndex('nodepool/cluster', ({ metadata: own, spec }) =>
    spec?.clusterName ? [`${own.namespace}/${spec.clusterName}`] : [],
  );
  return informer.byIndex('nodepool/cluster', `${metadata.namespace}/${metadata.name}`).map(asKey);
}

/** Pools of the cluster whose control plane lives in a namespace. */
export function poolsOfControlPlane(namespace: string, cache: InformerCache): readonly ObjectKey[] {
  const informer = cache.informer(hostedClusters);
  informer.addIndex('nodepool/control-plane', (cluster) => [controlPlaneNamespaceOf(cluster)]);
  return informer.byIndex('nodepool/control-plane', namespace).flatMap((cluster) => poolsOfCluster(cluster, cache));
}

const configNames = ({ spec }: NodePool): readonly string[] =>
  [...(spec?.config ?? []), ...(spec?.tuningConfig ?? [])].map(({ name }) => name);

/** Pools that name a ConfigMap beside them. */
export function poolsNaming({ metadata }: KubeObject, cache: InformerCache): readonly ObjectKey[] {
  const informer = cache.informer(nodePools);
  informer.addIndex('nodepool/config', (pool) => configNames(pool).map((name) => `${pool.metadata.namespace}/${name}`));
  return informer.byIndex('nodepool/config', `${metadata.namespace}/${metadata.name}`).map(asKey);
}

/** Secrets and ConfigMaps beside a cluster that its pools read. */
const readBeside = ({ spec, status }: HostedCluster): readonly (string | undefined)[] => [
  spec?.pullSecret?.name,
  spec?.additionalTrustBundle?.name,
  status?.kubeconfig?.name,
];

/** Pools of the clusters that name a Secret or ConfigMap beside them. */
export function poolsOfClustersNaming({ metadata }: KubeObject, cache: InformerCache): readonly ObjectKey[] {
  const informer = cache.informer(hostedClusters);
  informer.addIndex('nodepool/beside', (cluster) =>
    readBeside(cluster).flatMap((name) => (name ? [`${cluster.metadata.namespace}/${name}`] : [])),
  );
  return informer
    .byIndex('nodepool/beside', `${metadata.namespace}/${metadata.name}`)
    .flatMap((cluster) => poolsOfCluster(cluster, cache));
}
