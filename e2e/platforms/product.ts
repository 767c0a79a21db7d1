/** The whole product in this process, with every platform, for clusters of several of them. */
import { type HostedCluster, healthyHostedClusterConditions, hostedClusters } from '@hypershift-ts/hypershift-api';
import { ManagementCluster } from '@hypershift-ts/hypershift-embedded';
import { findCondition } from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';
import { createCluster, platformBuilders } from '../../packages/hypershift/cli/src/create-cluster/index.ts';
import { kubeconfigText } from '../../packages/hypershift/cli/src/create-kubeconfig/index.ts';
import { destroyCluster } from '../../packages/hypershift/cli/src/destroy-cluster/destroy.ts';
import { install, installDefaults } from '../../packages/hypershift/cli/src/install/index.ts';
import { waitForCluster } from '../../packages/hypershift/cli/src/progress/index.ts';

export const namespace = 'clusters';
const waitMs = 240_000;

export interface Wanted {
  readonly name: string;
  /** Word after `create cluster`. */
  readonly platform: string;
  readonly nodes: number;
  /** Flags in camel case. */
  readonly flags?: { readonly [flag: string]: unknown };
}

export class Product {
  readonly management: ManagementCluster;
  readonly client: Client;

  private constructor(management: ManagementCluster) {
    this.management = management;
    this.client = management.cluster.client(undefined, 'somebody');
  }

  static async start(): Promise<Product> {
    const management = await ManagementCluster.start();
    const client = management.cluster.client(undefined, 'hypershift-install');
    const image = 'registry.hypershift-ts.io/hypershift-ts:test';
    await install({ ...installDefaults, image, featureSet: 'TechPreviewNoUpgrade' }, { client });
    return new Product(management);
  }

  stop(): Promise<void> {
    return this.management.stop();
  }

  /** `hypershift create cluster <platform> --node-pool-replicas <n> --wait`. */
  async create({ name, platform, nodes, flags = {} }: Wanted): Promise<void> {
    const builder = platformBuilders.find(({ command }) => command === platform)!;
    await createCluster({
      platform: builder,
      flags: { ...flags, name, namespace, nodePoolReplicas: nodes },
      client: this.client,
      isEmbedded: true,
    });
    const goal = nodes > 0 ? 'rolled-out' : 'available';
    await waitForCluster({ client: this.client, namespace, name, goal, timeoutMs: waitMs });
  }

  /** `hypershift destroy cluster`. */
  async destroy(name: string): Promise<void> {
    await destroyCluster({ client: this.client, namespace, name, graceMs: waitMs });
  }

  cluster(name: string): Promise<HostedCluster> {
    return this.client.get(hostedClusters, { namespace, name });
  }

  /** Conditions that are not as a healthy cluster of this platform has them, as `Type=Status: message`. */
  async unhealthy(name: string): Promise<readonly string[]> {
    const cluster = await this.cluster(name);
    return [...healthyHostedClusterConditions(cluster)].flatMap(([type, wanted]) => {
      const found = findCondition(cluster.status?.conditions, type);
      return found?.status === wanted ? [] : [`${type}=${found?.status}: ${found?.message}`];
    });
  }

  /** `hypershift create kubeconfig`. */
  kubeconfig(name: string): Promise<string> {
    return kubeconfigText(this.client, { namespace, name });
  }
}
