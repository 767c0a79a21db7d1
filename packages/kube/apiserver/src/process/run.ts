import { readSmallFile } from '@hypershift-ts/kube-client';
import {
  createEtcdStore,
  createMemoryStore,
  openSqliteStore,
  type Store,
  startCompaction,
} from '@hypershift-ts/kube-store';
import { type Clock, systemClock } from '@hypershift-ts/kube-apimachinery';
import { clusterEgress, type EgressSurroundings } from '../connect/egress-selector.ts';
import { ApiServer } from '../server/api-server.ts';
import type { ApiServerOptions } from '../server/options.ts';
import { auditFile } from './audit-file.ts';
import {
  durationFlag,
  type FlagName,
  type FlagValues,
  listFlag,
  numberFlag,
  parseApiServerFlags,
  sniPairs,
  textFlag,
  textsFlag,
} from './flags.ts';

export interface ApiServerProcess {
  readonly server: ApiServer;
  readonly address: string;
  readonly port: number;
  /** Reads the serving certificate and the client CAs again; new connections see them, open ones go on. */
  readonly reload: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** What the surroundings decide instead of the command line. */
export interface ApiServerSurroundings {
  /** Instead of --etcd-servers and --storage-file; closed with the server. */
  readonly store?: Store;
  readonly clock?: Clock;
  /** How files and names inside configuration files lead to things of this machine. */
  readonly egress?: EgressSurroundings;
}

/** Starts an API server from a kube-apiserver command line: the entry point of a process or of a container. */
export async function runApiServer(
  args: readonly string[],
  log: (message: string, error?: unknown) => void,
  surroundings: ApiServerSurroundings = {},
): Promise<ApiServerProcess> {
  const { clock = systemClock } = surroundings;
  let { store } = surroundings;
  let audit: ReturnType<typeof auditFile> | undefined;
  let server: ApiServer | undefined;
  const release = async (): Promise<void> => {
    try {
      await server?.stop();
    } finally {
      await store?.close();
      await audit?.close();
    }
  };
  try {
    const flags = parseApiServerFlags(args);
    const egressConfig = await fileFlag(flags, 'egress-selector-config-file');
    const egress = egressConfig === undefined ? undefined : clusterEgress(egressConfig, surroundings.egress);
    store ??= await openStore(flags);
    audit = textFlag(flags, 'audit-log-path') ? auditFile(textFlag(flags, 'audit-log-path')!) : undefined;
    const started = new ApiServer({
      ...(await serverOptions(flags)),
      store,
      clock,
      log,
      ...(egress ? { egress } : {}),
      ...(audit ? { audit: audit.sink } : {}),
    });
    const { address, port } = await started.start();
    server = started;
    const stopCompaction = startCompaction(store, {
      clock,
      onError: (error) => log('compaction failed', error),
    });
    const stop = (): Promise<void> => {
      stopCompaction();
      return release();
    };
    const reload = async (): Promise<void> => {
      started.reloadCertificates(await servingPair(flags), await fileFlag(flags, 'client-ca-file'));
    };
    return { server, address, port, reload, stop };
  } catch (error) {
    await release();
    throw error;
  }
}

async function openStore(flags: FlagValues): Promise<Store> {
  const prefix = textFlag(flags, 'etcd-prefix');
  if (prefix !== undefined && prefix !== '/registry')
    throw new Error(`--etcd-prefix: only /registry is supported, not ${prefix}`);
  const endpoints = listFlag(flags, 'etcd-servers');
  const file = textFlag(flags, 'storage-file');
  if (endpoints.length > 0 && file) throw new Error('--etcd-servers and --storage-file exclude each other');
  if (file) return openSqliteStore({ file });
  if (endpoints.length === 0) return createMemoryStore();
  const [ca, certificate, key] = await Promise.all(
    (['etcd-cafile', 'etcd-certfile', 'etcd-keyfile'] as const).map((name) => fileFlag(flags, name)),
  );
  if (ca && !(certificate && key)) throw new Error('--etcd-cafile needs --etcd-certfile and --etcd-keyfile beside it');
  return createEtcdStore({ endpoints, ...(ca && certificate && key ? { tls: { ca, cert: certificate, key } } : {}) });
}

async function serverOptions(flags: FlagValues): Promise<Omit<ApiServerOptions, 'store'>> {
  const text = (name: FlagName) => textFlag(flags, name);
  const clientCa = await fileFlag(flags, 'client-ca-file');
  const frontProxyCa = await fileFlag(flags, 'requestheader-client-ca-file');
  const signingKey = await fileFlag(flags, 'service-account-signing-key-file');
  const tokens = await fileFlag(flags, 'token-auth-file');
  const kubelet = {
    certificate: await fileFlag(flags, 'kubelet-client-certificate'),
    key: await fileFlag(flags, 'kubelet-client-key'),
    ca: await fileFlag(flags, 'kubelet-certificate-authority'),
  };
  const verification = await Promise.all(
    listFlag(flags, 'service-account-key-file').map((path) => readSmallFile(path)),
  );
  const audiences = listFlag(flags, 'api-audiences');
  const maxExpirationSeconds = durationFlag(flags, 'service-account-max-token-expiration');
  const modes = listFlag(flags, 'authorization-mode');
  const eventTtlSeconds = durationFlag(flags, 'event-ttl');
  const advertise = text('advertise-address');
  const serviceCidr = text('service-cluster-ip-range')?.split(',')[0];
  return {
    serving: {
      bindAddress: text('bind-address') ?? '0.0.0.0',
      port: numberFlag(flags, 'secure-port') ?? 6443,
      ...(await servingPair(flags)),
    },
    ...(advertise ? { advertise: { address: advertise } } : {}),
    ...(text('endpoint-reconciler-type') === 'none' ? { publishEndpoints: false } : {}),
    ...(clientCa ? { clientCa } : {}),
    ...(frontProxyCa
      ? { frontProxy: { ca: frontProxyCa, allowedNames: listFlag(flags, 'requestheader-allowed-names') } }
      : {}),
    serviceAccounts: {
      issuers: listFlag(flags, 'service-account-issuer'),
      ...(signingKey ? { signingKey } : {}),
      ...(verification.length > 0 ? { verificationKeys: verification.join('\n') } : {}),
      ...(audiences.length > 0 ? { audiences } : {}),
      ...(maxExpirationSeconds ? { maxExpirationSeconds } : {}),
    },
    ...(tokens ? { staticTokens: tokens } : {}),
    ...(text('anonymous-auth') === 'true' ? { anonymous: {} } : {}),
    ...(modes.length > 0 ? { authorizationModes: modes } : {}),
    disabledAdmission: listFlag(flags, 'disable-admission-plugins'),
    ...(serviceCidr ? { serviceCidr } : {}),
    ...(text('service-node-port-range') ? { nodePortRange: portRange(text('service-node-port-range')!) } : {}),
    ...(eventTtlSeconds ? { eventTtlSeconds } : {}),
    limits: limitsOf(flags),
    ...(kubelet.certificate && kubelet.key
      ? {
          kubeletClient: {
            certificate: kubelet.certificate,
            key: kubelet.key,
            ...(kubelet.ca ? { ca: kubelet.ca } : {}),
          },
        }
      : {}),
  };
}

type Serving = Pick<ApiServerOptions['serving'], 'certificate' | 'key' | 'named'>;

async function servingPair(flags: FlagValues): Promise<Serving> {
  const required = async (name: FlagName): Promise<string> => {
    const content = await fileFlag(flags, name);
    if (content === undefined) throw new Error(`--${name} is required`);
    return content;
  };
  return {
    certificate: await required('tls-cert-file'),
    key: await required('tls-private-key-file'),
    named: await Promise.all(sniPairs(textsFlag(flags, 'tls-sni-cert-key')).map(readPair)),
  };
}

async function readPair({ certificate, key, names }: ReturnType<typeof sniPairs>[number]) {
  const [cert, privateKey] = await Promise.all([readSmallFile(certificate), readSmallFile(key)]);
  return { certificate: cert, key: privateKey, ...(names.length > 0 ? { names } : {}) };
}

function limitsOf(flags: FlagValues): NonNullable<ApiServerOptions['limits']> {
  const reading = numberFlag(flags, 'max-requests-inflight');
  const mutating = numberFlag(flags, 'max-mutating-requests-inflight');
  const timeout = durationFlag(flags, 'request-timeout');
  const watch = numberFlag(flags, 'min-request-timeout');
  return {
    ...(reading ? { requestsInFlight: reading } : {}),
    ...(mutating ? { mutatingRequestsInFlight: mutating } : {}),
    ...(timeout ? { requestTimeoutMs: timeout * 1000 } : {}),
    ...(watch ? { minWatchSeconds: watch } : {}),
  };
}

function portRange(text: string): { from: number; to: number } {
  const match = /^(\d+)-(\d+)$/.exec(text);
  if (!match) throw new Error(`--service-node-port-range: ${JSON.stringify(text)} is not a range like 30000-32767`);
  return { from: Number(match[1]), to: Number(match[2]) };
}

async function fileFlag(flags: FlagValues, name: FlagName): Promise<string | undefined> {
  const path = textFlag(flags, name);
  if (path === undefined) return undefined;
  try {
    return await readSmallFile(path);
  } catch (error) {
    throw new Error(`--${name}: ${path} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}
