import { openshift } from '@hypershift-ts/hypershift-api';
import { corev1, type ResourceType } from '@hypershift-ts/kube-apimachinery';
import type { ManagementNetwork } from './rules.ts';

type Network = typeof openshift.networks extends ResourceType<infer T> ? T : never;

export interface NetworkSources {
  /** Endpoints `kubernetes` in `default`: the API servers of the management cluster. */
  readonly apiServers: corev1.Endpoints | undefined;
  /** Absent on clusters other than OpenShift, which tell nobody their ranges. */
  readonly network?: Network | undefined;
  /** Ranges given to the operator, which win over the addresses of API servers: those come and go. */
  readonly blocked?: readonly string[] | undefined;
}

export const managementNetworkTypes = { endpoints: corev1.endpoints, networks: openshift.networks } as const;

/** What pods of control planes must be kept away from. */
export function managementNetwork({ apiServers, network, blocked }: NetworkSources): ManagementNetwork {
  const addresses = (apiServers?.subsets ?? []).flatMap(({ addresses: list }) => (list ?? []).map(({ ip }) => ip));
  return {
    apiServers: blocked && blocked.length > 0 ? blocked : [...new Set(addresses)].map(asRange).sort(),
    clusterNetworks: (network?.spec?.clusterNetwork ?? []).flatMap(({ cidr }) => cidr ?? []),
    serviceNetworks: network?.spec?.serviceNetwork ?? [],
    openShiftDns: network !== undefined,
  };
}

const asRange = (address: string): string => (address.includes(':') ? `${address}/128` : `${address}/32`);
