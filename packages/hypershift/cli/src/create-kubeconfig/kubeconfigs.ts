import type { HostedCluster } from '@hypershift-ts/hypershift-api';
import type { Kubeconfig } from '@hypershift-ts/kube-client';

/** Renames the only cluster and user of an administrator's kubeconfig, so that many fit into one file. */
export function renamedKubeconfig(config: Kubeconfig, name: string): Kubeconfig {
  const cluster = config.clusters?.[0]?.cluster;
  const user = config.users?.[0]?.user;
  if (!cluster || !user) return {};
  const userName = `${name}-admin`;
  return {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name, cluster }],
    users: [{ name: userName, user }],
    contexts: [{ name, context: { cluster: name, user: userName, namespace: 'default' } }],
    'current-context': name,
  };
}

/** The host a kubeconfig leads to. */
export function hostOf(config: Kubeconfig): string {
  const server = config.clusters?.[0]?.cluster.server;
  return server && URL.canParse(server) ? new URL(server).hostname : '';
}

/** The same kubeconfig through a router that is not found by the host's name; certificates are still checked against it. */
export function routedKubeconfig(config: Kubeconfig, router: string): Kubeconfig {
  const host = hostOf(config);
  return {
    ...config,
    clusters: (config.clusters ?? []).map((entry) => ({
      ...entry,
      cluster: { ...entry.cluster, server: `https://${router}`, 'tls-server-name': host },
    })),
  };
}

/** The same kubeconfig through a port of this machine. */
export function forwardedKubeconfig(config: Kubeconfig, port: number): Kubeconfig {
  const server = `https://localhost:${port}`;
  return {
    ...config,
    clusters: (config.clusters ?? []).map((entry) => ({ ...entry, cluster: { ...entry.cluster, server } })),
  };
}

/** Whether nobody outside the management cluster reaches the API server. */
export function isPrivateCluster({ spec }: HostedCluster): boolean {
  const { aws, azure, gcp } = spec.platform;
  return [aws?.endpointAccess, azure?.topology, gcp?.endpointAccess].includes('Private');
}

/** Context of a cluster in a kubeconfig of many. */
export const contextName = ({ metadata }: Pick<HostedCluster, 'metadata'>) => `${metadata.namespace}-${metadata.name}`;
