import { hostedClusters, nodePools } from '@hypershift-ts/hypershift-api';
import { appsv1, corev1, isNotFound, type KubeObject, type ResourceType } from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';
import type { Connection } from '../cluster-access/index.ts';
import type { StatusFacts } from './report.ts';

/** Objects of all namespaces; undefined where the server does not know the kind. */
async function everywhere<T extends KubeObject>(
  client: Client,
  type: ResourceType<T>,
): Promise<readonly T[] | undefined> {
  try {
    return (await client.list(type)).items;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

async function operatorDeployment(client: Client): Promise<appsv1.Deployment | undefined> {
  return client.get(appsv1.deployments, { namespace: 'hypershift', name: 'operator' }).catch((error: unknown) => {
    if (isNotFound(error)) return undefined;
    throw error;
  });
}

export async function statusFacts(connection: Connection): Promise<StatusFacts> {
  const { client, server, source } = connection;
  const [version, isEmbedded, nodes, operator, clusters, pools, pods] = await Promise.all([
    client.raw('GET', '/version'),
    connection.isEmbedded(),
    everywhere(client, corev1.nodes),
    operatorDeployment(client),
    everywhere(client, hostedClusters),
    everywhere(client, nodePools),
    everywhere(client, corev1.pods),
  ]);
  const { gitVersion = 'unknown' } = JSON.parse(version.body) as { gitVersion?: string };
  return {
    server,
    source,
    kubernetesVersion: gitVersion,
    isEmbedded,
    nodes: nodes ?? [],
    operator,
    clusters,
    nodePools: pools ?? [],
    pods: pods ?? [],
  };
}
