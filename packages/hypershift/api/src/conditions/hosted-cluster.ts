import { computed, copied, inverted, type ConditionCatalogue } from './condition-facts.ts';
import { hostedClusterPlatformConditions } from './hosted-cluster-platforms.ts';
import { hostedControlPlaneConditions, type HostedControlPlaneConditionType } from './hosted-control-plane.ts';

const hcp = (type: HostedControlPlaneConditionType) => copied('HostedControlPlane', type);

/** The same condition as on the HostedControlPlane, plus what to say while that does not have it. */
function bubbled<Type extends HostedControlPlaneConditionType>(type: Type) {
  const { polarity, meaning, reasons } = hostedControlPlaneConditions[type];
  const present = (hostedControlPlaneConditions[type] as { readonly present?: string }).present;
  return {
    polarity,
    meaning,
    source: hcp(type),
    reasons: [...reasons, 'StatusUnknown' as const],
    ...(present ? { present } : {}),
  };
}

/** Conditions of a HostedCluster. */
export const hostedClusterConditions = {
  Available: {
    polarity: 'positive',
    meaning: 'The hosted cluster can be used through its API server.',
    source: hcp('Available'),
    reasons: [
      'AsExpected',
      'WaitingForAvailable',
      'Blocked',
      'StatusUnknown',
      'KubeconfigWaitingForCreate',
      'KASLoadBalancerNotReachable',
      'ComponentsNotAvailable',
      'WaitingOnInfrastructureReady',
      'EtcdWaitingForQuorum',
      'StatefulSetNotFound',
      'NotFound',
    ],
  },
  Progressing: {
    polarity: 'negative',
    meaning: 'A rollout, upgrade or reconfiguration is under way.',
    source: computed(
      'the wanted and the running release; blocked by SupportedHostedCluster, ValidConfiguration, ValidReleaseImage or ReconciliationActive being False',
    ),
    reasons: ['AsExpected', 'Progressing', 'Blocked'],
  },
  Degraded: { ...bubbled('Degraded'), meaning: 'Some part of the control plane lacks replicas.' },
  ReconciliationActive: {
    polarity: 'positive',
    meaning: 'Reconciliation is not paused.',
    source: computed('spec.pausedUntil'),
    reasons: ['AsExpected', 'ReconciliationPaused', 'InvalidPausedUntilValue'],
  },
  ReconciliationSucceeded: {
    polarity: 'positive',
    meaning: 'The last reconcile ended without error.',
    source: computed('the result of the last reconcile'),
    reasons: ['ReconciliatonSucceeded', 'ReconciliationError'],
  },
  ValidConfiguration: {
    polarity: 'positive',
    meaning: 'The spec fits together and fits its surroundings; reconciliation stops when False.',
    source: computed('validateHostedCluster'),
    reasons: ['AsExpected', 'InvalidConfiguration'],
  },
  SupportedHostedCluster: {
    polarity: 'positive',
    meaning: 'This operator, as it is installed, can run such a cluster.',
    source: computed('spec.platform and how the operator was installed'),
    reasons: ['AsExpected', 'UnsupportedHostedCluster'],
  },
  ValidReleaseImage: {
    polarity: 'positive',
    meaning: 'The release can be read and its version may be installed.',
    source: computed('the release image, once per generation'),
    reasons: ['AsExpected', 'InvalidImage', 'SecretNotFound', 'PayloadArchNotFound'],
  },
  ValidProxyConfiguration: {
    polarity: 'positive',
    meaning: 'The trusted CA bundle of the proxy parses and is not expired.',
    source: computed('the ConfigMap of spec.configuration.proxy.trustedCA'),
    reasons: ['AsExpected', 'ProxyCABundleInvalid'],
  },
  PlatformCredentialsFound: {
    polarity: 'positive',
    meaning: 'The credentials of the cloud are there.',
    source: computed('the credentials Secrets'),
    reasons: ['AsExpected', 'PlatformCredentialsNotFound'],
  },
  IgnitionEndpointAvailable: {
    polarity: 'positive',
    meaning: 'New machines can fetch their configuration.',
    source: computed('the ignition-server Deployment'),
    reasons: ['AsExpected', 'WaitingForAvailable', 'NotFound'],
  },
  InfrastructureReady: bubbled('InfrastructureReady'),
  KubeAPIServerAvailable: bubbled('KubeAPIServerAvailable'),
  EtcdAvailable: bubbled('EtcdAvailable'),
  ValidHostedControlPlaneConfiguration: bubbled('ValidHostedControlPlaneConfiguration'),
  ExternalDNSReachable: bubbled('ExternalDNSReachable'),
  ValidReleaseInfo: bubbled('ValidReleaseInfo'),
  ValidIDPConfiguration: bubbled('ValidIDPConfiguration'),
  DataPlaneConnectionAvailable: bubbled('DataPlaneConnectionAvailable'),
  ControlPlaneConnectionAvailable: bubbled('ControlPlaneConnectionAvailable'),
  ConfigOperatorReconciliationSucceeded: bubbled('ConfigOperatorReconciliationSucceeded'),
  EtcdBackupSucceeded: bubbled('EtcdBackupSucceeded'),
  EtcdDataEncryptionUpToDate: bubbled('EtcdDataEncryptionUpToDate'),
  HostedClusterRestoredFromBackup: bubbled('HostedClusterRestoredFromBackup'),
  CloudResourcesDestroyed: bubbled('CloudResourcesDestroyed'),
  ClusterVersionSucceeding: {
    polarity: 'positive',
    meaning: 'The version operator of the hosted cluster goes on without failures.',
    source: inverted('HostedControlPlane', 'ClusterVersionFailing'),
    reasons: ['FromClusterVersion', 'StatusUnknown'],
  },
  ClusterVersionAvailable: bubbled('ClusterVersionAvailable'),
  ClusterVersionReleaseAccepted: bubbled('ClusterVersionReleaseAccepted'),
  ClusterVersionUpgradeable: bubbled('ClusterVersionUpgradeable'),
  ClusterVersionProgressing: bubbled('ClusterVersionProgressing'),
  ClusterVersionRetrievedUpdates: {
    ...bubbled('ClusterVersionRetrievedUpdates'),
    present: 'once the version operator knows',
  },
  UnmanagedEtcdAvailable: {
    polarity: 'positive',
    meaning: 'The client certificate for the foreign etcd is complete.',
    source: computed('the Secret of spec.etcd.unmanaged.tls.clientSecret'),
    reasons: ['UnmanagedEtcdAsExpected', 'UnmanagedEtcdMisconfigured'],
    present: 'with spec.etcd.managementType Unmanaged',
  },
  EtcdRecoveryActive: {
    polarity: 'negative',
    meaning: 'A broken etcd member is being replaced.',
    source: computed('the etcd recovery Job'),
    reasons: ['AsExpected', 'EtcdRecoveryJobFailed'],
    present: 'with three managed etcd members and recovery switched on',
  },
  AutoNodeEnabled: {
    polarity: 'informational',
    meaning: 'Karpenter makes nodes for this cluster.',
    source: computed('spec.autoNode and the Karpenter components'),
    reasons: ['AsExpected', 'AutoNodeProgressing', 'AutoNodeNotConfigured', 'AutoNodeEvaluationFailed'],
  },
  ClusterSizeComputed: {
    polarity: 'informational',
    meaning: 'The size class the cluster should have is known; the reason is its name.',
    source: computed('the number of nodes and ClusterSizingConfiguration'),
    reasons: [],
  },
  ClusterSizeTransitionPending: {
    polarity: 'informational',
    meaning: 'A change of the size class waits for its turn.',
    source: computed('transition delays and limits of ClusterSizingConfiguration'),
    reasons: ['ClusterSizeTransitioned', 'TransitionDelayNotElapsed', 'ConcurrencyLimitReached'],
  },
  ClusterSizeTransitionRequired: {
    polarity: 'informational',
    meaning: 'The cluster has another size class than it should have; the reason is the wanted one.',
    source: computed('ClusterSizeComputed and the size label'),
    reasons: ['AsExpected'],
  },
  HostedClusterDestroyed: {
    polarity: 'informational',
    meaning: 'Everything is gone; the object stays for its grace period.',
    source: computed('deletion and the destroy-grace-period annotation'),
    reasons: ['WaitingForGracePeriod'],
    present: 'during the grace period after deletion',
  },
  IgnitionServerValidReleaseInfo: {
    polarity: 'positive',
    meaning: 'The ignition server found every image it needs; declared by the API, written by nobody.',
    source: computed('nothing'),
    reasons: [],
    present: 'never',
  },
  ...hostedClusterPlatformConditions,
} as const satisfies ConditionCatalogue;

export type HostedClusterConditionType = keyof typeof hostedClusterConditions;
