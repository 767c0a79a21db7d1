import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { apiServiceAddress, type Clock, systemClock } from '@hypershift-ts/kube-apimachinery';
import { ApiServer, type ApiServerOptions, auditFile, type UserInfo } from '@hypershift-ts/kube-apiserver';
import { type Client, formatKubeconfig } from '@hypershift-ts/kube-client';
import { type Logger, silentLogger } from '@hypershift-ts/kube-controller';
import { kubeconfigFor } from '@hypershift-ts/kube-pki';
import { createMemoryStore, openSqliteStore, type Store, startCompaction } from '@hypershift-ts/kube-store';
import { ClusterNames } from '@hypershift-ts/kube-kubelet';
import { type Running, startControllers } from './controllers.ts';
import { type ClusterIdentity, ensureIdentity } from './identity.ts';
import { type EmbeddedNode, startNodes } from './nodes.ts';
import { claimServiceRange } from './service-range.ts';
import { startServices } from './services.ts';

export interface EmbeddedClusterOptions {
  /** Where state and keys live. Absent: in memory, gone with the process. */
  readonly dataDir?: string;
  readonly name?: string;
  readonly bindAddress?: string;
  /** 0 or absent: a free port. */
  readonly securePort?: number;
  /** Another store than memory or a file in the data directory. */
  readonly store?: Store;
  /** False: the API server alone, nothing reconciles. */
  readonly controllers?: boolean;
  /** One node when absent; none with an empty list. */
  readonly nodes?: readonly EmbeddedNode[];
  /** One JSON line a request goes to this file. */
  readonly auditLogPath?: string;
  readonly apiServer?: Partial<Omit<ApiServerOptions, 'store' | 'serving'>>;
  readonly clock?: Clock;
  readonly logger?: Logger;
  /** A line about something that went wrong inside the API server. */
  readonly log?: (message: string, error?: unknown) => void;
}

/** A Kubernetes cluster inside this process. */
export class EmbeddedCluster {
  readonly apiServer: ApiServer;
  readonly identity: ClusterIdentity;
  readonly server: string;
  private readonly name: string;
  /** What was started, in order; stopped the other way round. */
  private readonly parts: readonly Running[];

  private constructor(
    apiServer: ApiServer,
    identity: ClusterIdentity,
    server: string,
    name: string,
    parts: readonly Running[],
  ) {
    this.apiServer = apiServer;
    this.identity = identity;
    this.server = server;
    this.name = name;
    this.parts = parts;
  }

  static async start(options: EmbeddedClusterOptions = {}): Promise<EmbeddedCluster> {
    const { dataDir, name = 'embedded', clock = systemClock, logger = silentLogger } = options;
    const parts: Running[] = [];
    try {
      if (dataDir) await mkdir(dataDir, { recursive: true, mode: 0o700 });
      const range = options.apiServer?.serviceCidr ? undefined : await claimServiceRange(dataDir);
      if (range) parts.push({ stop: () => range.release() });
      const serviceCidr = options.apiServer?.serviceCidr ?? range?.cidr ?? '';
      const identity = await identityOf(options, apiServiceAddress(serviceCidr), clock);
      const store = options.store ?? (await openStore(dataDir, clock));
      parts.push({ stop: () => store.close() });
      const { apiServer, address, port } = await startApiServer(options, identity, store, serviceCidr, clock, parts);
      const server = `https://${address === '0.0.0.0' ? '127.0.0.1' : address}:${port}`;
      if (options.controllers !== false) await startWorkers(options, apiServer, identity, { clock, logger }, parts);
      return new EmbeddedCluster(apiServer, identity, server, name, parts);
    } catch (error) {
      await stopAll(parts);
      throw error;
    }
  }

  /** An in-process client; cluster admin unless another identity is given. */
  client(user?: UserInfo, userAgent?: string): Client {
    return this.apiServer.client(user, userAgent);
  }

