import { type ContainerDeclaration, configMapVolume, type PodDeclaration, secretVolume } from '../pod.ts';

/** How a component reaches the hosted cluster's network: one or two proxies beside it. */
export interface KonnectivityProxy {
  readonly mode: 'socks5' | 'https' | 'both';
  /** Volume of the pod with the kubeconfig for the hosted cluster. */
  readonly kubeconfigVolume?: string;
  readonly connectDirectlyToCloudApis?: boolean;
  readonly resolveFromGuestClusterDns?: boolean;
  readonly resolveFromManagementClusterDns?: boolean;
  readonly disableResolver?: boolean;
}

/** Ports the proxies listen on, on localhost of the pod; the HTTPS proxy makes room when both run. */
export const proxyPorts = { first: 8090, second: 8092 } as const;

export function withKonnectivity(pod: PodDeclaration, proxy: KonnectivityProxy): PodDeclaration {
  const modes = proxy.mode === 'both' ? (['socks5', 'https'] as const) : ([proxy.mode] as const);
  return {
    ...pod,
    containers: [...pod.containers, ...modes.map((mode) => proxyContainer(mode, proxy))],
    volumes: {
      ...pod.volumes,
      ...(proxy.kubeconfigVolume ? {} : { kubeconfig: secretVolume('service-network-admin-kubeconfig') }),
      'konnectivity-proxy-cert': secretVolume('konnectivity-client'),
      'konnectivity-proxy-ca': configMapVolume('konnectivity-ca-bundle'),
    },
  };
}

function proxyContainer(mode: 'socks5' | 'https', proxy: KonnectivityProxy): ContainerDeclaration {
  const moved = mode === 'https' && proxy.mode === 'both';
  return {
    name: `konnectivity-proxy-${mode}`,
    image: 'controlplane-operator',
    command: ['/usr/bin/control-plane-operator', `konnectivity-${mode}-proxy`],
    args: [
      'run',
      ...(moved ? [`--serving-port=${proxyPorts.second}`] : []),
      ...(proxy.connectDirectlyToCloudApis ? ['--connect-directly-to-cloud-apis=true'] : []),
      ...(mode === 'socks5' && proxy.resolveFromGuestClusterDns ? ['--resolve-from-guest-cluster-dns=true'] : []),
      ...(mode === 'socks5' && proxy.resolveFromManagementClusterDns
        ? ['--resolve-from-management-cluster-dns=true']
        : []),
      ...(mode === 'socks5' && proxy.disableResolver ? ['--disable-resolver=true'] : []),
    ],
    cpu: '10m',
    memory: '30Mi',
    env: { KUBECONFIG: '/etc/kubernetes/secrets/kubeconfig/kubeconfig' },
    mounts: {
      [proxy.kubeconfigVolume ?? 'kubeconfig']: '/etc/kubernetes/secrets/kubeconfig',
      'konnectivity-proxy-cert': '/etc/konnectivity/proxy-client',
      'konnectivity-proxy-ca': '/etc/konnectivity/proxy-ca',
    },
  };
}
