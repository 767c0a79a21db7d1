import { addressAt, formatIP, parseCIDR, parseIP } from '@hypershift-ts/kube-apimachinery';
import type { LeafSpec } from './table/specs.ts';

/** Everything about a hosted control plane that its certificates and kubeconfigs depend on. */
export interface PkiFacts {
  /** The control plane's namespace on the management cluster. */
  readonly namespace: string;
  readonly hcpName: string;
  readonly infraId: string;
  /** Where the API server is published: a DNS name or an address. */
  readonly api: { readonly host: string; readonly port: number };
  /** CIDRs; the first address of each is the `kubernetes` Service. */
  readonly serviceNetworks: readonly string[];
  /** The address that pods on workers use; by default that of the first service network's family. */
  readonly advertiseAddress?: string;
  readonly konnectivityHost: string;
  /** Absent: the control plane has no OAuth server (external OIDC). */
  readonly oauthHost?: string;
  /** Absent: no ingress capability. */
  readonly ingressDomain?: string;
  /** False: the ignition server is switched off. */
  readonly ignition?:
    | false
    | { /** The published host; its serving certificate waits for it. */ readonly host?: string };
  /** Absent: metrics of the control plane are not handed to the hosted cluster. */
  readonly metricsForwarding?: { /** The published host of the proxy, where it has one. */ readonly host?: string };
  /** A second public name of the API server, which gets a kubeconfig of its own. */
  readonly kubeAPIServerDNSName?: string;
  /** Clients outside must use the internal name: the control plane is private and publishes no route. */
  readonly adminUsesInternalName?: boolean;
  /** Nodes must use the internal name: the control plane is private. */
  readonly nodesUseInternalName?: boolean;
  /** Another name for the Secret of the administrator's kubeconfig (`spec.kubeconfig`). */
  readonly adminKubeconfig?: { readonly name: string; readonly key: string };
  /** Port of the `kube-apiserver` Service and of its pods; 6443 unless a platform has another. */
  readonly ports?: { readonly service?: number; readonly pod?: number };
  /** Names of etcd shards besides the main one, such as `etcd-events`. */
  readonly etcdShards?: readonly string[];
  /** False: etcd is not ours, and its client certificate is brought along. */
  readonly managedEtcd?: boolean;
  /** Optional parts of a cluster; all on when absent. */
  readonly capabilities?: {
    readonly nodeTuning?: boolean;
    readonly imageRegistry?: boolean;
    readonly multiNetwork?: boolean;
    readonly storage?: boolean;
  };
  /** What the platform's own components serve with; see `awsLeaves` and `azureLeaves`. */
  readonly platformLeaves?: readonly LeafSpec[];
  /** Components that reach the hosted API server as one of its service accounts. */
  readonly serviceAccounts?: readonly ServiceAccountKubeconfig[];
  /** Secrets with the serving certificates of `configuration.apiServer.servingCerts.namedCertificates`. */
  readonly namedCertificates?: readonly string[];
  /** ConfigMaps with a `ca-bundle.crt` the user wants trusted. */
  readonly userCaBundles?: readonly string[];
}

export interface ServiceAccountKubeconfig {
  /** The Secret becomes `<component>-service-account-kubeconfig`. */
  readonly component: string;
  readonly namespace: string;
  readonly name: string;
  /** Another Secret name than that. */
  readonly secret?: string;
  /** Reaches the API server inside its own pod instead of through the Service. */
  readonly localhost?: boolean;
}

/** How long certificates live; `certificate-validity` and `certificate-renewal` of a HostedCluster change it. */
export interface PkiTuning {
  /** Milliseconds a leaf lives; one year when absent. */
  readonly leafValidity?: number;
  /** Share of the validity that must be left; 30 days when absent. */
  readonly renewalShare?: number;
}

export const defaultAdvertiseAddress = { ipv4: '172.20.0.1', ipv6: 'fd00::1' } as const;

/** The names under which a host is put into a certificate. */
export function namesOf(host: string): {
  readonly dnsNames: readonly string[];
  readonly ipAddresses: readonly string[];
} {
  return parseIP(host) ? { dnsNames: [], ipAddresses: [host] } : { dnsNames: [host], ipAddresses: [] };
}

/** `svc`, `svc.ns.svc` and `svc.ns.svc.cluster.local`. */
export function serviceNames(service: string, namespace: string): readonly string[] {
  return [service, `${service}.${namespace}.svc`, `${service}.${namespace}.svc.cluster.local`];
}

export function internalApiName(facts: Pick<PkiFacts, 'hcpName'>): string {
  return `api.${facts.hcpName}.hypershift.local`;
}

/** The addresses of the `kubernetes` Service, one per service network. */
export function kubernetesServiceAddresses(networks: readonly string[]): readonly string[] {
  return networks.map((network) => {
    const cidr = parseCIDR(network);
    const first = cidr && addressAt(cidr, 1n);
    if (!first) throw new Error(`service network ${JSON.stringify(network)} is not a CIDR with room for an address`);
    return formatIP(first);
  });
}

/** The one address workers know the API server by. */
export function advertiseAddressOf(facts: Pick<PkiFacts, 'advertiseAddress' | 'serviceNetworks'>): string {
  const ipv6 = facts.serviceNetworks[0]?.includes(':') ?? false;
  return facts.advertiseAddress ?? (ipv6 ? defaultAdvertiseAddress.ipv6 : defaultAdvertiseAddress.ipv4);
}

/** `https://host:port`, with brackets around an IPv6 address. */
export function apiUrl(host: string, port: number): string {
  return `https://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
