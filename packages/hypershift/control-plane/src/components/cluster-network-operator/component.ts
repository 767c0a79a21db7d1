import { component } from '../../framework/component.ts';
import { type ControlPlaneContext, isOpenShiftPayload, releaseImageOf } from '../../framework/context.ts';
import { identity, managing, rule } from '../../framework/manifest.ts';
import {
  type ContainerDeclaration,
  type EnvValue,
  podName,
  podNamespace,
  scratch,
  secretVolume,
} from '../../framework/pod.ts';

/** Variables the operator reads image references from, by the payload tag they hold. */
const operandImages: Readonly<Record<string, string>> = {
  MULTUS_ADMISSION_CONTROLLER_IMAGE: 'multus-admission-controller',
  OVN_CONTROL_PLANE_IMAGE: 'ovn-kubernetes',
  CLOUD_NETWORK_CONFIG_CONTROLLER_IMAGE: 'cloud-network-config-controller',
  TOKEN_MINTER_IMAGE: 'token-minter',
  CLI_CONTROL_PLANE_IMAGE: 'cli',
  SOCKS5_PROXY_IMAGE: 'socks5-proxy',
  KUBE_PROXY_IMAGE: 'kube-proxy',
  KUBE_RBAC_PROXY_IMAGE: 'kube-rbac-proxy',
  MULTUS_IMAGE: 'multus-cni',
  CNI_PLUGINS_IMAGE: 'container-networking-plugins',
  BOND_CNI_PLUGIN_IMAGE: 'network-interface-bond-cni',
  WHEREABOUTS_CNI_IMAGE: 'multus-whereabouts-ipam-cni',
  ROUTE_OVERRRIDE_CNI_IMAGE: 'multus-route-override-cni',
  MULTUS_NETWORKPOLICY_IMAGE: 'multus-networkpolicy',
  OVN_IMAGE: 'ovn-kubernetes',
  EGRESS_ROUTER_CNI_IMAGE: 'egress-router-cni',
  NETWORK_METRICS_DAEMON_IMAGE: 'network-metrics-daemon',
  NETWORK_CHECK_SOURCE_IMAGE: 'cluster-network-operator',
  NETWORK_CHECK_TARGET_IMAGE: 'cluster-network-operator',
  NETWORKING_CONSOLE_PLUGIN_IMAGE: 'networking-console-plugin',
  CLI_IMAGE: 'cli',
  FRR_K8S_IMAGE: 'metallb-frr',
};

export const clusterNetworkOperator = component('cluster-network-operator', {
  replicas: 1,
  strategy: 'Recreate',
  selector: { name: 'cluster-network-operator' },
  dependsOn: ['openshift-apiserver'],
  managementKasAccess: true,
  operands: true,
  inject: {
    konnectivity: { mode: 'socks5', kubeconfigVolume: 'hosted-etc-kube', disableResolver: true },
    prober: {
      kubeconfigVolume: 'hosted-etc-kube',
      requiredApis: [
        'operator.openshift.io,v1,Network',
        'network.operator.openshift.io,v1,EgressRouter',
        'network.operator.openshift.io,v1,OperatorPKI',
      ],
      waitForInfrastructureResource: true,
      waitForClusterRoleBinding: 'cluster-network-operator',
    },
  },
  pod: (context) => ({
    labels: { app: 'cluster-network-operator' },
    serviceAccount: 'cluster-network-operator',
    ...(isOpenShiftPayload(context) ? { initContainers: [removeOld, minter(context, true), kubeconfigs] } : {}),
    containers: [
      {
        name: 'cluster-network-operator',
        image: 'cluster-network-operator',
        command: ['/usr/bin/cluster-network-operator'],
        args: [
          'start',
          '--listen=0.0.0.0:9104',
          '--kubeconfig=/configs/hosted',
          '--namespace=openshift-network-operator',
          '--extra-clusters=management=/configs/management',
        ],
        cpu: '10m',
        memory: '100Mi',
        env: environment(context),
        mounts: {
          configs: '/configs',
          'client-token': '/var/run/secrets/kubernetes.io/hosted',
          'ca-bundle': '/etc/certificate/ca',
        },
      },
      minter(context, false),
    ],
    volumes: {
      'hosted-etc-kube': secretVolume('service-network-admin-kubeconfig'),
      configs: scratch,
      'client-token': scratch,
      'ca-bundle': secretVolume('root-ca'),
    },
  }),
  manifests: identity('cluster-network-operator', [
    rule('', ['configmaps'], ['list', 'get', 'watch', 'create', 'patch', 'update']),
    rule('apps', ['statefulsets', 'deployments'], ['list', 'watch']),
    rule('apps', ['deployments'], managing),
    rule('', ['services'], managing),
    rule('hypershift.openshift.io', ['hostedcontrolplanes'], ['get', 'list', 'watch']),
    rule('hypershift.openshift.io', ['hostedcontrolplanes/status'], ['get', 'update', 'patch']),
  ]),
});

