import { kubernetesVersionOf } from '@hypershift-ts/hypershift-release';
import { component } from '../../framework/component.ts';
import { type ControlPlaneContext, overridesText, releaseImageOf } from '../../framework/context.ts';
import { identity, reading, rule } from '../../framework/manifest.ts';
import { podMonitor } from '../../framework/optional-kinds.ts';
import { configMapVolume, http, podNamespace, secretVolume, trustedBundle } from '../../framework/pod.ts';

const config = 'config.openshift.io,v1,';
const operator = 'operator.openshift.io,v1,';

/** What must be served before the operator starts; it would only fail and retry before. */
const requiredApis = [
  'imageregistry.operator.openshift.io,v1,Config',
  ...['Infrastructure', 'DNS', 'Ingress', 'Network', 'Proxy', 'Build', 'Image', 'Project'].map((kind) => config + kind),
  ...['ClusterVersion', 'FeatureGate', 'ClusterOperator', 'OperatorHub'].map((kind) => config + kind),
  ...['Network', 'CloudCredential', 'Storage', 'CSISnapshotController'].map((kind) => operator + kind),
  ...['ClusterCSIDriver', 'IngressController'].map((kind) => operator + kind),
];

/** Keeps the inside of the hosted cluster as the HostedControlPlane says. */
export const hostedClusterConfigOperator = component('hosted-cluster-config-operator', {
  replicas: 1,
  strategy: 'Recreate',
  managementKasAccess: true,
  inject: { prober: { requiredApis } },
  pod: (context) => ({
    serviceAccount: 'hosted-cluster-config-operator',
    containers: [
      {
        name: 'hosted-cluster-config-operator',
        image: 'hosted-cluster-config-operator',
        command: command(context),
        cpu: '60m',
        memory: '80Mi',
        ports: { metrics: 8080 },
        env: {
          POD_NAMESPACE: podNamespace,
          KUBE_FEATURE_WatchListClient: 'false',
          OPENSHIFT_RELEASE_VERSION: context.userRelease.version,
          KUBERNETES_VERSION: kubernetesVersionOf(context.userRelease),
          OPERATE_ON_RELEASE_IMAGE: releaseImageOf(context),
          OPENSHIFT_IMG_OVERRIDES: context.settings.openshiftImageOverrides ?? '',
          HOSTED_CLUSTER_CONFIG_OPERATOR_IMAGE: context.images.get('hosted-cluster-config-operator'),
        },
        mounts: {
          'cluster-signer-ca': '/etc/kubernetes/cluster-signer-ca',
          kubeconfig: '/etc/kubernetes/kubeconfig',
          'root-ca': '/etc/kubernetes/root-ca',
          [trustedBundle.name]: trustedBundle.path,
        },
        liveness: http('/healthz', 6060, { delay: 60, period: 60, timeout: 5, failures: 5 }),
        readiness: http('/readyz', 6060, { period: 10, timeout: 5, failures: 3 }),
      },
    ],
    volumes: {
      kubeconfig: secretVolume('hcco-kubeconfig'),
      'root-ca': configMapVolume('root-ca'),
      'cluster-signer-ca': configMapVolume('kubelet-client-ca'),
      [trustedBundle.name]: trustedBundle.volume,
    },
  }),
  manifests: [
    ...identity('hosted-cluster-config-operator', [
      rule('', ['configmaps'], [...reading, 'create', 'update', 'delete']),
      rule('', ['secrets', 'services'], reading),
      rule('apps', ['deployments'], reading),
      rule('hypershift.openshift.io', ['hostedcontrolplanes'], reading),
      rule('hypershift.openshift.io', ['hostedcontrolplanes/status'], ['patch']),
      // OpenShift asks for this of who names an owner that may not go first.
      rule('hypershift.openshift.io', ['hostedcontrolplanes/finalizers'], ['update']),
      rule('coordination.k8s.io', ['leases'], ['get', 'create', 'update']),
      rule('cluster.x-k8s.io', ['machinesets'], [...reading, 'patch']),
      rule('cluster.x-k8s.io', ['machines'], [...reading, 'patch', 'delete']),
      rule('route.openshift.io', ['routes'], reading),
      // Where virtual machines live beside the control plane, their ingress is published from here.
      rule('discovery.k8s.io', ['endpointslices'], [...reading, 'create', 'update']),
    ]),
    podMonitor('hosted-cluster-config-operator', { port: 'metrics' }),
  ],
});

function command({ hcp, endpoints, settings }: ControlPlaneContext): readonly string[] {
  return [
    '/usr/bin/control-plane-operator',
    'hosted-cluster-config-operator',
    '--initial-ca-file=/etc/kubernetes/root-ca/ca.crt',
    '--cluster-signer-ca-file=/etc/kubernetes/cluster-signer-ca/ca.crt',
    '--target-kubeconfig=/etc/kubernetes/kubeconfig/kubeconfig',
    '--namespace',
    '$(POD_NAMESPACE)',
    '--platform-type',
    hcp.spec.platform.type,
    `--enable-ci-debug-output=${settings.enableCiDebugOutput ?? false}`,
    `--hosted-control-plane=${hcp.metadata.name}`,
    `--konnectivity-address=${endpoints.konnectivity?.host ?? ''}`,
    `--konnectivity-port=${endpoints.konnectivity?.port ?? 0}`,
    `--oauth-address=${endpoints.oauth?.host ?? ''}`,
    `--oauth-port=${endpoints.oauth?.port ?? 0}`,
    '--registry-overrides',
    overridesText(settings.registryOverrides),
  ];
}
