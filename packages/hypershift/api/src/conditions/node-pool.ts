import { aggregated, computed, copied, type ConditionCatalogue } from './condition-facts.ts';

const profile = (type: string, polarity: 'positive' | 'negative', meaning: string) => ({
  polarity,
  meaning,
  source: copied('the status ConfigMap of the PerformanceProfile', type),
  reasons: [],
  present: 'with a PerformanceProfile in spec.tuningConfig',
});

/** Conditions of a NodePool. */
export const nodePoolConditions = {
  Ready: {
    polarity: 'positive',
    meaning: 'The machines of the pool are as many and as ready as wanted.',
    source: computed(
      'Ready of the MachineDeployment (Replace) or MachineSet (InPlace); with auto repair also whether repairing is allowed',
    ),
    reasons: ['AsExpected', 'TooManyUnhealthy'],
  },
  AllMachinesReady: {
    polarity: 'positive',
    meaning: 'Every machine of the pool is ready.',
    source: aggregated('Machine', 'Ready'),
    reasons: ['AsExpected', 'NotFound', 'FailedToGet', 'ReasonsTruncated'],
  },
  AllNodesHealthy: {
    polarity: 'positive',
    meaning: 'Every node of the pool is healthy.',
    source: aggregated('Machine', 'NodeHealthy'),
    reasons: ['AsExpected', 'NotFound', 'FailedToGet', 'ReasonsTruncated'],
  },
  UpdatingVersion: {
    polarity: 'negative',
    meaning: 'Machines move to another release.',
    source: computed('the running and the wanted release'),
    reasons: ['AsExpected', 'InplaceUpgradeFailed'],
  },
  UpdatingConfig: {
    polarity: 'negative',
    meaning: 'Machines move to another configuration.',
    source: computed('the running and the wanted configuration hash'),
    reasons: ['AsExpected', 'InplaceUpgradeFailed'],
  },
  UpdatingPlatformMachineTemplate: {
    polarity: 'negative',
    meaning: 'Machines move to another machine template of their cloud.',
    source: computed('the running and the wanted template'),
    reasons: ['AsExpected'],
  },
  ValidReleaseImage: {
    polarity: 'positive',
    meaning: 'The release can be read and may be installed.',
    source: computed('spec.release and the release of the HostedCluster'),
    reasons: ['AsExpected', 'ValidationFailed'],
  },
  SupportedVersionSkew: {
    polarity: 'positive',
    meaning: 'The pool is neither newer nor much older than its control plane; it is only told, nothing stops.',
    source: computed('versions of pool and control plane'),
    reasons: ['AsExpected', 'UnsupportedSkew', 'ValidationFailed'],
  },
  ValidMachineConfig: {
    polarity: 'positive',
    meaning: 'Every ConfigMap of spec.config exists and is understood.',
    source: computed('spec.config'),
    reasons: ['AsExpected', 'ValidationFailed'],
  },
  ValidTuningConfig: {
    polarity: 'positive',
    meaning: 'Every ConfigMap of spec.tuningConfig exists and is understood.',
    source: computed('spec.tuningConfig'),
    reasons: ['AsExpected', 'ValidationFailed'],
  },
  ValidPlatformImage: {
    polarity: 'positive',
    meaning: 'A boot image for the platform was found in the release.',
    source: computed('spec.platform and the release'),
    reasons: ['AsExpected', 'ValidationFailed'],
    present: 'unless the user chose the image',
  },
  ValidPlatformConfig: {
    polarity: 'positive',
    meaning: 'The platform settings fit together and fit what the cloud has.',
    source: computed('validateNodePool and the cloud'),
    reasons: ['AsExpected', 'ValidationFailed', 'AWSError'],
  },
  ValidArchPlatform: {
    polarity: 'positive',
    meaning: 'The platform has machines of this architecture and the release supports it.',
    source: computed('spec.arch, spec.platform.type and status.payloadArch of the HostedCluster'),
    reasons: ['AsExpected', 'InvalidArchPlatform'],
  },
  ValidGeneratedPayload: {
    polarity: 'positive',
    meaning: 'The ignition server made a configuration for the machines.',
    source: copied('token Secret', 'reason and message'),
    reasons: ['AsExpected', 'NotFound', 'FailedToGet'],
  },
  ReachedIgnitionEndpoint: {
    polarity: 'positive',
    meaning: 'At least one machine fetched its configuration.',
    source: copied('token Secret', 'annotation ignition-reached'),
    reasons: ['AsExpected', 'ignitionNotReached', 'NotFound', 'FailedToGet'],
  },
  IgnitionEndpointAvailable: {
    polarity: 'positive',
    meaning: 'The ignition server can be reached.',
    source: computed('status.ignitionEndpoint of the HostedCluster and the CA Secret'),
    reasons: ['IgnitionEndpointMissing', 'IgnitionCACertMissing', 'ExternalDNSHostNotReachable'],
    present: 'while False',
  },
  AutoscalingEnabled: {
    polarity: 'informational',
    meaning: 'The number of machines follows the load.',
    source: computed('spec.autoScaling'),
    reasons: ['AsExpected'],
  },
  AutorepairEnabled: {
    polarity: 'informational',
    meaning: 'Unhealthy machines are replaced; True only after one machine reached ignition.',
    source: computed('spec.management.autoRepair and ReachedIgnitionEndpoint'),
    reasons: ['AsExpected', 'ignitionNotReached'],
  },
  UpdateManagementEnabled: {
    polarity: 'positive',
    meaning: 'The way of updating the machines is understood.',
    source: computed('spec.management'),
    reasons: ['AsExpected', 'ValidationFailed'],
  },
  ReconciliationActive: {
    polarity: 'positive',
    meaning: 'Reconciliation is not paused.',
    source: computed('spec.pausedUntil'),
    reasons: ['ReconciliationActive', 'ReconciliationPaused', 'InvalidPausedUntilValue'],
  },
  AWSSecurityGroupAvailable: {
    polarity: 'positive',
    meaning: 'The default security group of worker nodes exists.',
    source: computed('status.platform.aws of the HostedCluster'),
    reasons: ['AsExpected', 'DefaultSGNotReady'],
    present: 'on AWS',
  },
  AWSResourceTagConflict: {
    polarity: 'negative',
    meaning: 'A tag of the pool contradicts one of the cluster that may not be overridden.',
    source: computed('resource tags of pool and cluster'),
    reasons: ['TagConflictDetected', 'NoTagConflict'],
    present: 'on AWS',
  },
  ClusterNetworkCIDRConflict: {
    polarity: 'negative',
    meaning: 'A machine has an address inside the pod network.',
    source: computed('addresses of Machines and spec.networking.clusterNetwork'),
    reasons: ['InvalidConfiguration'],
    present: 'while True',
  },
  ValidMachineTemplate: {
    polarity: 'positive',
    meaning: 'A machine template can be made of the spec.',
    source: computed('spec.platform'),
    reasons: ['InvalidKubevirtMachineTemplate', 'InvalidOpenStackMachineTemplate'],
    present: 'while False',
  },
  KubeVirtNodesLiveMigratable: {
    polarity: 'positive',
    meaning: 'Every virtual machine of the pool can be moved while it runs.',
    source: aggregated('KubevirtMachine', 'VMLiveMigratable'),
    reasons: ['AsExpected', 'KubeVirtNodesNotLiveMigratable'],
    present: 'with KubeVirt machines',
  },
  'performance.operator.openshift.io/Available': profile(
    'Available',
    'positive',
    'The performance profile is in force.',
  ),
  'performance.operator.openshift.io/Progressing': profile(
    'Progressing',
    'negative',
    'The performance profile is being applied.',
  ),
  'performance.operator.openshift.io/Upgradeable': profile(
    'Upgradeable',
    'positive',
    'The performance profile allows upgrades.',
  ),
  'performance.operator.openshift.io/Degraded': profile(
    'Degraded',
    'negative',
    'The performance profile cannot be applied.',
  ),
} as const satisfies ConditionCatalogue;

export type NodePoolConditionType = keyof typeof nodePoolConditions;
