import { type HostedCluster, hostedClusters } from '@hypershift-ts/hypershift-api';
import { ManagementCluster, type ManagementClusterOptions } from '@hypershift-ts/hypershift-embedded';
import { isConditionTrue } from '@hypershift-ts/kube-apimachinery';
import { type Client, Informer } from '@hypershift-ts/kube-client';
import { createCluster, platformBuilders } from '../../packages/hypershift/cli/src/create-cluster/index.ts';
import { install, installDefaults, operatorAvailable } from '../../packages/hypershift/cli/src/install/index.ts';

export const namespace = 'clusters';

/** The product in this process: management cluster in memory, operators as its pods, hosted clusters as theirs. */
export class World {
  readonly management: ManagementCluster;
  readonly client: Client;
  private readonly clusters: Informer<HostedCluster>;

  private constructor(management: ManagementCluster) {
    this.management = management;
    this.client = management.cluster.client(undefined, 'bench');
    this.clusters = new Informer({ client: this.client, type: hostedClusters });
    this.clusters.start();
  }

  static async start(options: ManagementClusterOptions = {}): Promise<World> {
    const management = await ManagementCluster.start(options);
    const client = management.cluster.client(undefined, 'hypershift-install');
    await install({ ...installDefaults, image: 'registry.hypershift-ts.io/hypershift-ts:bench' }, { client });
    await operatorAvailable(client, 'hypershift', 60_000);
    return new World(management);
  }

  /** What `hypershift create cluster` creates; answers when the HostedCluster is there. */
  async create(name: string, flags: { readonly [flag: string]: unknown } = {}, platform = 'none'): Promise<void> {
    await createCluster({
      platform: platformBuilders.find(({ command }) => command === platform)!,
      flags: { name, namespace, ...flags },
      client: this.client,
      isEmbedded: true,
    });
  }

  /** Until the HostedCluster is Available; without polling, because that would be measured too. */
  available(name: string): Promise<void> {
    return new Promise((resolve) => {
      const look = (cluster: HostedCluster): void => {
        if (cluster.metadata.name !== name || !isConditionTrue(cluster.status?.conditions, 'Available')) return;
        resolve();
        forget();
      };
      const forget = this.clusters.addHandler({ added: look, updated: (_previous, next) => look(next) });
    });
  }

  /** Seconds from the request for a cluster until it is Available. */
  async secondsToAvailable(name: string): Promise<number> {
    const began = performance.now();
    const available = this.available(name);
    await this.create(name);
    await available;
    return (performance.now() - began) / 1000;
  }

  /** The management cluster's store counts its writes. */
  async revision(): Promise<number> {
    const { metadata } = await this.client.list(hostedClusters, { namespace });
    return Number(metadata.resourceVersion);
  }

  async stop(): Promise<void> {
    await this.clusters.stop();
    await this.management.stop();
  }
}
