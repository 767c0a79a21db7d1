import type { ObjectMeta } from '@hypershift-ts/kube-apimachinery';
import { apiServiceAddress } from '@hypershift-ts/kube-apimachinery';

/** One object that a new cluster has from the start. */
export interface InitialObject {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly object: { readonly metadata: ObjectMeta; readonly [field: string]: unknown };
}

/** Namespaces, priority classes and the API server's own service: what every Kubernetes cluster begins with. */
export function initialObjects(network: {
  readonly serviceCidr: string;
  readonly securePort: number;
}): InitialObject[] {
  return [
    ...['default', 'kube-system', 'kube-public', 'kube-node-lease'].map((name) => ({
      group: '',
      version: 'v1',
      resource: 'namespaces',
      object: { metadata: { name } },
    })),
    priorityClass(
      'system-cluster-critical',
      2_000_000_000,
      'Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.',
    ),
    priorityClass(
      'system-node-critical',
      2_000_001_000,
      'Used for system critical pods that must not be moved from their current node.',
    ),
    {
      group: 'networking.k8s.io',
      version: 'v1',
      resource: 'servicecidrs',
      object: { metadata: { name: 'kubernetes' }, spec: { cidrs: [network.serviceCidr] } },
    },
    {
      group: '',
      version: 'v1',
      resource: 'services',
      object: {
        metadata: {
          name: 'kubernetes',
          namespace: 'default',
          labels: { component: 'apiserver', provider: 'kubernetes' },
        },
        spec: {
          type: 'ClusterIP',
          clusterIP: apiServiceAddress(network.serviceCidr),
          ports: [{ name: 'https', port: 443, protocol: 'TCP', targetPort: network.securePort }],
          sessionAffinity: 'None',
        },
      },
    },
  ];
}

function priorityClass(name: string, value: number, description: string): InitialObject {
  return {
    group: 'scheduling.k8s.io',
    version: 'v1',
    resource: 'priorityclasses',
    object: { metadata: { name }, value, globalDefault: false, description },
  };
}

/** Where the API server answers, for clients inside the cluster. */
export function apiServerEndpoints(
  address: string,
  port: number,
): { readonly endpoints: object; readonly slice: object } {
  const metadata = { name: 'kubernetes', namespace: 'default' };
  const slice = { addressType: 'IPv4', ports: [{ name: 'https', port, protocol: 'TCP' }] };
  return {
    endpoints: {
      metadata: { ...metadata, labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' } },
      subsets: [{ addresses: [{ ip: address }], ports: [{ name: 'https', port, protocol: 'TCP' }] }],
    },
    slice: {
      metadata: { ...metadata, labels: { 'kubernetes.io/service-name': 'kubernetes' } },
      ...slice,
      endpoints: [{ addresses: [address], conditions: { ready: true } }],
    },
  };
}
