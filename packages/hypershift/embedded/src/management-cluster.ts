import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createReleaseProvider, type ReleaseProvider } from '@hypershift-ts/hypershift-release';
import { EmbeddedCluster, type EmbeddedClusterOptions, type EmbeddedNode } from '@hypershift-ts/kube-embedded';
import type { ProcessImage, RuntimeOptions } from '@hypershift-ts/kube-kubelet';
import { storagev1, systemClock } from '@hypershift-ts/kube-apimachinery';
import { createOrUpdate, silentLogger } from '@hypershift-ts/kube-controller';
import { fingerprint, KeyPool } from '@hypershift-ts/kube-pki';
import { ProcessDirectory } from '@hypershift-ts/kube-programs';
import { processConnections, SimulatedCloud } from '@hypershift-ts/machines-providers';
import { followRoutes } from './router/follow-routes.ts';
import { type SharedRouter, startSharedRouter } from './router/shared-router.ts';
import { embeddedOperatingSystem } from './machine-programs/operating-system.ts';
import { machineRuntimes } from './machine-programs/registry.ts';
import { type ProgramsRun, programProcesses } from './processes/program-words.ts';
import { type RealPrograms, realRuntime } from './processes/real-programs.ts';
import { routesFile } from './processes/routes-file.ts';
import { konnectivityPrograms } from './programs/konnectivity.ts';
import { productPrograms } from './programs/registry.ts';

export interface ManagementClusterOptions extends Omit<EmbeddedClusterOptions, 'nodes'> {
  /** Where releases come from; by default the embedded catalogue, and registries for everything else. */
  readonly releases?: ReleaseProvider;
  /** The one port for the Routes of all hosted clusters; 0 or absent: a free one. */
  readonly routerPort?: number;
  /** Programs of Kubernetes that hosted control planes run instead of ours. */
  readonly real?: RealPrograms;
  /** Programs of ours that run as processes, and how this product is called; by default all run in this process. */
  readonly processes?: { readonly run: ProgramsRun; readonly product: readonly string[] };
  /** Images whose containers are programs of this machine. */
  readonly images?: readonly ProcessImage[];
}

/** Highly available control planes spread over zones, so there are three even though all are this machine. */
const zones = ['a', 'b', 'c'];

/**
 * What containers request is sized for programs of their own. Here most are functions of this process, so nodes offer
 * more than the machine has: what it bears is seen from the process, not from a sum of requests.
 */
const capacity = { cpu: '2000', memory: '8Ti', pods: '50000' };

/** Volumes are directories of this machine. */
const defaultStorage = {
  metadata: { name: 'local', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
  provisioner: 'hypershift-ts.io/local',
};

function nodesOf(runtimes: RuntimeOptions): readonly EmbeddedNode[] {
  return zones.map((zone, index) => ({
    name: `node-${index + 1}`,
    labels: { 'topology.kubernetes.io/zone': `zone-${zone}`, 'topology.kubernetes.io/region': 'local' },
    capacity,
    runtimes,
  }));
}

/** A Kubernetes cluster in this process whose node runs HyperShift and the control planes it makes. */
export class ManagementCluster {
  readonly cluster: EmbeddedCluster;
  readonly directory: ProcessDirectory;
  readonly releases: ReleaseProvider;
  /** Its machines run here too. */
  readonly cloud: SimulatedCloud;
  /** Where Routes are reached. */
  readonly router: SharedRouter;
  private readonly giveBack: () => Promise<void>;

  private constructor(
    parts: Pick<ManagementCluster, 'cluster' | 'directory' | 'releases' | 'cloud' | 'router'>,
    giveBack: () => Promise<void>,
  ) {
    this.cluster = parts.cluster;
    this.directory = parts.directory;
    this.releases = parts.releases;
    this.cloud = parts.cloud;
    this.router = parts.router;
    this.giveBack = giveBack;
  }

  static async start(options: ManagementClusterOptions = {}): Promise<ManagementCluster> {
    const { releases = createReleaseProvider(), real = {}, routerPort = 0, processes, images = [], ...rest } = options;
    const { without, images: realImages } = realRuntime(real);
    const directory = new ProcessDirectory();
    const keys = new KeyPool({ size: { 'RSA-2048': 4, 'P-256': 64 } });
    const { dataDir, clock = systemClock, logger = silentLogger } = options;
    const scratch = dataDir ? undefined : await mkdtemp(join(tmpdir(), 'hypershift-cloud-'));
    const place = scratch ?? dataDir ?? '';
    const router = await startSharedRouter({
      address: '127.0.0.1',
      port: routerPort,
      domain: 'apps.management.localhost',
      ...(processes ? { onHosts: routesFile(join(place, 'routes.json')) } : {}),
    });
    const konnectivity = konnectivityPrograms(clock);
    const cloud = new SimulatedCloud({
      dataDir: join(place, 'cloud'),
      keepsConsoles: scratch === undefined,
      connections: processConnections({ directory, clock, resolve: router.resolve }),
      resolve: router.resolve,
      runtimes: machineRuntimes(directory, router.resolve, konnectivity),
      operatingSystem: embeddedOperatingSystem,
      clock,
      logger: logger.child({ part: 'simulated-cloud' }),
    });
    const { resolve } = router;
    const programs = {
      directory,
      releases,
      konnectivity,
      keys: keys.take,
      cloud: () => cloud,
      callsClouds: true,
      resolve,
      without,
    };
    const builtin = productPrograms(programs);
    const runtimes: RuntimeOptions = {
      builtin,
      ...(processes ? { programProcesses: programProcesses(builtin, processes, place) } : {}),
      process: [...images, ...realImages],
    };
    const cluster = await EmbeddedCluster.start({ ...rest, nodes: nodesOf(runtimes) });
    const closing = new AbortController();
    // Operators in pods prove their way to the API server like anybody, and then call it without a socket.
    directory.addApiServer({
      server: cluster.apiServer,
      fingerprints: [fingerprint(cluster.identity.serving.certificate.der)],
      clientCa: cluster.identity.authority.certificatePem,
      closed: closing.signal,
    });
    await createOrUpdate(cluster.client(), storagev1.storageclasses, defaultStorage.metadata, defaultStorage);
    const routes = await followRoutes(cluster, router, { clock, logger });
    return new ManagementCluster({ cluster, directory, releases, cloud, router }, async () => {
      await routes.stop();
      await router.close();
      closing.abort();
      keys.close();
      await cloud.close();
      await releases.close();
      if (scratch) await rm(scratch, { recursive: true, force: true, maxRetries: 10 });
    });
  }

  async stop(): Promise<void> {
    await this.cluster.stop();
    await this.giveBack();
  }
}
