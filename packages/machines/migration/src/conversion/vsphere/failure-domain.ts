import type { VSphereMachineProviderSpec } from '@hypershift-ts/machines-machine-api';
import type { ClusterFacts, VSphereFailureDomain } from '../cluster-facts.ts';

type Workspace = NonNullable<VSphereMachineProviderSpec['workspace']>;

const places = ['datacenter', 'datastore', 'folder', 'resourcePool'] as const;

/** The failure domain in which a workspace lies, as far as the topology of the domain goes. */
export function failureDomainOf(
  workspace: Workspace | undefined,
  { infrastructure }: ClusterFacts,
): VSphereFailureDomain | undefined {
  if (!workspace) return undefined;
  const group = workspace.vmGroup ?? '';
  return infrastructure.vsphereFailureDomains?.find(
    ({ server, topology = {}, zoneAffinity }) =>
      server === workspace.server &&
      (zoneAffinity?.hostGroup?.vmGroup ?? '') === group &&
      places.every((place) => topology[place] === undefined || topology[place] === workspace[place]),
  );
}

export function failureDomainNamed(
  name: string | undefined,
  { infrastructure }: ClusterFacts,
): VSphereFailureDomain | undefined {
  return name ? infrastructure.vsphereFailureDomains?.find((domain) => domain.name === name) : undefined;
}
