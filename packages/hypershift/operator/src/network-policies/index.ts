/** Who may talk to whom in the namespace of a control plane. */
import type { HostedCluster } from '@hypershift-ts/hypershift-api';
import { platformFor } from '@hypershift-ts/hypershift-platforms';
import type { networkingv1 } from '@hypershift-ts/kube-apimachinery';
import { belongsTo, controlPlaneNamespaceOf } from '../names/index.ts';
import {
  apiServer,
  awayFromManagement,
  fromNamespacesWith,
  fromSameNamespace,
  type ManagementNetwork,
  openPorts,
  privateRouter,
  toMetrics,
} from './rules.ts';
import { virtLauncher } from './virt-launcher.ts';

export { managementNetwork, managementNetworkTypes } from './management-network.ts';
export type { ManagementNetwork } from './rules.ts';

export interface NetworkPolicyFacts {
  /** Undefined where the management cluster tells nothing about its network. */
  readonly network?: ManagementNetwork | undefined;
  /** Whether Routes of the control plane are served by its own router. */
  readonly ownRouter: boolean;
  /** Whether the control plane operator labels pods that need the API server of the management cluster. */
  readonly labelsManagementKasAccess: boolean;
  /** Where the version operator reads metrics of the management cluster, if anywhere. */
  readonly metrics?: 'thanos' | 'rhobs' | undefined;
  readonly sharedIngress?: boolean;
}

type Specs = { [name: string]: networkingv1.NetworkPolicySpec | undefined };

const unknownNetwork: ManagementNetwork = {
  apiServers: [],
  clusterNetworks: [],
  serviceNetworks: [],
  openShiftDns: false,
};

function published({ spec }: HostedCluster): Specs {
  const type = (name: string) => spec.services.find(({ service }) => service === name)?.servicePublishingStrategy.type;
  const when = <T>(isSo: boolean, value: T) => (isSo ? value : undefined);
  return {
    'nodeport-oauth': when(type('OAuthServer') === 'NodePort', openPorts('oauth-openshift', 6443)),
    'loadbalancer-oauth': when(type('OAuthServer') === 'LoadBalancer', openPorts('oauth-openshift', 6443)),
    'nodeport-ignition': when(type('Ignition') === 'NodePort', openPorts('ignition-server', 9090)),
    'nodeport-ignition-proxy': when(type('Ignition') === 'NodePort', openPorts('ignition-server-proxy', 8443)),
    'nodeport-konnectivity': when(type('Konnectivity') === 'NodePort', openPorts('konnectivity-server', 8091)),
    'nodeport-konnectivity-kas': when(type('Konnectivity') === 'NodePort', openPorts('kube-apiserver', 8091)),
  };
}

/** Whether any policy of a platform asks for the management cluster's network. */
export function needsManagementNetwork({ spec }: HostedCluster): boolean {
  const { traits } = platformFor(spec.platform.type);
  return traits.managementKasPolicy || traits.privateRouter || traits.virtLaunchers;
}

/** Policies by name; undefined for one that must not exist now, so that it is removed. */
export function desiredNetworkPolicies(
  cluster: HostedCluster,
  facts: NetworkPolicyFacts,
): ReadonlyMap<string, networkingv1.NetworkPolicy | undefined> {
  const { traits } = platformFor(cluster.spec.platform.type);
  const network = facts.network ?? unknownNetwork;
  const away = traits.managementKasPolicy && facts.labelsManagementKasAccess;
  const beside = traits.virtLaunchers && !cluster.spec.platform.kubevirt?.credentials;
  const specs: Specs = {
    'openshift-ingress': facts.ownRouter
      ? undefined
      : fromNamespacesWith('network.openshift.io/policy-group', 'ingress'),
    'same-namespace': fromSameNamespace,
    kas: apiServer(cluster, traits.apiServerPort),
    'management-kas': away ? awayFromManagement(network) : undefined,
    'metrics-server': away && facts.metrics ? toMetrics(facts.metrics) : undefined,
    'openshift-monitoring': fromNamespacesWith('network.openshift.io/policy-group', 'monitoring'),
    'private-router': traits.privateRouter ? privateRouter(network) : undefined,
    sharedingress: facts.sharedIngress
      ? fromNamespacesWith('kubernetes.io/metadata.name', 'hypershift-sharedingress')
      : undefined,
    'virt-launcher': beside ? virtLauncher(cluster, facts.network) : undefined,
    ...published(cluster),
  };
  const namespace = controlPlaneNamespaceOf(cluster);
  return new Map(
    Object.entries(specs).map(([name, spec]) => [
      name,
      spec && {
        apiVersion: 'networking.k8s.io/v1',
        kind: 'NetworkPolicy',
        metadata: { name, namespace, annotations: belongsTo(cluster) },
        spec,
      },
    ]),
  );
}
