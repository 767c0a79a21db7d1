import type { KubeObject } from '@hypershift-ts/kube-apimachinery';
import type { UserInfo } from '@hypershift-ts/kube-apiserver';
import { type ClusterConfig, readSmallFile } from '@hypershift-ts/kube-client';
import {
  fingerprint,
  isKeyPair,
  nodeCertificate,
  parseCertificates,
  readPrivateKey,
  type TrustPool,
  trustPoolFromPem,
  verifyCertificate,
} from '@hypershift-ts/kube-pki';
import type { LocalApiServer, ProcessDirectory } from '../directory.ts';
import { textOf } from './presented-certificates.ts';

/** A server of this process and who the kubeconfig makes us there. */
export interface LocalAccess {
  readonly entry: LocalApiServer;
  readonly user: UserInfo;
  /** The CAs that vouched for it; others since then ask for a new look. */
  readonly clientCa: string | undefined;
  /** When what proved it ends, or has to be proven again. */
  readonly notAfter: number;
}

/** A token can be revoked with its pod or account, so it is reviewed again after this long. */
const tokenTrustMs = 300_000;

/**
 * Finds out whether a kubeconfig leads to an API server of this process. One TLS handshake with the usual checks tells
 * which certificate the address really presents; the client certificate is verified as the server would, a token by
 * the server itself. Anything else (impersonation, plugins) is left to HTTPS.
 */
export async function localAccess(
  config: ClusterConfig,
  directory: ProcessDirectory,
  now: number,
  presentedCertificate = (one: ClusterConfig) => directory.certificates.of(one, now),
): Promise<LocalAccess | undefined> {
  const { clientCertificate, impersonate, server } = config;
  const hasToken = config.token !== undefined || config.tokenFile !== undefined;
  if (impersonate || config.insecureSkipTlsVerify || !server.startsWith('https:')) return undefined;
  if (config.exec || config.basic || hasToken === (clientCertificate !== undefined)) return undefined;
  const presented = await presentedCertificate(config);
  const [entry] = directory.apiServersWith(presented);
  if (!entry) return undefined;
  return clientCertificate
    ? accessByCertificate(entry, clientCertificate, now)
    : accessByToken(entry, config.token ?? (await readSmallFile(config.tokenFile!)).trim(), now);
}

async function accessByCertificate(
  entry: LocalApiServer,
  clientCertificate: NonNullable<ClusterConfig['clientCertificate']>,
  now: number,
): Promise<LocalAccess | undefined> {
  if (!entry.clientCa) return undefined;
  const [leaf, ...intermediates] = parseCertificates(await textOf(clientCertificate.certificate));
  const key = readPrivateKey(await textOf(clientCertificate.key));
  if (!leaf || !isKeyPair(nodeCertificate(leaf).publicKey, key)) return undefined;
  const roots = rootsOf(entry, entry.clientCa);
  const result = verifyCertificate(leaf, { roots, intermediates, now, usage: 'clientAuth' });
  // Refused here is refused there: HTTPS will say it in the server's own words.
  if (!result.ok || !leaf.subject.commonName) return undefined;
  return {
    entry,
    clientCa: entry.clientCa,
    user: {
      name: leaf.subject.commonName,
      groups: [...(leaf.subject.organizations ?? []), 'system:authenticated'],
      extra: { 'authentication.kubernetes.io/credential-id': [`X509SHA256=${fingerprint(leaf.der)}`] },
    },
    notAfter: Math.min(...result.chain.map((one) => one.notAfter)),
  };
}

const rootsOfServers = new WeakMap<LocalApiServer, { readonly pem: string; readonly pool: TrustPool }>();

/** Thousands of nodes are verified with the same few CAs. */
function rootsOf(entry: LocalApiServer, pem: string): TrustPool {
  const known = rootsOfServers.get(entry);
  if (known?.pem === pem) return known.pool;
  const pool = trustPoolFromPem(pem);
  rootsOfServers.set(entry, { pem, pool });
  return pool;
}

const tokenReviews = {
  group: 'authentication.k8s.io',
  version: 'v1',
  kind: 'TokenReview',
  resource: 'tokenreviews',
  namespaced: false,
};

type TokenReview = KubeObject & {
  readonly spec: { readonly token: string };
  readonly status?: {
    readonly authenticated?: boolean;
    readonly user?: {
      readonly username: string;
      readonly uid?: string;
      readonly groups?: readonly string[];
      readonly extra?: Readonly<Record<string, readonly string[]>>;
    };
  };
};

async function accessByToken(entry: LocalApiServer, token: string, now: number): Promise<LocalAccess | undefined> {
  const { status } = await entry.server
    .client(undefined, 'token-review')
    .create<TokenReview>(tokenReviews, { metadata: {}, spec: { token } });
  if (!status?.authenticated || !status.user) return undefined;
  const { username, uid, groups, extra } = status.user;
  return {
    entry,
    clientCa: entry.clientCa,
    user: { name: username, groups: groups ?? [], ...(uid ? { uid } : {}), ...(extra ? { extra } : {}) },
    notAfter: now + tokenTrustMs,
  };
}
