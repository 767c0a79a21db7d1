import type { AnnotationFacts } from './annotation-facts.ts';

/** Annotations a user sets to steer checks, restarts, deletion and what runs at all. */
export const lifeCycleAnnotations = {
  skipReleaseImageValidation: {
    key: 'hypershift.openshift.io/skip-release-image-validation',
    on: ['HostedCluster'],
    meaning: 'Present: releases of the cluster and its pools are not checked for version rules.',
  },
  forceUpgradeTo: {
    key: 'hypershift.openshift.io/force-upgrade-to',
    on: ['HostedCluster'],
    meaning:
      'A release image; the upgrade to exactly this image goes on although the cluster says it is not upgradeable.',
  },
  restartDate: {
    key: 'hypershift.openshift.io/restart-date',
    on: ['HostedCluster'],
    meaning:
      'Any new value restarts every pod of the control plane once; carried over to the HostedControlPlane once per value.',
  },
  scope: {
    key: 'hypershift.openshift.io/scope',
    on: ['HostedCluster'],
    meaning: 'Only the operator started with this scope takes care of the cluster.',
  },
  cleanupCloudResources: {
    key: 'hypershift.openshift.io/cleanup-cloud-resources',
    on: ['HostedCluster'],
    mirrored: true,
    meaning:
      '"true": deleting the cluster first removes load balancers, volumes, names and buckets it made in the cloud.',
  },
  destroyGracePeriod: {
    key: 'hypershift.openshift.io/destroy-grace-period',
    on: ['HostedCluster'],
    meaning: 'A Go duration; how long the object stays, marked HostedClusterDestroyed, after everything is gone.',
  },
  skipDeleteHostedControlplaneNamespace: {
    key: 'hypershift.openshift.io/skip-delete-hosted-controlplane-namespace',
    on: ['HostedCluster'],
    meaning: '"true": the namespace of the control plane survives the cluster.',
  },
  restoredFromBackup: {
    key: 'hypershift.openshift.io/restored-from-backup',
    on: ['HostedCluster'],
    mirrored: true,
    meaning: 'Set by a restore; drives HostedClusterRestoredFromBackup and is then removed.',
  },
  disablePkiReconciliation: {
    key: 'hypershift.openshift.io/disable-pki-reconciliation',
    on: ['HostedCluster'],
    mirrored: true,
    meaning: 'Present: somebody else makes the certificates.',
  },
  skipKasConflictSanValidation: {
    key: 'hypershift.openshift.io/skip-kas-conflict-san-validation',
    on: ['HostedCluster'],
    meaning: 'Present: names in serving certificates may collide with internal names of the API server.',
  },
  disableMachineManagement: {
    key: 'hypershift.openshift.io/disable-machine-management',
    on: ['HostedCluster'],
    mirrored: true,
    meaning: 'Present: no Cluster API, no autoscaler, no approval of machines.',
  },
  disableIgnitionServer: {
    key: 'hypershift.openshift.io/disable-ignition-server',
    on: ['HostedCluster'],
    mirrored: true,
    meaning: 'Present: no ignition server runs.',
  },
  disableMonitoringServices: {
    key: 'hypershift.openshift.io/disable-monitoring-services',
    on: ['HostedCluster', 'HostedControlPlane'],
    meaning: 'Present: monitoring parts are left out.',
  },
  disableProfiling: {
    key: 'hypershift.openshift.io/disable-profiling',
    on: ['HostedCluster'],
    mirrored: true,
    meaning:
      'Comma separated components among kube-apiserver, kube-controller-manager and kube-scheduler that serve no profiles.',
  },
  enableMetricsForwarding: {
    key: 'hypershift.openshift.io/enable-metrics-forwarding',
    on: ['HostedCluster'],
    mirrored: true,
    meaning: 'Old way to forward metrics; used only while spec.monitoring.metricsForwarding.mode is unset.',
  },
  debugDeployments: {
    key: 'hypershift.openshift.io/debug-deployments',
    on: ['HostedCluster'],
    mirrored: true,
    meaning: 'Comma separated Deployments held at zero replicas, so that somebody can run them elsewhere.',
  },
  ensureexistsPullsecretReconcile: {
    key: 'hypershift.openshift.io/ensureexists-pullsecret-reconcile',
    on: ['HostedCluster'],
    mirrored: true,
    meaning: 'Present: the pull secret in the hosted cluster is created once and then left alone.',
  },
  podSecurityAdmissionLabelOverride: {
    key: 'hypershift.openshift.io/pod-security-admission-label-override',
    on: ['HostedCluster'],
    meaning: 'Level written into the three pod security labels of the control plane namespace.',
  },
  allowUnsupportedKubevirtRhcosVariants: {
    key: 'hypershift.openshift.io/allow-unsupported-kubevirt-rhcos-variants',
    on: ['HostedCluster', 'NodePool'],
    meaning: '"true": versions of the KubeVirt infrastructure are not checked.',
  },
  kubevirtVmJsonpatch: {
    key: 'hypershift.openshift.io/kubevirt-vm-jsonpatch',
    on: ['HostedCluster', 'NodePool'],
    meaning: 'A JSON Patch applied to the virtual machine template.',
  },
  hostedClusterSourced: {
    key: 'hypershift.openshift.io/hosted-cluster-sourced',
    on: ['Secret', 'ConfigMap'],
    meaning: 'Present: the object comes from the hosted cluster, which stays its owner.',
  },
  karpenterCoreE2eOverride: {
    key: 'hypershift.openshift.io/karpenter-core-e2e-override',
    on: ['HostedCluster'],
    meaning: 'For tests of Karpenter only.',
  },
  swiftPodNetworkInstance: {
    key: 'hypershift.openshift.io/swift-pod-network-instance',
    on: ['HostedCluster'],
    mirrored: true,
    meaning: 'Pod network instance of Azure Swift networking.',
  },
  azureResourceId: {
    key: 'azure.microsoft.com/hcp-cluster-azure-resource-id',
    on: ['HostedCluster'],
    meaning: 'Azure resource of a managed cluster; copied to the control plane namespace.',
  },
} as const satisfies { readonly [name: string]: AnnotationFacts };
