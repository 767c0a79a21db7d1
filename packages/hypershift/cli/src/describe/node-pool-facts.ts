import type { HostedCluster, NodePool } from '@hypershift-ts/hypershift-api';
import { controlPlaneNamespaceOf } from '@hypershift-ts/hypershift-operator';
import type { Client } from '@hypershift-ts/kube-client';
import { capiv1beta1 } from '@hypershift-ts/machines-cluster-api';
import { getHostedCluster, getNodePool } from '../cluster-access/index.ts';
import { listKnown } from './facts.ts';

/** What is known about one NodePool, as of now. */
export interface NodePoolFacts {
  readonly pool: NodePool;
  readonly cluster: HostedCluster;
  readonly machines: readonly capiv1beta1.Machine[];
  readonly deployments: readonly capiv1beta1.MachineDeployment[];
  readonly sets: readonly capiv1beta1.MachineSet[];
}

export async function nodePoolFacts(
  client: Client,
  key: { readonly namespace: string; readonly name: string },
): Promise<NodePoolFacts> {
  const pool = await getNodePool(client, key);
  const cluster = await getHostedCluster(client, { namespace: key.namespace, name: pool.spec.clusterName });
  const namespace = controlPlaneNamespaceOf(cluster);
  const [machines, deployments, sets] = await Promise.all([
    listKnown(client, capiv1beta1.machines, namespace),
    listKnown(client, capiv1beta1.machinedeployments, namespace),
    listKnown(client, capiv1beta1.machinesets, namespace),
  ]);
  return { pool, cluster, machines, deployments, sets };
}
