import { annotations } from '@hypershift-ts/hypershift-api';
import { managesMachines } from '../../framework/cluster-facts.ts';
import { component } from '../../framework/component.ts';
import { annotationOf, type ControlPlaneContext } from '../../framework/context.ts';
import { identity, reading, rule } from '../../framework/manifest.ts';
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
        ['machinedeployments', 'machines', 'machinesets', 'machinepools'],
        [...reading, 'update', 'patch'],
      ),
      rule(
        'cluster.x-k8s.io',
        ['machinedeployments/scale', 'machinesets/scale', 'machinepools/scale'],
        ['get', 'update', 'patch'],
      ),
      // How large machines of a pool without any would be stands in templates of whatever kind its provider has.
      rule('infrastructure.cluster.x-k8s.io', ['*'], reading),
      rule('capi-provider.agent-install.openshift.io', ['agentmachinetemplates'], reading),
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

type Autoscaling = Partial<NonNullable<ControlPlaneContext['hcp']['spec']['autoscaling']>>;

function limits({ hcp }: ControlPlaneContext): readonly string[] {
  const wanted: Autoscaling = hcp.spec.autoscaling ?? {};
  return [
    ...flag('max-nodes-total', wanted.maxNodesTotal),
    ...flag('max-graceful-termination-sec', wanted.maxPodGracePeriod),
    ...flag('max-node-provision-time', wanted.maxNodeProvisionTime || undefined),
    ...flag('max-free-difference-ratio', share(wanted.maxFreeDifferenceRatioPercent)),
    ...flag('expendable-pods-priority-cutoff', wanted.podPriorityThreshold),
    ...(wanted.balancingIgnoredLabels ?? []).map((label) => `--balancing-ignore-label=${label}`),
    ...scaleDown(wanted),
  ];
}

function scaleDown({ scaling, scaleDown: wanted }: Autoscaling): readonly string[] {
  if (scaling === 'ScaleUpOnly') return ['--scale-down-enabled=false'];
  if (!wanted) return [];
  return [
    '--scale-down-enabled=true',
    ...flag('scale-down-delay-after-add', seconds(wanted.delayAfterAddSeconds)),
    ...flag('scale-down-delay-after-delete', seconds(wanted.delayAfterDeleteSeconds)),
    ...flag('scale-down-delay-after-failure', seconds(wanted.delayAfterFailureSeconds)),
    ...flag('scale-down-unneeded-time', seconds(wanted.unneededDurationSeconds)),
    ...flag('scale-down-utilization-threshold', share(wanted.utilizationThresholdPercent)),
  ];
}

const flag = (name: string, value: string | number | undefined): readonly string[] =>
  value === undefined ? [] : [`--${name}=${value}`];
const seconds = (count: number | undefined) => (count === undefined ? undefined : `${count}s`);
const share = (percent: number | undefined) => (percent === undefined ? undefined : (percent / 100).toFixed(2));
