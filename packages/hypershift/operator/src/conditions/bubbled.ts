import type { HostedClusterConditionType, HostedControlPlane } from '@hypershift-ts/hypershift-api';
import type { Platform } from '@hypershift-ts/hypershift-platforms';
import { type Condition, findCondition } from '@hypershift-ts/kube-apimachinery';
import { copied, unknown, type Verdict } from './verdict.ts';

type Type = HostedClusterConditionType;

/** Always on the cluster; the control plane's own, word for word. */
const verbatim: readonly Type[] = [
  'EtcdAvailable',
  'KubeAPIServerAvailable',
  'InfrastructureReady',
  'ExternalDNSReachable',
  'ValidHostedControlPlaneConfiguration',
  'ValidReleaseInfo',
  'ValidIDPConfiguration',
  'HostedClusterRestoredFromBackup',
  'DataPlaneConnectionAvailable',
  'ControlPlaneConnectionAvailable',
  'EtcdBackupSucceeded',
  'ConfigOperatorReconciliationSucceeded',
];

/** What the version operator of the hosted cluster says, by the type it has on the control plane. */
const versionConditions: readonly (readonly [Type, string])[] = [
  ['ClusterVersionSucceeding', 'ClusterVersionFailing'],
  ['ClusterVersionProgressing', 'ClusterVersionProgressing'],
  ['ClusterVersionReleaseAccepted', 'ClusterVersionReleaseAccepted'],
  ['ClusterVersionUpgradeable', 'ClusterVersionUpgradeable'],
  ['ClusterVersionAvailable', 'ClusterVersionAvailable'],
];

const opposite = { True: 'False', False: 'True', Unknown: 'Unknown' } as const;

function versionVerdict(
  conditions: readonly Condition[] | undefined,
  [type, source]: readonly [Type, string],
): Verdict {
  const found = findCondition(conditions, source);
  if (!found) return unknown(type, 'Condition not found in the CVO.');
  const verdict = copied(type, found);
  // Failing is bad when True; on the cluster every True of this family is good.
  return type === source ? verdict : { ...verdict, status: opposite[verdict.status] };
}

function degraded(conditions: readonly Condition[] | undefined): Verdict {
  const found = findCondition(conditions, 'Degraded');
  if (!found) return unknown('Degraded', 'The hosted control plane is not found');
  const verdict = copied('Degraded', found);
  return verdict.status === 'False' ? { ...verdict, message: 'The hosted cluster is not degraded' } : verdict;
}

/** Conditions that come from the control plane; undefined where there is none yet. */
export function bubbledConditions(hcp: HostedControlPlane | undefined, platform: Platform): readonly Verdict[] {
  const conditions = hcp?.status?.conditions;
  const whenPresent = [
    'ClusterVersionRetrievedUpdates',
    'EtcdDataEncryptionUpToDate',
    ...platform.traits.bubbledConditions,
  ];
  return [
    ...versionConditions.map((pair) => versionVerdict(conditions, pair)),
    degraded(conditions),
    ...verbatim.map((type) => {
      const found = findCondition(conditions, type);
      if (found) return copied(type, found);
      return unknown(type, hcp ? 'Condition not found in the HCP' : 'The hosted control plane is not found');
    }),
    ...whenPresent.flatMap((type) => {
      const found = findCondition(conditions, type);
      const isUnknown = type === 'ClusterVersionRetrievedUpdates' && found?.reason === 'StatusUnknown';
      return found && !isUnknown ? [copied(type as Type, found)] : [];
    }),
  ];
}

/** What the control plane tells about its own end, while it is there to tell. */
export function deletionConditions(hcp: HostedControlPlane | undefined): readonly Verdict[] {
  if (!hcp?.metadata.deletionTimestamp) return [];
  return (['CloudResourcesDestroyed', 'AWSDefaultSecurityGroupDeleted'] as const).flatMap((type) => {
    const found = findCondition(hcp.status?.conditions, type);
    return found ? [copied(type, found)] : [];
  });
}
