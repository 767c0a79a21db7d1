import type { Clock } from '@hypershift-ts/kube-apimachinery';
import type { Client, ClusterConfig } from '@hypershift-ts/kube-client';
import type { Logger } from '@hypershift-ts/kube-controller';
import { type CertificatePair, KeptCertificate, orderCertificate } from '@hypershift-ts/kube-kubelet';
import type { Console } from './console.ts';
import type { HostedCluster, HostedClusters } from './hosted-clusters.ts';
import type { MachineRoot } from './machine-root.ts';
import type { Network } from './network.ts';

export interface CredentialOptions {
  readonly nodeName: string;
  readonly address: string;
  readonly root: MachineRoot;
  readonly network: Network;
  readonly clusters: HostedClusters;
  readonly console: Console;
  readonly clock: Clock;
  readonly log: Logger;
  readonly random: () => number;
  /** Nothing can be on the disk yet. */
  readonly isNew: boolean;
}

const clientFile = '/var/lib/kubelet/pki/kubelet-client-current.pem';
const servingFile = '/var/lib/kubelet/pki/kubelet-server-current.pem';

/** Who a machine is in its cluster: certificates ordered by CSR, kept on its disk, renewed in time. */
export class NodeCredentials {
  readonly cluster: HostedCluster;
  /** With the node's own identity. */
  readonly client: Client;
  private readonly options: CredentialOptions;
  private readonly bootstrap: ClusterConfig;
  private readonly identity: KeptCertificate;
  private readonly serving: KeptCertificate;
  private known: { readonly pair: CertificatePair; readonly config: ClusterConfig } | undefined;

  private constructor(options: CredentialOptions, cluster: HostedCluster, bootstrap: ClusterConfig) {
    this.options = options;
    this.cluster = cluster;
    this.bootstrap = bootstrap;
    this.identity = this.kept(clientFile, 'kubernetes.io/kube-apiserver-client-kubelet');
    this.serving = this.kept(servingFile, 'kubernetes.io/kubelet-serving');
    const { clusters, network, nodeName } = options;
    this.client = network.client(clusters.connections.connect(async () => this.config(), `kubelet/${nodeName}`));
  }

  /** Joins the cluster of a bootstrap kubeconfig; resolves when the machine may call itself a node. */
  static async obtain(
    options: CredentialOptions,
    bootstrap: ClusterConfig,
    signal: AbortSignal,
  ): Promise<NodeCredentials> {
    const credentials = new NodeCredentials(options, await options.clusters.join(bootstrap), bootstrap);
    signal.addEventListener('abort', () => credentials.stop(), { once: true });
    if (options.isNew || !(await credentials.identity.load())) await credentials.identity.obtain();
    if (signal.aborted) {
      await credentials.close();
      signal.throwIfAborted();
    }
    return credentials;
  }

  get servingPair(): CertificatePair | undefined {
    return this.options.network.isConnected ? this.serving.pair : undefined;
  }

  /** Gets the certificate for logs and exec; may take as long as somebody takes to approve it. */
  async obtainServing(): Promise<void> {
    if (this.options.isNew || !(await this.serving.load())) await this.serving.obtain();
  }

  stop(): void {
    this.identity.stop();
    this.serving.stop();
  }

  async close(): Promise<void> {
    this.stop();
    await this.client.close();
    await this.cluster.leave();
  }

  /** The same object until the certificate is renewed. */
  private config(): ClusterConfig {
    const { server, certificateAuthority, tlsServerName } = this.bootstrap;
    const { pair } = this.identity;
    if (!pair) throw new Error('the machine has no identity yet');
    if (this.known?.pair === pair) return this.known.config;
    const config = Object.freeze({
      server,
      ...(certificateAuthority ? { certificateAuthority } : {}),
      ...(tlsServerName ? { tlsServerName } : {}),
      clientCertificate: { certificate: { pem: pair.certificate }, key: { pem: pair.key } },
    });
    this.known = { pair, config };
    return config;
  }

  private kept(file: string, signerName: Parameters<typeof orderCertificate>[0]['signerName']): KeptCertificate {
    const { root, clock, log, console, nodeName, address, random } = this.options;
    const isServing = signerName === 'kubernetes.io/kubelet-serving';
    return new KeptCertificate({
      store: { read: () => root.read(file), write: (pem) => root.write(file, pem) },
      clock,
      log,
      random,
      order: (signal) =>
        orderCertificate({
          // A node renews in its own name; only its first certificate is asked for by the bootstrapper.
          client: isServing || this.identity.pair ? this.client : this.bootstrapClient(),
          signerName,
          nodeName,
          ...(isServing ? { dnsNames: [nodeName], ipAddresses: [address] } : {}),
          clock,
          signal,
          // Bootstrap credentials end; a node that renews looks with its own, unless everything is shared anyway.
          ...(this.cluster.shared || !this.identity.pair ? { feed: this.cluster.csrs } : {}),
          filed: (name) => console.print(`kubelet: waiting for ${name} (${signerName}) to be approved`),
        }),
      changed: () => console.print(`kubelet: has its certificate from ${signerName}`),
      failed: (error, retryMs) =>
        console.print(
          `kubelet: no certificate from ${signerName}: ${(error as Error).message}; again in ${retryMs} ms`,
        ),
    });
  }

  private bootstrapClient(): Client {
    return this.options.network.client(this.cluster.bootstrap);
  }
}
