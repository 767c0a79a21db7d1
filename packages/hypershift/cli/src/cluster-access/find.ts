import { type HostedCluster, hostedClusters, type NodePool, nodePools } from '@hypershift-ts/hypershift-api';
import { isNotFound } from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';
import { UserError } from '../cli-error.ts';

interface Key {
  readonly namespace: string;
  readonly name: string;
}

/** Names worth trying when the one asked for is not there. */
async function elsewhere(kind: 'HostedCluster' | 'NodePool', client: Client): Promise<string> {
  const type = kind === 'HostedCluster' ? hostedClusters : nodePools;
  const { items } = await client.list<HostedCluster | NodePool>(type as typeof hostedClusters, { limit: 10 });
  const names = items.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
  return names.length === 0
    ? `There is no ${kind} at all.`
    : `There are: ${names.join(', ')}. --namespace chooses the namespace.`;
}

async function missing(kind: 'HostedCluster' | 'NodePool', { namespace, name }: Key, client: Client, cause: unknown) {
  const hint = await elsewhere(kind, client).catch(
    () => 'The management cluster does not know HyperShift; run hypershift install first.',
  );
  return new UserError(`${kind} ${namespace}/${name} does not exist`, hint, { cause });
}

/** The HostedCluster, or an error that tells which ones there are. */
export async function getHostedCluster(client: Client, key: Key): Promise<HostedCluster> {
  try {
    return await client.get(hostedClusters, key);
  } catch (error) {
    if (isNotFound(error)) throw await missing('HostedCluster', key, client, error);
    throw error;
  }
}

/** The NodePool, or an error that tells which ones there are. */
export async function getNodePool(client: Client, key: Key): Promise<NodePool> {
  try {
    return await client.get(nodePools, key);
  } catch (error) {
    if (isNotFound(error)) throw await missing('NodePool', key, client, error);
    throw error;
  }
}