  /** A kubeconfig for the cluster's administrator. Contains a private key. */
  adminKubeconfig(): string {
    const { admin, authority } = this.identity;
    const document = kubeconfigFor({
      server: this.server,
      certificateAuthority: authority.certificatePem,
      credentials: { certificatePem: admin.certificatePem, keyPem: admin.keyPem },
      clusterName: this.name,
      userName: 'kubernetes-admin',
      contextName: this.name,
    });
    return formatKubeconfig(document);
  }

  stop(): Promise<void> {
    return stopAll(this.parts);
  }
}

async function stopAll(parts: readonly Running[]): Promise<void> {
  for (const part of parts.toReversed()) await part.stop();
}

function identityOf(
  { dataDir, bindAddress = '127.0.0.1' }: EmbeddedClusterOptions,
  serviceAddress: string,
  clock: Clock,
): Promise<ClusterIdentity> {
  const service = [
    'kubernetes',
    'kubernetes.default',
    'kubernetes.default.svc',
    'kubernetes.default.svc.cluster.local',
  ];
  const addresses = new Set([bindAddress, '127.0.0.1', serviceAddress]);
  addresses.delete('0.0.0.0');
  return ensureIdentity({
    ...(dataDir ? { directory: join(dataDir, 'pki') } : {}),
    now: clock.now(),
    dnsNames: ['localhost', ...service],
    ipAddresses: [...addresses],
  });
}

async function startApiServer(
  options: EmbeddedClusterOptions,
  identity: ClusterIdentity,
  store: Store,
  serviceCidr: string,
  clock: Clock,
  parts: Running[],
): Promise<{ readonly apiServer: ApiServer; readonly address: string; readonly port: number }> {
  const { authority, serving, frontProxyAuthority, kubeletClient, serviceAccountKey } = identity;
  const audit = options.auditLogPath ? auditFile(options.auditLogPath) : undefined;
  if (audit) parts.push({ stop: () => audit.close() });
  const apiServer = new ApiServer({
    store,
    clock,
    serving: {
      bindAddress: options.bindAddress ?? '127.0.0.1',
      port: options.securePort ?? 0,
      certificate: serving.certificatePem,
      key: serving.keyPem,
    },
    clientCa: authority.certificatePem,
    frontProxy: { ca: frontProxyAuthority.certificatePem, allowedNames: ['front-proxy-client'] },
    serviceAccounts: { issuers: ['https://kubernetes.default.svc.cluster.local'], signingKey: serviceAccountKey },
    kubeletClient: {
      certificate: kubeletClient.certificatePem,
      key: kubeletClient.keyPem,
      ca: authority.certificatePem,
    },
    serviceCidr,
    ...(audit ? { audit: audit.sink } : {}),
    ...(options.log ? { log: options.log } : {}),
    ...options.apiServer,
  });
  const { address, port } = await apiServer.start();
  parts.push({ stop: () => apiServer.stop() });
  const stopCompaction = startCompaction(store, { clock });
  parts.push({ stop: async () => stopCompaction() });
  return { apiServer, address, port };
}

/** Controllers, scheduler, nodes and the service proxy. */
async function startWorkers(
  options: EmbeddedClusterOptions,
  apiServer: ApiServer,
  identity: ClusterIdentity,
  common: { readonly clock: Clock; readonly logger: Logger },
  parts: Running[],
): Promise<void> {
  const directory = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'hypershift-kube-')));
  if (!options.dataDir) parts.push({ stop: () => rm(directory, { recursive: true, force: true, maxRetries: 10 }) });
  const controllers = await startControllers(apiServer, identity, {
    ...common,
    volumesDir: join(directory, 'volumes'),
  });
  parts.push(controllers);
  const nodes = options.nodes ?? [{ name: 'node-1' }];
  if (nodes.length === 0) return;
  const { cache } = controllers;
  parts.push(await startServices(apiServer, { ...common, cache }));
  const names = new ClusterNames(cache, true);
  parts.push(
    await startNodes(apiServer, identity, { ...common, names, cache, nodes, dataDir: join(directory, 'nodes') }),
  );
}

async function openStore(dataDir: string | undefined, clock: Clock): Promise<Store> {
  return dataDir ? openSqliteStore({ file: join(dataDir, 'state.db'), clock }) : createMemoryStore({ clock });
}
