import type { Clock } from '@hypershift-ts/kube-apimachinery';
import { type Client, type ClusterConfig, clusterConfigFrom, parseKubeconfig } from '@hypershift-ts/kube-client';
import type { Logger } from '@hypershift-ts/kube-controller';
import { type CertificatePair, KeptCertificate, orderCertificate } from '@hypershift-ts/kube-kubelet';
import type { Console } from './console.ts';
import type { HostedCluster, HostedClusters } from './hosted-clusters.ts';
import { BootError } from './machine-error.ts';
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
  static async obtain(options: CredentialOptions, kubeconfig: string, signal: AbortSignal): Promise<NodeCredentials> {
    const text = await options.root.read(kubeconfig);
    if (text === undefined)
      throw new BootError(`${kubeconfig} is not on the disk: the machine cannot find its cluster`);
    const bootstrap = clusterConfigFrom(parseKubeconfig(text, kubeconfig, '/'));
    const credentials = new NodeCredentials(options, await options.clusters.join(bootstrap), bootstrap);
    signal.addEventListener('abort', () => credentials.stop(), { once: true });
    if (!(await credentials.identity.load())) await credentials.identity.obtain();
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
    if (!(await this.serving.load())) await this.serving.obtain();
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

  private config(): ClusterConfig {
    const { server, certificateAuthority, tlsServerName } = this.bootstrap;
    const file = { file: this.options.root.path(clientFile) };
    return {
      server,
      ...(certificateAuthority ? { certificateAuthority } : {}),
      ...(tlsServerName ? { tlsServerName } : {}),
      // Read again from the disk when they are renewed there.
      clientCertificate: { certificate: file, key: file },
    };
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
          feed: this.cluster.csrs,
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
