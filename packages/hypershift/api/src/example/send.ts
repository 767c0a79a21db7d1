import { formatFieldError } from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';
import { hostedClusters, nodePools, validateHostedCluster } from '../index.ts';
import { cluster, workers } from './hosted-cluster.ts';

/** Sends both objects and gives back what is wrong with them that no schema can find. */
export async function send(client: Client): Promise<readonly string[]> {
  const stored = await client.apply(hostedClusters, cluster, { fieldManager: 'me' });
  // Defaults are filled in: stored.spec.networking.clusterNetwork[0].cidr is 10.132.0.0/14.
  const errors = validateHostedCluster(stored);
  if (errors.length === 0) await client.apply(nodePools, workers, { fieldManager: 'me' });
  return errors.map(formatFieldError);
}
