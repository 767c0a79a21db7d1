import type { AnnotationFacts } from './annotation-facts.ts';

/** Annotations the operators write and read; users leave them alone. */
export const bookkeepingAnnotations = {
  cluster: {
    key: 'hypershift.openshift.io/cluster',
    on: ['every object the operators create'],
    meaning: 'namespace/name of the HostedCluster; leads events back to it.',
  },
  hasBeenAvailable: {
    key: 'hypershift.openshift.io/HasBeenAvailable',
    on: ['HostedCluster'],
    meaning: '"true" after the cluster was available once.',
  },
  managementPlatform: {
    key: 'hypershift.openshift.io/management-platform',
    on: ['HostedCluster'],
    mirrored: true,
    meaning: 'Infrastructure platform of the management cluster.',
  },
  disableClusterAutoscaler: {
    key: 'hypershift.openshift.io/disable-cluster-autoscaler',
    on: ['HostedControlPlane'],
    meaning: '"true" while no pool scales itself.',
  },
  disableAwsNodeTerminationHandler: {
    key: 'hypershift.openshift.io/disable-aws-node-termination-handler',
    on: ['HostedControlPlane'],
    meaning: '"true" while no pool uses spot machines.',
  },
  previousRestartDate: {
    key: 'hypershift.openshift.io/previous-restart-date',
    on: ['HostedControlPlane'],
    meaning: 'Last restart date that was carried out.',
  },
  kasServingCertHash: {
    key: 'hypershift.openshift.io/kas-serving-cert-hash',
    on: ['HostedControlPlane'],
    meaning: 'Hash of the serving certificate; a change restarts what keeps connections.',
  },
  lastAppliedSecurityGroupTags: {
    key: 'hypershift.openshift.io/last-applied-security-group-tags',
    on: ['HostedControlPlane'],
    meaning: 'Tags last written to the default security group.',
  },
  defaultSecurityContextUid: {
    key: 'hypershift.openshift.io/default-security-context-uid',
    on: ['Namespace'],
    meaning: 'User id control plane pods run as where the platform assigns none.',
  },
  nodePool: {
    key: 'hypershift.openshift.io/nodePool',
    on: ['Cluster API objects', 'Secret'],
    meaning: 'namespace/name of the NodePool.',
  },
  nodePoolCurrentConfig: {
    key: 'hypershift.openshift.io/nodePoolCurrentConfig',
    on: ['NodePool'],
    meaning: 'Configuration hash, without the version, that the machines run.',
  },
  nodePoolCurrentConfigVersion: {
    key: 'hypershift.openshift.io/nodePoolCurrentConfigVersion',
    on: ['NodePool', 'MachineSet'],
    meaning: 'Configuration and version hash that the machines run.',
  },
  nodePoolTargetConfigVersion: {
    key: 'hypershift.openshift.io/nodePoolTargetConfigVersion',
    on: ['MachineSet'],
    meaning: 'Configuration and version hash that the machines should run.',
  },
  nodePoolUpgradeInProgressTrue: {
    key: 'hypershift.openshift.io/nodePoolUpgradeInProgressTrue',
    on: ['MachineSet'],
    meaning: 'Message while an upgrade in place is under way.',
  },
  nodePoolUpgradeInProgressFalse: {
    key: 'hypershift.openshift.io/nodePoolUpgradeInProgressFalse',
    on: ['MachineSet'],
    meaning: 'Message when an upgrade in place stopped.',
  },
  nodePoolMaxUnavailable: {
    key: 'hypershift.openshift.io/nodePoolMaxUnavailable',
    on: ['MachineSet'],
    meaning: 'How many machines may be upgraded in place at once.',
  },
  nodePoolPlatformMachineTemplate: {
    key: 'hypershift.openshift.io/nodePoolPlatformMachineTemplate',
    on: ['NodePool'],
    meaning: 'Machine template in use.',
  },
  nodePoolTaints: {
    key: 'hypershift.openshift.io/nodePoolTaints',
    on: ['Machine'],
    meaning: 'Taints of the pool as JSON, for the node of the machine.',
  },
  canonicalDataPlaneImages: {
    key: 'hypershift.openshift.io/canonical-data-plane-images',
    on: ['NodePool'],
    meaning:
      'Images in the configuration hash are named as in the release, not as mirrored; keeps old pools from rolling.',
  },
  nodepoolSupportsKubevirtTopologySpreadConstraints: {
    key: 'hypershift.openshift.io/nodepool-supports-kubevirt-topology-spread-constraints',
    on: ['NodePool'],
    meaning: 'The machine template spreads virtual machines by topology; keeps old pools from rolling.',
  },
  autoscalerMinSize: {
    key: 'cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size',
    on: ['MachineDeployment', 'MachineSet'],
    meaning: 'Fewest machines the autoscaler leaves.',
  },
  autoscalerMaxSize: {
    key: 'cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size',
    on: ['MachineDeployment', 'MachineSet'],
    meaning: 'Most machines the autoscaler makes.',
  },
  ignitionConfig: {
    key: 'hypershift.openshift.io/ignition-config',
    on: ['Secret'],
    meaning: 'The Secret is a token for fetching machine configuration.',
  },
  ignitionReached: {
    key: 'hypershift.openshift.io/ignition-reached',
    on: ['Secret'],
    meaning: '"True" after a machine used the token.',
  },
  lastTokenGenerationTime: {
    key: 'hypershift.openshift.io/last-token-generation-time',
    on: ['Secret'],
    meaning: 'When the token was last renewed.',
  },
  ignitionTokenExpirationTimestamp: {
    key: 'hypershift.openshift.io/ignition-token-expiration-timestamp',
    on: ['Secret'],
    meaning: 'When an outdated token Secret may be removed.',
  },
  nodePoolUpgradeType: {
    key: 'hypershift.openshift.io/node-pool-upgrade-type',
    on: ['Secret'],
    meaning: 'Replace or InPlace; in place pools keep their tokens.',
  },
  releaseVersion: {
    key: 'hypershift.openshift.io/release-version',
    on: ['Secret', 'Machine'],
    meaning: 'Release the machines run; feeds status.nodesInfo.',
  },
  releaseImage: {
    key: 'hypershift.openshift.io/release-image',
    on: ['Deployment', 'Pod'],
    meaning: 'Release image the workload belongs to.',
  },
  configHash: {
    key: 'component.hypershift.openshift.io/config-hash',
    on: ['Pod'],
    meaning: 'Hash of the mounted Secrets and ConfigMaps; a change restarts the pods.',
  },
  desiredStateHash: {
    key: 'hypershift.openshift.io/desired-state-hash',
    on: ['every object of a component'],
    meaning: 'Hash of the wanted object; equal means there is nothing to write.',
  },
  labelsSynced: {
    key: 'hypershift.openshift.io/labelsSynced',
    on: ['Node'],
    meaning: '"true" after labels and taints of the pool were set once.',
  },
  externalDnsHostname: {
    key: 'external-dns.alpha.kubernetes.io/hostname',
    on: ['Service', 'Route'],
    meaning: 'Name external-dns registers.',
  },
  certificateValidity: {
    key: 'hypershift.openshift.io/certificate-validity',
    on: ['HostedCluster', 'Secret'],
    meaning: 'Life of the certificate instead of the usual one, such as `4000h`; on a cluster that of all it makes.',
  },
  certificateRenewal: {
    key: 'hypershift.openshift.io/certificate-renewal',
    on: ['HostedCluster', 'Secret'],
    meaning:
      'Share of its life before whose end a certificate is renewed, such as `0.3`; on a cluster for all it makes.',
  },
} as const satisfies { readonly [name: string]: AnnotationFacts };
