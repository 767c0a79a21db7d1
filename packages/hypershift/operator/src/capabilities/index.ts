/** What the management cluster offers. */
import { managementCluster, type ManagementCluster, routes } from '@hypershift-ts/hypershift-control-plane';
import type { KubeObject, ResourceType } from '@hypershift-ts/kube-apimachinery';
import { type Client, discover } from '@hypershift-ts/kube-client';

/** What the management cluster has, asked for once when the operator starts. */
export interface ManagementCapabilities {
  /** As the components of a control plane see it. */
  readonly cluster: ManagementCluster;
  /** Whether a kind is served, optional or not. */
  serves(type: ResourceType<KubeObject>): boolean;
  /** Whether the Route API is there. */
  readonly hasRoutes: boolean;
}

const idOf = ({ group, version, resource }: Pick<ResourceType, 'group' | 'version' | 'resource'>): string =>
  `${group}/${version}/${resource}`;

/** Capabilities of a cluster that serves these kinds. */
export function capabilitiesOf(
  resources: readonly ResourceType<KubeObject>[],
  kubernetesMinor: number,
): ManagementCapabilities {
  const served = new Set(resources.map(idOf));
  const serves = (type: ResourceType<KubeObject>) => served.has(idOf(type));
  return { cluster: managementCluster(resources, kubernetesMinor), serves, hasRoutes: serves(routes) };
}

/** Asks the management cluster for its version and its kinds. */
export async function discoverCapabilities(client: Client): Promise<ManagementCapabilities> {
  const [resources, { body }] = await Promise.all([discover(client), client.raw('GET', '/version')]);
  const { minor = '0' } = JSON.parse(body) as { readonly minor?: string };
  return capabilitiesOf(resources, Number.parseInt(minor, 10));
}
