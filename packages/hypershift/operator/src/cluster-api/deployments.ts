import { annotations, type HostedCluster } from '@hypershift-ts/hypershift-api';

/** Names of the Deployments that take machines down, in the order in which they are needed. */
export const clusterApiDeployments = ['cluster-api', 'capi-provider'] as const;

/** Whether machines are managed at all. */
export function managesMachines({ metadata }: HostedCluster): boolean {
  return metadata.annotations?.[annotations.disableMachineManagement.key] === undefined;
}
