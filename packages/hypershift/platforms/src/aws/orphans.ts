import type { HostedCluster } from '@hypershift-ts/hypershift-api';
import { findCondition } from '@hypershift-ts/kube-apimachinery';
import type { OrphanHandling } from '../platform.ts';

/** Whether AWS still trusts the cluster: the documents it checks tokens against, and the identity provider itself. */
export function awsCredentialStatus({ status }: HostedCluster): 'valid' | 'invalid' | 'unknown' {
  const statuses = ['ValidOIDCConfiguration', 'ValidAWSIdentityProvider'].map(
    (type) => findCondition(status?.conditions, type)?.status ?? 'Unknown',
  );
  if (statuses.includes('False')) return 'invalid';
  return statuses.every((one) => one === 'True') ? 'valid' : 'unknown';
}

export const awsOrphans: OrphanHandling = {
  machines: {
    group: 'infrastructure.cluster.x-k8s.io',
    version: 'v1beta2',
    kind: 'AWSMachine',
    resource: 'awsmachines',
    namespaced: true,
  },
  // Only known-bad credentials count. Not knowing yet may only mean that nobody looked, and letting go then would
  // leave instances behind that somebody pays for.
  release: (cluster, machine) =>
    machine.metadata.deletionTimestamp && awsCredentialStatus(cluster) === 'invalid' ? [] : undefined,
};
