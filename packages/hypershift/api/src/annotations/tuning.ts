import type { AnnotationFacts } from './annotation-facts.ts';

/** Annotations a user sets to tune sizes, limits, publishing and repairs. */
export const tuningAnnotations = {
  controlPlanePriorityClass: {
    key: 'hypershift.openshift.io/control-plane-priority-class',
    on: ['HostedCluster'],
    mirrored: true,
    meaning: 'Priority class of most control plane pods instead of hypershift-control-plane.',
  },
  apiCriticalPriorityClass: {
    key: 'hypershift.openshift.io/api-critical-priority-class',
    on: ['HostedCluster'],
    mirrored: true,
    meaning: 'Priority class of pods in the path of API requests instead of hypershift-api-critical.',
  },
  etcdPriorityClass: {
    key: 'hypershift.openshift.io/etcd-priority-class',
    on: ['HostedCluster'],
    mirrored: true,
    meaning: 'Priority class of etcd instead of hypershift-etcd.',
  },
  topology: {
    key: 'hypershift.openshift.io/topology',
    on: ['HostedCluster'],
    mirrored: true,
    meaning: 'dedicated-request-serving-components: request serving pods get nodes of their own.',
  },
  requestServingNodeAdditionalSelector: {
    key: 'hypershift.openshift.io/request-serving-node-additional-selector',
    on: ['HostedCluster'],
    mirrored: true,
    meaning: 'Further node labels, k=v comma separated, that request serving nodes must carry.',
  },
  clusterScheduled: {
    key: 'hypershift.openshift.io/cluster-scheduled',
    on: ['HostedCluster'],
    meaning: '"true" once dedicated nodes were assigned.',
  },
  clusterSizeOverride: {
    key: 'hypershift.openshift.io/cluster-size-override',
    on: ['HostedCluster'],
    meaning: 'Size class to use whatever the cluster looks like.',
  },
  resourceBasedCpAutoScaling: {
    key: 'hypershift.openshift.io/resource-based-cp-auto-scaling',
    on: ['HostedCluster'],
    meaning: '"true": the size class follows the use of the API server instead of the number of nodes.',
  },
  recommendedClusterSize: {
    key: 'hypershift.openshift.io/recommended-cluster-size',
    on: ['HostedCluster'],
    meaning: 'Size class the autoscaler recommends.',
  },
  kubeApiserverGogc: {
    key: 'hypershift.openshift.io/kube-apiserver-gogc',
    on: ['HostedCluster'],
    mirrored: true,
    meaning: 'Garbage collection target of the API server.',
  },
  kubeApiserverGomemlimit: {
    key: 'hypershift.openshift.io/kube-apiserver-gomemlimit',
    on: ['HostedCluster'],
    mirrored: true,
    meaning: 'Soft memory limit of the API server.',
  },
  kubeApiserverMaxRequestsInflight: {
    key: 'hypershift.openshift.io/kube-apiserver-max-requests-inflight',
    on: ['HostedCluster'],
    mirrored: true,
    meaning: 'Reading requests the API server handles at once.',
  },
  kubeApiserverMaxMutatingRequestsInflight: {
    key: 'hypershift.openshift.io/kube-apiserver-max-mutating-requests-inflight',
    on: ['HostedCluster'],
    mirrored: true,
    meaning: 'Writing requests the API server handles at once.',
  },
  kubeApiserverVerbosityLevel: {
    key: 'hypershift.openshift.io/kube-apiserver-verbosity-level',
    on: ['HostedCluster'],
    mirrored: true,
    meaning: 'Log level of the API server.',
  },
  kubeApiserverGoawayChance: {
    key: 'hypershift.openshift.io/kube-apiserver-goaway-chance',
    on: ['HostedCluster'],
    mirrored: true,
    meaning: 'Chance that the API server asks a client to reconnect, which spreads load.',
  },
  kubeApiserverServiceAccountTokenMaxExpiration: {
    key: 'hypershift.openshift.io/kube-apiserver-service-account-token-max-expiration',
    on: ['HostedCluster'],
    mirrored: true,
    meaning: 'Longest life of service account tokens; a Go duration of at least 600s.',
  },
  machineHealthCheckTimeout: {
    key: 'hypershift.openshift.io/machine-health-check-timeout',
    on: ['NodePool', 'HostedCluster'],
    meaning: 'How long a node may be unhealthy before its machine is replaced; the pool wins over the cluster.',
  },
  machineHealthCheckNodeStartupTimeout: {
    key: 'hypershift.openshift.io/machine-health-check-node-startup-timeout',
    on: ['NodePool', 'HostedCluster'],
    meaning: 'How long a machine may take to become a node.',
  },
  machineHealthCheckMaxUnhealthy: {
    key: 'hypershift.openshift.io/machine-health-check-max-unhealthy',
    on: ['NodePool', 'HostedCluster'],
    meaning: 'How many unhealthy machines stop all repairs.',
  },
  privateIngressController: {
    key: 'hypershift.openshift.io/private-ingress-controller',
    on: ['HostedCluster'],
    mirrored: true,
    meaning: '"true": the default ingress of the hosted cluster is not published.',
  },
  ingressControllerLoadBalancerScope: {
    key: 'hypershift.openshift.io/ingress-controller-load-balancer-scope',
    on: ['HostedCluster'],
    mirrored: true,
    meaning: 'Internal or External load balancer of the default ingress.',
  },
  awsLoadBalancerHealthProbeMode: {
    key: 'hypershift.openshift.io/aws-load-balancer-health-probe-mode',
    on: ['HostedCluster'],
    mirrored: true,
    meaning: 'Shared or ServiceNodePort health probes of AWS load balancers.',
  },
  azureLoadBalancerHealthProbeMode: {
    key: 'hypershift.openshift.io/azure-load-balancer-health-probe-mode',
    on: ['HostedCluster'],
    mirrored: true,
    meaning: 'shared or servicenodeport health probes of Azure load balancers.',
  },
  sharedLoadBalancerHealthProbePath: {
    key: 'hypershift.openshift.io/shared-load-balancer-health-probe-path',
    on: ['HostedCluster'],
    mirrored: true,
    meaning: 'Path of shared health probes, /healthz when not given.',
  },
  sharedLoadBalancerHealthProbePort: {
    key: 'hypershift.openshift.io/shared-load-balancer-health-probe-port',
    on: ['HostedCluster'],
    mirrored: true,
    meaning: 'Port of shared health probes, 10256 when not given.',
  },
  awsLoadBalancerTargetNodeLabels: {
    key: 'hypershift.openshift.io/aws-load-balancer-target-node-labels',
    on: ['HostedCluster'],
    mirrored: true,
    meaning: 'Nodes that AWS network load balancers send traffic to.',
  },
  awsLoadBalancerSubnets: {
    key: 'hypershift.openshift.io/aws-load-balancer-subnets',
    on: ['HostedCluster'],
    mirrored: true,
    meaning: 'Accepted and mirrored, without effect.',
  },
  awsMachinePublicIps: {
    key: 'hypershift.openshift.io/aws-machine-public-ips',
    on: ['HostedCluster'],
    mirrored: true,
    meaning: '"true": AWS machines get public addresses, for development.',
  },
  awsKarpenterDefaultInstanceProfile: {
    key: 'hypershift.openshift.io/aws-karpenter-default-instance-profile',
    on: ['HostedCluster'],
    mirrored: true,
    meaning: 'Instance profile of machines Karpenter makes.',
  },
  awsTerminationHandlerQueueUrl: {
    key: 'hypershift.openshift.io/aws-termination-handler-queue-url',
    on: ['HostedCluster'],
    mirrored: true,
    meaning: 'Queue that announces the end of spot machines.',
  },
  ec2InstanceMetadataHttpTokens: {
    key: 'hypershift.openshift.io/ec2-instance-metadata-http-tokens',
    on: ['NodePool'],
    meaning: 'required or optional tokens for the AWS metadata service.',
  },
  enableSpot: {
    key: 'hypershift.openshift.io/enable-spot',
    on: ['NodePool'],
    meaning: 'Old switch for spot machines.',
  },
  loginUrlOverride: {
    key: 'oauth.hypershift.openshift.io/login-url-override',
    on: ['HostedCluster'],
    mirrored: true,
    meaning: 'Address users are sent to for logging in.',
  },
} as const satisfies { readonly [name: string]: AnnotationFacts };
