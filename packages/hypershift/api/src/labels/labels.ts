import type { LabelFacts } from './label-facts.ts';

/** Labels of HyperShift by their name in code: `labels.nodePool.key`. */
export const labels = {
  hostedControlPlane: {
    key: 'hypershift.openshift.io/hosted-control-plane',
    on: ['Namespace', 'Pod', 'Route'],
    meaning: '"true" on the namespace of a control plane; on pods and Routes the name of that namespace.',
  },
  controlPlaneComponent: {
    key: 'hypershift.openshift.io/control-plane-component',
    on: ['Pod'],
    meaning: 'Name of the component the pod belongs to.',
  },
  managedBy: {
    key: 'hypershift.openshift.io/managed-by',
    on: ['Deployment', 'StatefulSet'],
    meaning: 'Who manages the workload; Degraded looks at those of control-plane-operator.',
  },
  requestServingComponent: {
    key: 'hypershift.openshift.io/request-serving-component',
    on: ['Pod', 'Node'],
    meaning: 'In the path of API requests; may get nodes of its own.',
  },
  needManagementKasAccess: {
    key: 'hypershift.openshift.io/need-management-kas-access',
    on: ['Pod'],
    meaning: '"true": the pod may talk to the API server of the management cluster.',
  },
  needMetricsServerAccess: {
    key: 'hypershift.openshift.io/need-metrics-server-access',
    on: ['Pod'],
    meaning: '"true": the pod may talk to the metrics store of the management cluster.',
  },
  allowGuestWebhooks: {
    key: 'hypershift.openshift.io/allow-guest-webhooks',
    on: ['Service'],
    meaning: '"true": webhooks of the hosted cluster may point at the Service.',
  },
  hostedClusterSize: {
    key: 'hypershift.openshift.io/hosted-cluster-size',
    on: ['HostedCluster'],
    meaning: 'Size class of the cluster.',
  },
  cluster: {
    key: 'hypershift.openshift.io/cluster',
    on: ['Node'],
    meaning: 'Control plane namespace a node is reserved for.',
  },
  clusterName: {
    key: 'hypershift.openshift.io/cluster-name',
    on: ['Node'],
    meaning: 'Name of the HostedCluster a node is reserved for.',
  },
  clusterNamespace: {
    key: 'hypershift.openshift.io/cluster-namespace',
    on: ['Node'],
    meaning: 'Namespace of the HostedCluster a node is reserved for.',
  },
  controlPlane: {
    key: 'hypershift.openshift.io/control-plane',
    on: ['Node'],
    meaning: '"true": the node is meant for control planes.',
  },
  clusterSize: {
    key: 'hypershift.openshift.io/cluster-size',
    on: ['Node'],
    meaning: 'Size class a request serving node is made for.',
  },
  requestServingGomemlimit: {
    key: 'hypershift.openshift.io/request-serving-gomemlimit',
    on: ['Node'],
    meaning: 'Memory limit for the API server on a request serving node.',
  },
  servingPair: {
    key: 'hypershift.openshift.io/pairlabel',
    on: ['Node'],
    meaning: 'Nodes with the same value form a request serving pair.',
  },
  routeVisibility: {
    key: 'hypershift.openshift.io/route-visibility',
    on: ['Route'],
    meaning: 'private: the Route is kept out of public DNS.',
  },
  internalRoute: {
    key: 'hypershift.openshift.io/internal-route',
    on: ['Route'],
    meaning: '"true": the Route is served inside the management cluster only.',
  },
  infraId: {
    key: 'hypershift.openshift.io/infra-id',
    on: ['objects outside the control plane namespace'],
    meaning: 'Infrastructure ID of the cluster the object belongs to.',
  },
  nodepoolName: {
    key: 'hypershift.openshift.io/nodepool-name',
    on: ['objects of a pool'],
    meaning: 'Name of the NodePool the object belongs to.',
  },
  isKubevirtRhcos: {
    key: 'hypershift.openshift.io/is-kubevirt-rhcos',
    on: ['DataVolume'],
    meaning: '"true": a cached boot image.',
  },
  autoCreatedForInfra: {
    key: 'hypershift.openshift.io/auto-created-for-infra',
    on: ['objects made by the command line'],
    meaning: 'Infrastructure ID the object was made for.',
  },
  safeToDeleteWithCluster: {
    key: 'hypershift.openshift.io/safe-to-delete-with-cluster',
    on: ['objects made by the command line'],
    meaning: '"true": destroying the cluster removes the object too.',
  },
  nodePool: {
    key: 'hypershift.openshift.io/nodePool',
    on: ['Node'],
    meaning: 'Name of the NodePool the node belongs to.',
  },
  nodepoolGlobalpsEnabled: {
    key: 'hypershift.openshift.io/nodepool-globalps-enabled',
    on: ['Node'],
    meaning: '"true": the pull secret of the hosted cluster is synchronised to the node.',
  },
  interruptibleInstance: {
    key: 'hypershift.openshift.io/interruptible-instance',
    on: ['Node', 'Machine'],
    meaning: 'Present: the cloud may take the machine away.',
  },
  managedByKarpenter: {
    key: 'hypershift.openshift.io/managed-by-karpenter',
    on: ['Node'],
    meaning: '"true": Karpenter made the node.',
  },
  coreIgnitionConfig: {
    key: 'hypershift.openshift.io/core-ignition-config',
    on: ['ConfigMap'],
    meaning: '"true": part of the configuration of every machine.',
  },
  tunedConfig: {
    key: 'hypershift.openshift.io/tuned-config',
    on: ['ConfigMap'],
    meaning: '"true": holds Tuned objects of a pool.',
  },
  performanceprofileConfig: {
    key: 'hypershift.openshift.io/performanceprofile-config',
    on: ['ConfigMap'],
    meaning: '"true": holds the PerformanceProfile of a pool.',
  },
  kubeletconfigConfig: {
    key: 'hypershift.openshift.io/kubeletconfig-config',
    on: ['ConfigMap'],
    meaning: '"true": holds a KubeletConfig of a pool.',
  },
  containerruntimeconfigConfig: {
    key: 'hypershift.openshift.io/containerruntimeconfig-config',
    on: ['ConfigMap'],
    meaning: '"true": holds a ContainerRuntimeConfig of a pool.',
  },
  ntoGeneratedMachineConfig: {
    key: 'hypershift.openshift.io/nto-generated-machine-config',
    on: ['ConfigMap'],
    meaning: '"true": machine configuration made by the node tuning operator.',
  },
  ntoGeneratedPerformanceProfileStatus: {
    key: 'hypershift.openshift.io/nto-generated-performance-profile-status',
    on: ['ConfigMap'],
    meaning: '"true": status of a PerformanceProfile written by the node tuning operator.',
  },
  mirroredConfig: {
    key: 'hypershift.openshift.io/mirrored-config',
    on: ['ConfigMap'],
    meaning: '"true": a copy of a ConfigMap of a pool inside the hosted cluster.',
  },
  supportedVersions: {
    key: 'hypershift.openshift.io/supported-versions',
    on: ['ConfigMap'],
    meaning: '"true": lists the releases this operator supports.',
  },
  silenceClusterAlerts: {
    key: 'hypershift.openshift.io/silence-cluster-alerts',
    on: ['HostedCluster'],
    meaning: 'Present: alerts of the cluster are not raised.',
  },
  monitoring: {
    key: 'hypershift.openshift.io/monitoring',
    on: ['Namespace'],
    meaning: '"true": the namespace takes part in monitoring.',
  },
  ami: { key: 'hypershift.openshift.io/ami', on: ['Secret'], meaning: 'Boot image of user data for Karpenter.' },
  managed: {
    key: 'hypershift.openshift.io/managed',
    on: ['objects in the hosted cluster'],
    meaning: '"true": the operators watch the object.',
  },
  capiClusterName: {
    key: 'cluster.x-k8s.io/cluster-name',
    on: ['Cluster API objects'],
    meaning: 'Name of the Cluster, which is the infrastructure ID.',
  },
} as const satisfies { readonly [name: string]: LabelFacts };

/** Labels of a HostedCluster with this prefix are mirrored to its HostedControlPlane, removals included. */
export const mirroredLabelPrefix = 'api.openshift.com/';