/** Clusters that were made when this operator ran among their own pods may still have it there. */
const removeOld: ContainerDeclaration = {
  name: 'remove-old-cno',
  image: 'cli',
  command: ['/usr/bin/kubectl'],
  args: [
    '--kubeconfig=/etc/hosted-kubernetes/kubeconfig',
    '-n=openshift-network-operator',
    'delete',
    '--ignore-not-found=true',
    'deployment',
    'network-operator',
  ],
  cpu: '10m',
  memory: '50Mi',
  mounts: { 'hosted-etc-kube': '/etc/hosted-kubernetes' },
};

/** A token for the hosted cluster: once before the operator starts, then kept fresh beside it. */
function minter({ hcp }: ControlPlaneContext, once: boolean): ContainerDeclaration {
  return {
    name: once ? 'init-client-token-minter' : 'client-token-minter',
    image: 'token-minter',
    command: ['/usr/bin/control-plane-operator', 'token-minter'],
    args: [
      '--service-account-namespace=openshift-network-operator',
      '--service-account-name=cluster-network-operator',
      '--token-file=/var/client-token/token',
      '--kubeconfig=/etc/kubernetes/kubeconfig',
      ...(once ? ['--oneshot'] : []),
      `--token-audience=${hcp.spec.issuerURL}`,
    ],
    cpu: '10m',
    memory: once ? '10Mi' : '30Mi',
    mounts: { 'client-token': '/var/client-token', 'hosted-etc-kube': '/etc/kubernetes' },
  };
}

/** Two kubeconfigs that read their tokens from files, so that neither has to be written again when a token is. */
const kubeconfigs: ContainerDeclaration = {
  name: 'rewrite-config',
  image: 'cli',
  command: ['/bin/bash', '-c'],
  args: [
    `set -eu
make() {
  kubectl --kubeconfig "$1" config set-cluster default --server="$2" --certificate-authority="$3"
  kubectl --kubeconfig "$1" config set users.default.tokenFile "$4"
  kubectl --kubeconfig "$1" config set-context default --cluster=default --user=default --namespace="$5"
  kubectl --kubeconfig "$1" config use-context default
}
case "$KUBERNETES_SERVICE_HOST" in *:*) host="[$KUBERNETES_SERVICE_HOST]" ;; *) host="$KUBERNETES_SERVICE_HOST" ;; esac
own=/var/run/secrets/kubernetes.io/serviceaccount
make /configs/management "https://$host:$KUBERNETES_SERVICE_PORT" "$own/ca.crt" "$own/token" "$(cat "$own/namespace")"
make /configs/hosted https://kube-apiserver:6443 /etc/certificate/ca/ca.crt /var/run/secrets/kubernetes.io/hosted/token openshift-network-operator`,
  ],
  cpu: '10m',
  memory: '50Mi',
  mounts: {
    configs: '/configs',
    'client-token': '/var/run/secrets/kubernetes.io/hosted',
    'ca-bundle': '/etc/certificate/ca',
  },
};

function environment(context: ControlPlaneContext): Readonly<Record<string, EnvValue>> {
  const { hcp, images, userRelease, endpoints } = context;
  const known = Object.entries(operandImages).filter(([, tag]) => images.has(tag));
  return {
    HYPERSHIFT: 'true',
    CA_CONFIG_MAP: 'root-ca',
    CA_CONFIG_MAP_KEY: 'ca.crt',
    OVN_NB_RAFT_ELECTION_TIMER: '10',
    OVN_SB_RAFT_ELECTION_TIMER: '16',
    OVN_NORTHD_PROBE_INTERVAL: '5000',
    OVN_CONTROLLER_INACTIVITY_PROBE: '180000',
    OVN_NB_INACTIVITY_PROBE: '60000',
    POD_NAME: podName,
    HOSTED_CLUSTER_NAMESPACE: podNamespace,
    HOSTED_CLUSTER_NAME: hcp.metadata.name ?? '',
    TOKEN_AUDIENCE: hcp.spec.issuerURL,
    RELEASE_VERSION: userRelease.version,
    OPENSHIFT_RELEASE_IMAGE: releaseImageOf(context),
    APISERVER_OVERRIDE_HOST: endpoints.api?.host ?? '',
    APISERVER_OVERRIDE_PORT: String(endpoints.api?.port ?? 0),
    ...Object.fromEntries(known.map(([variable, tag]) => [variable, images.get(tag)])),
    PROXY_INTERNAL_APISERVER_ADDRESS: 'true',
  };
}
