import { type HostedCluster, labels } from '@hypershift-ts/hypershift-api';
import type { networkingv1 } from '@hypershift-ts/kube-apimachinery';

type Spec = networkingv1.NetworkPolicySpec;
type Port = networkingv1.NetworkPolicyPort;

const tcp = (port: number): Port => ({ port, protocol: 'TCP' });

/** Anybody may reach these ports of the pods of an app. */
export const openPorts = (app: string, ...ports: number[]): Spec => ({
  podSelector: { matchLabels: { app } },
  policyTypes: ['Ingress'],
  ingress: [{ ports: ports.map(tcp) }],
});

const fromPeer = (from: networkingv1.NetworkPolicyPeer): Spec => ({
  podSelector: {},
  policyTypes: ['Ingress'],
  ingress: [{ from: [from] }],
});

export const fromSameNamespace = fromPeer({ podSelector: {} });
export const fromNamespacesWith = (label: string, value: string): Spec =>
  fromPeer({ namespaceSelector: { matchLabels: { [label]: value } } });

/** The API server, with the port of old releases that listened on the external one. */
export function apiServer({ spec }: HostedCluster, podPort: number): Spec {
  const external = spec.networking?.apiServer?.port;
  const ports = external === undefined || external === podPort ? [podPort] : [podPort, external];
  return { ...openPorts('kube-apiserver'), ingress: ports.map((port) => ({ ports: [tcp(port)] })) };
}

/** What pods of a control plane must not reach in the management cluster. */
export interface ManagementNetwork {
  /** Addresses of its API server, as ranges. */
  readonly apiServers: readonly string[];
  readonly clusterNetworks: readonly string[];
  readonly serviceNetworks: readonly string[];
  /** Whether names are served by the DNS operator of OpenShift. */
  readonly openShiftDns: boolean;
}

function toDns({ openShiftDns }: ManagementNetwork): networkingv1.NetworkPolicyEgressRule {
  const port = openShiftDns ? 5353 : 53;
  const ports: readonly Port[] = [{ port, protocol: 'UDP' }, tcp(port)];
  if (!openShiftDns) return { ports };
  return { to: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'openshift-dns' } } }], ports };
}

/** Everywhere but there. Sorted, so that endpoints listed in another order are no change. */
const toOutside = ({ apiServers, clusterNetworks }: ManagementNetwork): networkingv1.NetworkPolicyEgressRule => ({
  to: [{ ipBlock: { cidr: '0.0.0.0/0', except: [...apiServers.toSorted(), ...clusterNetworks] } }],
});

export const awayFromManagement = (network: ManagementNetwork): Spec => ({
  podSelector: {
    matchExpressions: [
      { key: labels.needManagementKasAccess.key, operator: 'DoesNotExist' },
      { key: 'name', operator: 'NotIn', values: ['aws-ebs-csi-driver-operator'] },
    ],
  },
  policyTypes: ['Egress'],
  egress: [{ to: [{ podSelector: {} }] }, toOutside(network), toDns(network)],
});

export const privateRouter = (network: ManagementNetwork): Spec => ({
  ...openPorts('private-router', 8080, 8443),
  policyTypes: ['Ingress', 'Egress'],
  egress: [
    toOutside(network),
    { to: [{ podSelector: { matchExpressions: [{ key: labels.requestServingComponent.key, operator: 'Exists' }] } }] },
    toDns(network),
  ],
});

/** To where metrics of the management cluster are asked for: its own store, or that of a managed service. */
export const toMetrics = (store: 'thanos' | 'rhobs'): Spec => ({
  podSelector: { matchExpressions: [{ key: labels.needMetricsServerAccess.key, operator: 'Exists' }] },
  policyTypes: ['Egress'],
  egress: [
    {
      to: [
        {
          podSelector: {
            matchLabels:
              store === 'rhobs'
                ? {
                    'app.kubernetes.io/instance': 'hypershift-monitoring-stack',
                    'app.kubernetes.io/name': 'prometheus',
                  }
                : { 'app.kubernetes.io/instance': 'thanos-querier', 'app.kubernetes.io/name': 'thanos-query' },
          },
          namespaceSelector: { matchLabels: { 'network.openshift.io/policy-group': 'monitoring' } },
        },
      ],
      ports: [tcp(store === 'rhobs' ? 9090 : 9092)],
    },
  ],
});
