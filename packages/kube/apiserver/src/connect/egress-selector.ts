import { readFile } from 'node:fs/promises';
import { decodeYaml } from '@hypershift-ts/kube-apimachinery';
import { type Egress, httpConnect, type ProxyAddress } from './http-connect.ts';

/** How names and files in the configuration lead to things of this machine. */
export interface EgressSurroundings {
  readonly path?: (file: string) => string;
  readonly resolve?: (host: string) => string;
}

interface Selection {
  readonly name?: string;
  readonly connection?: {
    readonly proxyProtocol?: string;
    readonly transport?: {
      readonly tcp?: {
        readonly url?: string;
        readonly tlsConfig?: { readonly caBundle?: string; readonly clientCert?: string; readonly clientKey?: string };
      };
      readonly uds?: { readonly udsName?: string };
    };
  };
}

/**
 * Reads an EgressSelectorConfiguration and answers the way to nodes and pods (selection `cluster`); undefined when that
 * is direct. Throws what it cannot do, so that a server never goes around a proxy it was told to use.
 */
export function clusterEgress(text: string, surroundings: EgressSurroundings = {}): Egress | undefined {
  const config = (decodeYaml(text).value ?? {}) as { readonly kind?: unknown; readonly egressSelections?: unknown };
  if (config.kind !== 'EgressSelectorConfiguration')
    throw new Error(`egress selector: kind is ${JSON.stringify(config.kind)}, not EgressSelectorConfiguration`);
  const selections = Array.isArray(config.egressSelections) ? (config.egressSelections as readonly Selection[]) : [];
  const { connection } = selections.find(({ name }) => name === 'cluster') ?? {};
  const protocol = connection?.proxyProtocol ?? 'Direct';
  if (protocol === 'Direct') return undefined;
  if (protocol !== 'HTTPConnect')
    throw new Error(`egress selector: proxyProtocol ${protocol} is not supported; use HTTPConnect`);
  const { tcp, uds } = connection?.transport ?? {};
  if (uds?.udsName) {
    const path = mapped(uds.udsName, surroundings.path);
    return (host, port, signal) => httpConnect({ path }, host, port, signal);
  }
  const url = tcp?.url && URL.canParse(tcp.url) ? new URL(tcp.url) : undefined;
  if (!url || !tcp || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw new Error('egress selector: HTTPConnect needs transport.tcp.url (http or https) or transport.uds.udsName');
  return async (host, port, signal) => httpConnect(await proxyAt(url, tcp.tlsConfig, surroundings), host, port, signal);
}

/** Files are read for every connection: they are few, and certificates are renewed. */
async function proxyAt(
  url: URL,
  tls: NonNullable<NonNullable<NonNullable<Selection['connection']>['transport']>['tcp']>['tlsConfig'],
  { path, resolve }: EgressSurroundings,
): Promise<ProxyAddress> {
  const serverName = url.hostname.replace(/^\[|\]$/g, '');
  const at = {
    host: resolve?.(serverName) ?? serverName,
    port: Number(url.port || (url.protocol === 'https:' ? 443 : 80)),
  };
  if (url.protocol === 'http:') return at;
  const read = async (file: string | undefined) => (file ? readFile(mapped(file, path), 'utf8') : undefined);
  const [ca, certificate, key] = await Promise.all([read(tls?.caBundle), read(tls?.clientCert), read(tls?.clientKey)]);
  return {
    ...at,
    tls: { serverName, ...(ca ? { ca } : {}), ...(certificate ? { certificate } : {}), ...(key ? { key } : {}) },
  };
}

const mapped = (file: string, path: EgressSurroundings['path']): string => path?.(file) ?? file;
