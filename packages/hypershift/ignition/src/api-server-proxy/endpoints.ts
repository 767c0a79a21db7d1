import { isIPv4 } from 'node:net';
import type { ProxiedAddress } from './no-proxy.ts';

export interface EndpointFacts {
  readonly clusterName: string;
  /** Nodes reach the control plane over the private network only, or may. */
  readonly isPrivate: boolean;
  readonly apiServerByLoadBalancer: boolean;
  /** `clusters[].cluster.server` of the HostedCluster's kubeconfig. */
  readonly kubeconfigServer?: string;
  /** Address of the shared ingress router, when the cluster is published through it. */
  readonly sharedIngressAddress?: string;
  readonly serviceNetwork: readonly { readonly cidr: string }[];
  readonly advertiseAddress?: string;
  readonly port?: number;
}

export interface ApiServerEndpoints {
  readonly external: ProxiedAddress;
  readonly internal: ProxiedAddress;
  /** The shared ingress learns the cluster from a PROXY protocol header. */
  readonly useProxyProtocol: boolean;
}

/** Where a node finds the API server, and at which local address it offers it. Throws what is still missing. */
export function apiServerEndpoints(facts: EndpointFacts): ApiServerEndpoints {
  const [first] = facts.serviceNetwork;
  const family4 = isIPv4((first?.cidr ?? '').split('/')[0] ?? '');
  const useProxyProtocol = facts.sharedIngressAddress !== undefined && !facts.isPrivate;
  return {
    external: externalAddress(facts),
    internal: { host: facts.advertiseAddress ?? (family4 ? '172.20.0.1' : 'fd00::1'), port: facts.port ?? 6443 },
    useProxyProtocol,
  };
}

function externalAddress(facts: EndpointFacts): ProxiedAddress {
  if (facts.isPrivate)
    return { host: `api.${facts.clusterName}.hypershift.local`, port: facts.apiServerByLoadBalancer ? 6443 : 443 };
  if (facts.sharedIngressAddress !== undefined) {
    if (facts.sharedIngressAddress === '')
      throw new Error('waiting on sharedIngress route service to report .Status.LoadBalancer.Ingress');
    return { host: facts.sharedIngressAddress, port: 6443 };
  }
  if (!facts.kubeconfigServer) throw new Error('waiting on hcluster.Status.KubeConfig to be set');
  const url = new URL(facts.kubeconfigServer);
  if (url.port === '' && url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new Error(`cannot determine api server external port: unknown scheme: ${url.protocol.slice(0, -1)}`);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return { host, port: url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port) };
}
