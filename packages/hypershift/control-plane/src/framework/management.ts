import type { KubeObject, ResourceType } from '@hypershift-ts/kube-apimachinery';
import { type Client, discover } from '@hypershift-ts/kube-client';
import type { ManagementCluster } from './context.ts';
import { optionalKinds, routes } from './optional-kinds.ts';

const idOf = ({ group, version, resource }: ResourceType<KubeObject>): string => `${group}/${version}/${resource}`;
const optional: ReadonlySet<string> = new Set(optionalKinds.map(idOf));

/** Asks the management cluster once for its version and which optional kinds it has. */
export async function probeManagementCluster(client: Client): Promise<ManagementCluster> {
  const [resources, { body }] = await Promise.all([discover(client), client.raw('GET', '/version')]);
  const { minor } = JSON.parse(body) as { readonly minor?: string };
  return managementCluster(resources, Number.parseInt(minor ?? '0', 10));
}

export function managementCluster(
  resources: readonly ResourceType<KubeObject>[],
  kubernetesMinor: number,
): ManagementCluster {
  const served = new Set(resources.map(idOf));
  const serves = (type: ResourceType<KubeObject>): boolean => !optional.has(idOf(type)) || served.has(idOf(type));
  const openshift = resources.some(({ group }) => group === 'security.openshift.io') && serves(routes);
  return { kubernetesMinor, serves, assignsUserIds: openshift };
}
