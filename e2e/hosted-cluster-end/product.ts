import { ManagementCluster, type ManagementClusterOptions } from '@hypershift-ts/hypershift-embedded';
import type { Client } from '@hypershift-ts/kube-client';
import { createCluster, platformBuilders } from '../../packages/hypershift/cli/src/create-cluster/index.ts';
import { destroyCluster } from '../../packages/hypershift/cli/src/destroy-cluster/destroy.ts';
import { install, installDefaults } from '../../packages/hypershift/cli/src/install/index.ts';
import { waitForCluster } from '../../packages/hypershift/cli/src/progress/index.ts';

export const namespace = 'clusters';

/** A management cluster with HyperShift, wherever it runs. */
export interface Machinery {
  readonly client: Client;
}

/** The whole product in this process, as `hypershift up` starts it. */
export interface Product extends Machinery {
  readonly management: ManagementCluster;
  stop(): Promise<void>;
}

export async function startProduct(options: ManagementClusterOptions = {}): Promise<Product> {
  const management = await ManagementCluster.start(options);
  const client = management.cluster.client(undefined, 'somebody');
  await install({ ...installDefaults, image: 'registry.hypershift-ts.io/hypershift-ts:test' }, { client });
  return { management, client, stop: () => management.stop() };
}

export interface ClusterShape {
  readonly platform: string;
  readonly nodes: number;
}

/** `hypershift create cluster <platform>`. */
export async function create(
  { client }: Machinery,
  name: string,
  shape: ClusterShape,
  flags: object = {},
): Promise<void> {
  await createCluster({
    platform: platformBuilders.find(({ command }) => command === shape.platform)!,
    flags: { name, namespace, nodePoolReplicas: shape.nodes > 0 ? shape.nodes : -1, ...flags },
    client,
    isEmbedded: true,
  });
}

/** Until `--wait` would be content. */
export async function created(product: Machinery, name: string, { nodes }: ClusterShape): Promise<void> {
  const goal = nodes > 0 ? 'rolled-out' : 'available';
  await waitForCluster({ client: product.client, namespace, name, goal, timeoutMs: 240_000 });
}

/** `hypershift destroy cluster`. */
export async function destroy({ client }: Machinery, name: string): Promise<void> {
  await destroyCluster({ client, namespace, name, graceMs: 240_000 });
}
