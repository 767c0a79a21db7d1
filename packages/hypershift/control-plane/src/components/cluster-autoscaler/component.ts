import { annotations } from '@hypershift-ts/hypershift-api';
import { managesMachines } from '../../framework/cluster-facts.ts';
import { component } from '../../framework/component.ts';
import { annotationOf, type ControlPlaneContext } from '../../framework/context.ts';
import { identity, rule } from '../../framework/manifest.ts';
import { podMonitor } from '../../framework/optional-kinds.ts';
import { http, podNamespace } from '../../framework/pod.ts';

/** Labels in which pools of the same shape may differ. */
const ignoredLabels = [
  'hypershift.openshift.io/nodePool',
  'topology.ebs.csi.aws.com/zone',
  'topology.disk.csi.azure.com/zone',
  'ibm-cloud.kubernetes.io/worker-id',
  'vpc-block-csi-driver-labels',
  'hypershift.openshift.io/nodepool-globalps-enabled',
  'lifecycle',
  'k8s.amazonaws.com/eniConfig',
  'topology.k8s.aws/zone-id',
];

export const clusterAutoscaler = component('cluster-autoscaler', {
  managementKasAccess: true,
  enabled: managesMachines,
  replicas: (context) => (annotationOf(context, annotations.disableClusterAutoscaler.key) === undefined ? 1 : 0),
  inject: { prober: {} },
  pod: (context) => ({
    serviceAccount: 'cluster-autoscaler',
    terminationGracePeriodSeconds: 10,
    containers: [
      {
        name: 'cluster-autoscaler',
        image: 'cluster-autoscaler',
        command: ['/usr/bin/cluster-autoscaler'],
        args: [
          '--cloud-provider=clusterapi',
          '--node-group-auto-discovery=clusterapi:namespace=$(MY_NAMESPACE)',
          '--kubeconfig=/mnt/kubeconfig/target-kubeconfig',
          '--clusterapi-cloud-config-authoritative',
          '--skip-nodes-with-local-storage=false',
          '--alsologtostderr',
          '--leader-elect-lease-duration=137s',
          '--leader-elect-retry-period=26s',
          '--leader-elect-renew-deadline=107s',
          '--balance-similar-node-groups=true',
          '--v=4',
          `--expander=${expanders(context)}`,
          ...ignoredLabels.map((label) => `--balancing-ignore-label=${label}`),
          ...limits(context),
        ],
        cpu: '10m',
        memory: '60Mi',
        ports: { metrics: 8085 },
        env: { MY_NAMESPACE: podNamespace },
        mounts: { kubeconfig: '/mnt/kubeconfig' },
        liveness: http('/health-check', 8085, { delay: 30, period: 60, timeout: 5, failures: 5 }),
        readiness: http('/health-check', 8085, { period: 10, timeout: 5, failures: 3 }),
      },
    ],
    volumes: {
      kubeconfig: { secret: `${context.hcp.spec.infraID}-kubeconfig`, items: { value: 'target-kubeconfig' } },
    },
  }),
  manifests: [
    ...identity('cluster-autoscaler', [
      rule(
        'cluster.x-k8s.io',
        [
          'machinedeployments',
          'machinedeployments/scale',
          'machines',
          'machinesets',
          'machinesets/scale',
          'machinepools',
          'machinepools/scale',
        ],
        ['*'],
      ),
      rule('infrastructure.cluster.x-k8s.io', ['*'], ['get', 'list', 'watch']),
      rule('capi-provider.agent-install.openshift.io', ['agentmachinetemplates'], ['get', 'list']),
    ]),
    podMonitor('cluster-autoscaler', { port: 'metrics' }),
  ],
});

const expanderNames: Readonly<Record<string, string>> = {
  LeastWaste: 'least-waste',
  Priority: 'priority',
  Random: 'random',
};

function expanders({ hcp }: ControlPlaneContext): string {
  const chosen = (hcp.spec.autoscaling?.expanders ?? []) as readonly string[];
  return chosen.length > 0 ? chosen.map((name) => expanderNames[name] ?? name).join(',') : 'priority,least-waste';
}

function limits({ hcp }: ControlPlaneContext): readonly string[] {
  const { maxNodesTotal, maxPodGracePeriod, maxNodeProvisionTime, podPriorityThreshold } = hcp.spec.autoscaling ?? {};
  return [
    ...(maxNodesTotal === undefined ? [] : [`--max-nodes-total=${maxNodesTotal}`]),
    ...(maxPodGracePeriod === undefined ? [] : [`--max-graceful-termination-sec=${maxPodGracePeriod}`]),
    ...(maxNodeProvisionTime ? [`--max-node-provision-time=${maxNodeProvisionTime}`] : []),
    ...(podPriorityThreshold === undefined ? [] : [`--expendable-pods-priority-cutoff=${podPriorityThreshold}`]),
  ];
}
