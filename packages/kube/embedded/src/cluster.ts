import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, systemClock } from '@hypershift-ts/kube-apimachinery';
import { ApiServer, type ApiServerOptions, type UserInfo } from '@hypershift-ts/kube-apiserver';
import type { Client } from '@hypershift-ts/kube-client';
import { kubeconfigFor } from '@hypershift-ts/kube-pki';
import { createMemoryStore, openSqliteStore, type Store, startCompaction } from '@hypershift-ts/kube-store';
import { stringify } from 'yaml';
import { type ClusterIdentity, ensureIdentity } from './identity.ts';

export interface EmbeddedClusterOptions {
  /** Where state and keys live. Absent: in memory, gone with the process. */
  readonly dataDir?: string;
  readonly name?: string;
  readonly bindAddress?: string;
  /** 0 or absent: a free port. */
  readonly securePort?: number;
  /** Another store than memory or a file in the data directory. */
  readonly store?: Store;
  /** One JSON line a request goes to this file. */
  readonly auditLogPath?: string;
  readonly apiServer?: Partial<Omit<ApiServerOptions, 'store' | 'serving'>>;
  readonly clock?: Clock;
  readonly log?: (message: string, error?: unknown) => void;
}

/** A Kubernetes cluster inside this process. */
export class EmbeddedCluster {
  readonly apiServer: ApiServer;
  readonly identity: ClusterIdentity;
  readonly server: string;
  private readonly store: Store;
  private readonly stopCompaction: () => void;
  private readonly name: string;

  private constructor(
    apiServer: ApiServer,
    identity: ClusterIdentity,
    server: string,
    store: Store,
    stopCompaction: () => void,
    name: string,
  ) {
    this.apiServer = apiServer;
    this.identity = identity;
    this.server = server;
    this.store = store;
    this.stopCompaction = stopCompaction;
    this.name = name;
  }

  static async start(options: EmbeddedClusterOptions = {}): Promise<EmbeddedCluster> {
    const { dataDir, name = 'embedded', bindAddress = '127.0.0.1', clock = systemClock } = options;
    if (dataDir) await mkdir(dataDir, { recursive: true, mode: 0o700 });
    const identity = await ensureIdentity({
      ...(dataDir ? { directory: join(dataDir, 'pki') } : {}),
      now: clock.now(),
      dnsNames: [
        'localhost',
        'kubernetes',
        'kubernetes.default',
        'kubernetes.default.svc',
        'kubernetes.default.svc.cluster.local',
      ],
      ipAddresses: [...new Set([bindAddress, '127.0.0.1', '10.96.0.1'])].filter((address) => address !== '0.0.0.0'),
    });
    const store = options.store ?? (await openStore(dataDir, clock));
    const apiServer = new ApiServer({
      store,
      clock,
      serving: {
        bindAddress,
        port: options.securePort ?? 0,
        certificate: identity.serving.certificatePem,
        key: identity.serving.keyPem,
      },
      clientCa: identity.authority.certificatePem,
      frontProxy: { ca: identity.frontProxyAuthority.certificatePem, allowedNames: ['front-proxy-client'] },
      serviceAccounts: {
        issuers: ['https://kubernetes.default.svc.cluster.local'],
        signingKey: identity.serviceAccountKey,
      },
      kubeletClient: {
        certificate: identity.kubeletClient.certificatePem,
        key: identity.kubeletClient.keyPem,
        ca: identity.authority.certificatePem,
      },
      ...(options.log ? { log: options.log } : {}),
      ...options.apiServer,
    });
    const { address, port } = await apiServer.start();
    const host = address === '0.0.0.0' ? '127.0.0.1' : address;
    const stopCompaction = startCompaction(store, { clock });
    return new EmbeddedCluster(apiServer, identity, `https://${host}:${port}`, store, stopCompaction, name);
  }

  /** An in-process client; cluster admin unless another identity is given. */
  client(user?: UserInfo, userAgent?: string): Client {
    return this.apiServer.client(user, userAgent);
  }

  /** A kubeconfig for the cluster's administrator. Contains a private key. */
  adminKubeconfig(): string {
    const document = kubeconfigFor({
      server: this.server,
      certificateAuthority: this.identity.authority.certificatePem,
      credentials: { certificatePem: this.identity.admin.certificatePem, keyPem: this.identity.admin.keyPem },
      clusterName: this.name,
      userName: 'kubernetes-admin',
      contextName: this.name,
    });
    return stringify(document);
  }

  async stop(): Promise<void> {
    this.stopCompaction();
    await this.apiServer.stop();
    await this.store.close();
  }
}

async function openStore(dataDir: string | undefined, clock: Clock): Promise<Store> {
  return dataDir ? openSqliteStore({ file: join(dataDir, 'state.db'), clock }) : createMemoryStore({ clock });
}
