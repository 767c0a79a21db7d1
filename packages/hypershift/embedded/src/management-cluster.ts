import { createReleaseProvider, type ReleaseProvider } from '@hypershift-ts/hypershift-release';
import { EmbeddedCluster, type EmbeddedClusterOptions } from '@hypershift-ts/kube-embedded';
import { fingerprint } from '@hypershift-ts/kube-pki';
import { ProcessDirectory } from '@hypershift-ts/kube-programs';
import { productPrograms } from './programs/registry.ts';

export interface ManagementClusterOptions extends Omit<EmbeddedClusterOptions, 'nodes'> {
  /** Where releases come from; by default the embedded catalogue, and registries for everything else. */
  readonly releases?: ReleaseProvider;
  /** Programs the host runs instead of this process, such as a real `etcd`. */
  readonly without?: readonly string[];
}

/** A Kubernetes cluster in this process whose node runs HyperShift and the control planes it makes. */
export class ManagementCluster {
  readonly cluster: EmbeddedCluster;
  readonly directory: ProcessDirectory;
  readonly releases: ReleaseProvider;
  private readonly closing: AbortController;

  private constructor(
    cluster: EmbeddedCluster,
    directory: ProcessDirectory,
    releases: ReleaseProvider,
    closing: AbortController,
  ) {
    this.cluster = cluster;
    this.directory = directory;
    this.releases = releases;
    this.closing = closing;
  }

  static async start(options: ManagementClusterOptions = {}): Promise<ManagementCluster> {
    const { releases = createReleaseProvider(), without, ...rest } = options;
    const directory = new ProcessDirectory();
    const builtin = productPrograms({ directory, releases, ...(without ? { without } : {}) });
    const cluster = await EmbeddedCluster.start({ ...rest, nodes: [{ name: 'node-1', runtimes: { builtin } }] });
    const closing = new AbortController();
    // Operators in pods prove their way to the API server like anybody, and then call it without a socket.
    directory.addApiServer({
      server: cluster.apiServer,
      fingerprint: fingerprint(cluster.identity.serving.certificate.der),
      clientCa: cluster.identity.authority.certificatePem,
      closed: closing.signal,
    });
    return new ManagementCluster(cluster, directory, releases, closing);
  }

  async stop(): Promise<void> {
    await this.cluster.stop();
    this.closing.abort();
    await this.releases.close();
  }
}
