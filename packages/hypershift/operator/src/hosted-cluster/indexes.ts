import { type HostedCluster, hostedClusters, labels, type NodePool, nodePools } from '@hypershift-ts/hypershift-api';
import { corev1, keyOf, type KubeObject, type ObjectKey, parseKey } from '@hypershift-ts/kube-apimachinery';
import type { InformerCache } from '@hypershift-ts/kube-client';
import { platformFor, platforms } from '@hypershift-ts/hypershift-platforms';
import { copies } from '../copied-objects/index.ts';

/** Every Secret and ConfigMap beside a cluster that it names, as `Kind/namespace/name`. */
function referencesOf(cluster: HostedCluster): readonly string[] {
  const { spec, metadata } = cluster;
  if (!spec) return [];
  const known = platforms.some(({ type }) => type === spec.platform?.type);
  const named = [
    ...copies(cluster).map(({ kind, name }) => `${kind}/${metadata.namespace}/${name}`),
    ...[
      spec.serviceAccountSigningKey?.name,
      ...(known
        ? platformFor(spec.platform.type)
            .sourceSecrets(cluster)
            .map(({ name }) => name)
        : []),
    ].flatMap((name) => (name ? [`Secret/${metadata.namespace}/${name}`] : [])),
  ];
  return [...new Set(named)];
}

/** References of a cluster whose settings are too incomplete to be read are none: its conditions tell what is missing. */
export function safeReferencesOf(cluster: HostedCluster): readonly string[] {
  try {
    return referencesOf(cluster);
  } catch {
    return [];
  }
}

/** Clusters that name this Secret or ConfigMap, whether or not it existed when they did. */
export function clustersNaming({ kind, metadata }: KubeObject, cache: InformerCache): readonly ObjectKey[] {
  const informer = cache.informer(hostedClusters);
  informer.addIndex('references', safeReferencesOf);
  return informer.byIndex('references', `${kind}/${metadata.namespace}/${metadata.name}`).map(objectKey);
}

/** Clusters with this infrastructure ID. */
export function clustersWithInfraID(infraID: string, cache: InformerCache): readonly HostedCluster[] {
  const informer = cache.informer(hostedClusters);
  informer.addIndex('infraID', ({ spec }) => (spec?.infraID ? [spec.infraID] : []));
  return informer.byIndex('infraID', infraID);
}

/** NodePools of a cluster. */
export function nodePoolsOf({ metadata }: Pick<HostedCluster, 'metadata'>, cache: InformerCache): readonly NodePool[] {
  const informer = cache.informer(nodePools);
  informer.addIndex('cluster', ({ metadata: own, spec }) =>
    spec?.clusterName ? [`${own.namespace}/${spec.clusterName}`] : [],
  );
  return informer.byIndex('cluster', `${metadata.namespace}/${metadata.name}`);
}

const autoCreated = labels.autoCreatedForInfra.key;

/** Secrets the command line made for a cluster, which may die with it. */
export function commandLineSecrets({ metadata, spec }: HostedCluster, cache: InformerCache): readonly corev1.Secret[] {
  const informer = cache.informer(corev1.secrets);
  informer.addIndex('auto-created', ({ metadata: own }) => {
    const infra = own.labels?.[autoCreated];
    return infra && own.labels?.[labels.safeToDeleteWithCluster.key] === 'true' ? [`${own.namespace}/${infra}`] : [];
  });
  return spec.infraID ? informer.byIndex('auto-created', `${metadata.namespace}/${spec.infraID}`) : [];
}

const objectKey = (object: KubeObject): ObjectKey => parseKey(keyOf(object));
