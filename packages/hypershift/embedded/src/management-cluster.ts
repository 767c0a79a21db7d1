import { createReleaseProvider, type ReleaseProvider } from '@hypershift-ts/hypershift-release';
import { EmbeddedCluster, type EmbeddedClusterOptions, type EmbeddedNode } from '@hypershift-ts/kube-embedded';
import type { BuiltinRegistry } from '@hypershift-ts/kube-kubelet';
import { storagev1 } from '@hypershift-ts/kube-apimachinery';
import { createOrUpdate } from '@hypershift-ts/kube-controller';
import { fingerprint, KeyPool } from '@hypershift-ts/kube-pki';
import { ProcessDirectory } from '@hypershift-ts/kube-programs';
import { productPrograms } from './programs/registry.ts';

export interface ManagementClusterOptions extends Omit<EmbeddedClusterOptions, 'nodes'> {
  /** Where releases come from; by default the embedded catalogue, and registries for everything else. */
  readonly releases?: ReleaseProvider;
  /** Programs the host runs instead of this process, such as a real `etcd`. */
  readonly without?: readonly string[];
}

/** Highly available control planes spread over zones, so there are three even though all are this machine. */
const zones = ['a', 'b', 'c'];

/** Volumes are directories of this machine. */
const defaultStorage = {
  metadata: { name: 'local', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
  provisioner: 'hypershift-ts.io/local',
};

function nodesOf(builtin: BuiltinRegistry): readonly EmbeddedNode[] {
  return zones.map((zone, index) => ({
    name: `node-${index + 1}`,
    labels: { 'topology.kubernetes.io/zone': `zone-${zone}`, 'topology.kubernetes.io/region': 'local' },
    runtimes: { builtin },
  }));
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
    const keys = new KeyPool({ size: { 'RSA-2048': 4, 'P-256': 64 } });
    const builtin = productPrograms({ directory, releases, keys: keys.take, ...(without ? { without } : {}) });
    const cluster = await EmbeddedCluster.start({ ...rest, nodes: nodesOf(builtin) });
    const closing = new AbortController();
    // Operators in pods prove their way to the API server like anybody, and then call it without a socket.
    directory.addApiServer({
      server: cluster.apiServer,
      fingerprints: [fingerprint(cluster.identity.serving.certificate.der)],
      clientCa: cluster.identity.authority.certificatePem,
      closed: closing.signal,
    });
    await createOrUpdate(cluster.client(), storagev1.storageclasses, defaultStorage.metadata, defaultStorage);
    return new ManagementCluster(cluster, directory, releases, closing);
  }

  async stop(): Promise<void> {
    await this.cluster.stop();
    this.closing.abort();
    await this.releases.close();
  }
}
