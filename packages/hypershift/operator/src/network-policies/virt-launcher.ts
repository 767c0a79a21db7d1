import { isIP } from 'node:net';
import { type HostedCluster, labels } from '@hypershift-ts/hypershift-api';
import type { networkingv1 } from '@hypershift-ts/kube-apimachinery';
import type { ManagementNetwork } from './rules.ts';

type Peer = networkingv1.NetworkPolicyPeer;

const pods = (matchLabels: { readonly [key: string]: string }): Peer => ({ podSelector: { matchLabels } });
const podsIn = (own: { readonly [key: string]: string }, namespace: { readonly [key: string]: string }): Peer => ({
  ...pods(own),
  namespaceSelector: { matchLabels: namespace },
});

/** Parts of the control plane that machines on the same cluster may reach directly. */
const controlPlane: readonly Peer[] = [
  pods({ [labels.controlPlaneComponent.key]: 'kube-apiserver' }),
  pods({ [labels.controlPlaneComponent.key]: 'oauth-openshift' }),
  pods({ app: 'ignition-server-proxy' }),
];

/** Addresses of nodes that services are published on; names cannot be told here. */
function nodeAddresses({ spec }: HostedCluster): readonly string[] {
  const addresses = spec.services.flatMap(({ servicePublishingStrategy }) =>
    servicePublishingStrategy.type === 'NodePort' ? (servicePublishingStrategy.nodePort?.address ?? []) : [],
  );
  return [...new Set(addresses)].filter((address) => isIP(address) !== 0);
}

/** Machines of a hosted cluster are strangers on the management cluster: they see what outsiders see. */
export function virtLauncher(
  cluster: HostedCluster,
  network: ManagementNetwork | undefined,
): networkingv1.NetworkPolicySpec {
  const machines = { [labels.infraId.key]: cluster.spec.infraID ?? '', 'kubevirt.io': 'virt-launcher' };
  const blocked = [...(network?.clusterNetworks ?? []), ...(network?.serviceNetworks ?? [])];
  const except = (isSix: boolean) => blocked.filter((cidr) => cidr.includes(':') === isSix);
  return {
    podSelector: { matchLabels: machines },
    policyTypes: ['Ingress', 'Egress'],
    ingress: [{ ports: [{ protocol: 'TCP' }, { protocol: 'UDP' }, { protocol: 'SCTP' }] }],
    egress: [
      {
        to: [
          { ipBlock: { cidr: '0.0.0.0/0', except: except(false) } },
          { ipBlock: { cidr: '::/0', except: except(true) } },
          pods(machines),
          podsIn(
            { 'dns.operator.openshift.io/daemonset-dns': 'default' },
            { 'kubernetes.io/metadata.name': 'openshift-dns' },
          ),
          podsIn(
            { 'ingresscontroller.operator.openshift.io/deployment-ingresscontroller': 'default' },
            { name: 'openshift-ingress' },
          ),
          ...(network ? controlPlane : []),
        ],
      },
      ...nodeAddresses(cluster).map((address) => ({
        to: [{ ipBlock: { cidr: `${address}/${isIP(address) === 6 ? 128 : 32}` } }],
      })),
    ],
  };
}
