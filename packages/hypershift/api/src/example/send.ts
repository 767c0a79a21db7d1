import { formatFieldError } from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';
import { hostedClusters, nodePools, validateHostedCluster } from '../index.ts';
import { cluster, workers } from './hosted-cluster.ts';

/** Sends both objects and says what no schema can find. */
export async function send(client: Client): Promise<void> {
  const stored = await client.apply(hostedClusters, cluster, { fieldManager: 'me' });
  console.log(stored.spec.networking.clusterNetwork[0]?.cidr); // 10.132.0.0/14, filled in by the API server
  for (const error of validateHostedCluster(stored)) console.error(formatFieldError(error));
  await client.apply(nodePools, workers, { fieldManager: 'me' });
}
