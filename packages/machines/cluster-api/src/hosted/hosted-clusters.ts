import type { Clock } from '@hypershift-ts/kube-apimachinery';
import { corev1, keyOf } from '@hypershift-ts/kube-apimachinery';
import { type Client, Informer } from '@hypershift-ts/kube-client';
import type { Logger } from '@hypershift-ts/kube-controller';
import type { Cluster } from '../generated/capiv1beta1.ts';
import { nodeChangeMatters } from './node-change.ts';

type Node = corev1.Node;

/** How the caller reaches the cluster whose nodes the Machines become; undefined while that is not possible. */
export type HostedClient = (cluster: Cluster) => Client | undefined | Promise<Client | undefined>;

export interface HostedCluster {
  readonly client: Client;
  readonly nodes: Informer<Node>;
}

export interface HostedClustersOptions {
  readonly hostedClient: HostedClient;
  readonly clock: Clock;
  readonly log: Logger;
}

/** `change` tells whether the node came, is another one than before, or went. */
type NodeListener = (clusterKey: string, node: Node, change: 'added' | 'updated' | 'deleted') => void;

const providerIndex = 'provider-id';

/** The Node of a provider ID; undefined without one, or while two nodes claim it. */
export function nodeOf({ nodes }: HostedCluster, providerID: string): Node | undefined {
  const found = providerID === '' ? [] : nodes.byIndex(providerIndex, providerID);
  return found.length === 1 ? found[0] : undefined;
}

/** One watch on the nodes of each hosted cluster, begun when it is first asked for and ended with the cluster. */
export class HostedClusters {
  private readonly options: HostedClustersOptions;
  private readonly connected = new Map<string, { readonly uid: string; readonly hosted: HostedCluster }>();
  private readonly listeners = new Set<NodeListener>();

  constructor(options: HostedClustersOptions) {
    this.options = options;
  }

  /** Told of every node that came, went or changed in a way a Machine shows. */
  onNode(listener: NodeListener): () => void {
    this.listeners.add(listener);
    return () => {
      this.listeners.delete(listener);
    };
  }

  /** The cluster with its nodes known, or undefined while it cannot be reached. */
  async reach(cluster: Cluster, signal: AbortSignal): Promise<HostedCluster | undefined> {
    const hosted = await this.connect(cluster);
    if (!hosted) return undefined;
    return hosted.nodes.hasSynced() || (await this.synced(hosted.nodes, signal)) ? hosted : undefined;
  }

  async disconnect(clusterKey: string): Promise<void> {
    const known = this.connected.get(clusterKey);
    this.connected.delete(clusterKey);
    await known?.hosted.nodes.stop();
  }

  async stop(): Promise<void> {
    this.listeners.clear();
    await Promise.all([...this.connected.keys()].map((key) => this.disconnect(key)));
  }

  private async connect(cluster: Cluster): Promise<HostedCluster | undefined> {
    const key = keyOf(cluster);
    const uid = cluster.metadata.uid ?? '';
    const known = this.connected.get(key);
    if (known?.uid === uid) return known.hosted;
    if (known) await this.disconnect(key);
    const { clock, log } = this.options;
    const client = await this.clientOf(cluster, key);
    if (!client) return undefined;
    // Asked for twice while the client was being made.
    const meanwhile = this.connected.get(key);
    if (meanwhile) return meanwhile.hosted;
    const nodes = new Informer<Node>({
      client,
      type: corev1.nodes,
      clock,
      onError: (error) => log.debug({ err: error, cluster: key }, 'the watch on hosted nodes will be retried'),
    });
    nodes.addIndex(providerIndex, ({ spec }) => (spec?.providerID ? [spec.providerID] : []));
    const tell = (node: Node, change: 'added' | 'updated' | 'deleted') => {
      for (const listener of this.listeners) listener(key, node, change);
    };
    nodes.addHandler({
      added: (node) => tell(node, 'added'),
      deleted: (node) => tell(node, 'deleted'),
      updated: (before, next) => {
        if (nodeChangeMatters(before, next)) tell(next, 'updated');
      },
    });
    nodes.start();
    const hosted = { client, nodes };
    this.connected.set(key, { uid, hosted });
    return hosted;
  }

  /** Credentials that are missing or unreadable are a reason to look again later, not a failure of the Machine. */
  private async clientOf(cluster: Cluster, key: string): Promise<Client | undefined> {
    try {
      return await this.options.hostedClient(cluster);
    } catch (error) {
      this.options.log.warn({ err: error, cluster: key }, 'the hosted cluster cannot be reached yet');
      return undefined;
    }
  }

  /** A cluster that does not answer must not hold a worker: whoever asked looks again later. */
  private async synced(nodes: Informer<Node>, signal: AbortSignal): Promise<boolean> {
    const limit = new AbortController();
    const stop = () => limit.abort();
    signal.addEventListener('abort', stop, { once: true });
    const cancel = this.options.clock.after(5_000, stop);
    try {
      return await nodes.whenSynced(limit.signal);
    } finally {
      cancel();
      signal.removeEventListener('abort', stop);
    }
  }
}
