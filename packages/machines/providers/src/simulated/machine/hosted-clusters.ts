import { createHash } from 'node:crypto';
import { certificatesv1, type Clock, corev1 } from '@hypershift-ts/kube-apimachinery';
import { type Client, type ClusterConfig, HttpClient, InformerCache } from '@hypershift-ts/kube-client';
import { type PodFeed, SharedCsrs, SharedPods } from '@hypershift-ts/kube-kubelet';
import { RenewedClient } from './late-client.ts';
import type { Resolve } from './names.ts';

/** How machines reach the clusters they join. */
export interface ClusterConnections {
  /** A client with these credentials. The config is asked for often, and is the same object until something in it changes. */
  connect(config: () => Promise<ClusterConfig>, userAgent: string): Client;
  /**
   * A client that may read everything, for clusters whose API server lives in this process: then all machines of a
   * cluster share one set of informers. Fails when that cannot be told now. Undefined: each machine watches what concerns it, with its own rights.
   */
  reader?(config: ClusterConfig): Promise<Client | undefined>;
}

/** HTTPS for everything, as real machines do it. */
export function httpsConnections(clock: Clock, resolve?: Resolve): ClusterConnections {
  return {
    connect: (config, userAgent) =>
      new RenewedClient(config, (current) => {
        return new HttpClient(resolve ? reachable(current, resolve) : current, { clock, userAgent });
      }),
  };
}

/** The same cluster by an address this host knows, still checked by the name it is called. */
export function reachable(config: ClusterConfig, resolve: Resolve): ClusterConfig {
  const url = new URL(config.server);
  const { host, port } = resolve({ host: url.hostname, port: Number(url.port || 443) });
  if (host === url.hostname) return config;
  const tlsServerName = config.tlsServerName ?? url.hostname;
  url.hostname = host;
  url.port = String(port);
  return { ...config, server: url.href.replace(/\/$/, ''), tlsServerName };
}

/** What the machines of one hosted cluster share. */
export interface HostedCluster {
  /** With the identity of the bootstrap kubeconfig; not to be closed by those who share it. */
  readonly bootstrap: Client;
  readonly csrs: SharedCsrs;
  /** Present when one informer serves every machine. */
  readonly shared: { readonly cache: InformerCache; pods(nodeName: string): PodFeed } | undefined;
  /** Gives the share back; the last one ends the watches. */
  leave(): Promise<void>;
}

interface Entry {
  readonly opened: Promise<Omit<HostedCluster, 'leave'>>;
  readonly close: () => Promise<void>;
  members: number;
}

/** The hosted clusters that machines of this process belong to. */
export class HostedClusters {
  readonly connections: ClusterConnections;
  private readonly clock: Clock;
  private readonly entries = new Map<string, Entry>();

  constructor(connections: ClusterConnections, clock: Clock) {
    this.connections = connections;
    this.clock = clock;
  }

  /** Joins the cluster that a bootstrap kubeconfig leads to. */
  async join(config: ClusterConfig): Promise<HostedCluster> {
    // Bootstrap credentials are renewed; machines that boot with others share no clients with the earlier ones.
    const key = createHash('sha256').update(JSON.stringify(config)).digest('base64');
    const entry = this.entries.get(key) ?? this.open(config);
    this.entries.set(key, entry);
    entry.members++;
    let hasLeft = false;
    const leave = async () => {
      if (hasLeft) return;
      hasLeft = true;
      if (--entry.members > 0) return;
      if (this.entries.get(key) === entry) this.entries.delete(key);
      await entry.close();
    };
    try {
      return { ...(await entry.opened), leave };
    } catch (error) {
      await leave();
      throw error;
    }
  }

  private open(config: ClusterConfig): Entry {
    const endings: (() => unknown)[] = [];
    const open = async () => {
      const reader = await this.connections.reader?.(config);
      const bootstrap = this.connections.connect(async () => config, 'kubelet-bootstrap');
      // Bootstrap credentials may watch requests: one watch for all machines, whoever filed them.
      const cache = new InformerCache({ client: reader ?? bootstrap, clock: this.clock });
      cache.start();
      endings.push(
        () => bootstrap.close(),
        () => cache.stop(),
      );
      const csrs = new SharedCsrs(cache.informer(certificatesv1.certificatesigningrequests));
      endings.push(() => csrs.stop());
      if (!reader) return { bootstrap, csrs, shared: undefined };
      const pods = new SharedPods(cache.informer(corev1.pods));
      endings.push(() => pods.stop());
      return { bootstrap, csrs, shared: { cache, pods: (nodeName: string) => pods.of(nodeName) } };
    };
    const opened = open();
    opened.catch(() => {});
    return {
      opened,
      members: 0,
      async close() {
        await opened.catch(() => {});
        for (const end of endings.reverse()) await end();
      },
    };
  }
}
