import { exec, memoryScratch, type ContainerDeclaration, type PodDeclaration, secretVolume } from '../pod.ts';

/** A token of a service account of the hosted cluster, kept fresh in a file of the pod. */
export interface TokenMinter {
  /** `cloud` tokens are exchanged at a cloud, `apiserver` tokens are for the hosted API server. */
  readonly use: 'cloud' | 'apiserver';
  readonly serviceAccount: { readonly namespace: string; readonly name: string };
  /** Volume of the pod with the kubeconfig used to ask for tokens; one is added when absent. */
  readonly kubeconfigVolume?: string;
  /** Containers of the component that read the token. */
  readonly containers: readonly string[];
}

const tokenFolder = {
  cloud: '/var/run/secrets/openshift/serviceaccount',
  apiserver: '/var/run/secrets/kubernetes.io/serviceaccount',
} as const;

/** First Kubernetes minor whose kubelets start sidecars before the containers and keep them running. */
const nativeSidecarsSince = 29;

export function withTokenMinters(
  pod: PodDeclaration,
  minters: readonly TokenMinter[],
  facts: { readonly issuerURL: string; readonly kubernetesMinor: number },
): PodDeclaration {
  return minters.reduce((result, minter) => withTokenMinter(result, minter, facts), pod);
}

function withTokenMinter(
  pod: PodDeclaration,
  minter: TokenMinter,
  { issuerURL, kubernetesMinor }: { readonly issuerURL: string; readonly kubernetesMinor: number },
): PodDeclaration {
  const volume = `${minter.use}-token`;
  const folder = tokenFolder.cloud;
  const native = kubernetesMinor >= nativeSidecarsSince;
  const sidecar: ContainerDeclaration = {
    name: `${minter.use}-token-minter`,
    image: 'token-minter',
    command: ['/usr/bin/control-plane-operator', 'token-minter'],
    args: [
      `--token-audience=${minter.use === 'cloud' ? 'openshift' : issuerURL}`,
      `--service-account-namespace=${minter.serviceAccount.namespace}`,
      `--service-account-name=${minter.serviceAccount.name}`,
      `--token-file=${folder}/token`,
      '--kubeconfig=/etc/kubernetes/kubeconfig',
    ],
    cpu: '10m',
    memory: '30Mi',
    mounts: { [volume]: folder, [minter.kubeconfigVolume ?? 'kubeconfig']: '/etc/kubernetes' },
    ...(native
      ? { restartPolicy: 'Always', startup: exec(['test', '-f', `${folder}/token`], { period: 1, failures: 30 }) }
      : {}),
  };
  const readers = pod.containers.map((one) =>
    minter.containers.includes(one.name)
      ? { ...one, mounts: { ...one.mounts, [volume]: tokenFolder[minter.use] } }
      : one,
  );
  return {
    ...pod,
    containers: native ? readers : [...readers, sidecar],
    ...(native ? { initContainers: [...(pod.initContainers ?? []), sidecar] } : {}),
    volumes: {
      ...pod.volumes,
      ...(minter.kubeconfigVolume ? {} : { kubeconfig: secretVolume('service-network-admin-kubeconfig') }),
      [volume]: memoryScratch,
    },
  };
}
