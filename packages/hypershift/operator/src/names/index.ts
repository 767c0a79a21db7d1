/** Names of what belongs to a hosted cluster. */
import type { HostedCluster } from '@hypershift-ts/hypershift-api';
import { annotations } from '@hypershift-ts/hypershift-api';

/** The namespace of a control plane; names of clusters may hold dots, names of namespaces may not. */
export function controlPlaneNamespaceOf({ metadata }: Pick<HostedCluster, 'metadata'>): string {
  return `${metadata.namespace}-${(metadata.name ?? '').replaceAll('.', '-')}`;
}

/** The annotation that leads from an object back to its cluster, put on everything made for one. */
export function belongsTo({ metadata }: Pick<HostedCluster, 'metadata'>): { readonly [key: string]: string } {
  return { [annotations.cluster.key]: `${metadata.namespace}/${metadata.name}` };
}
