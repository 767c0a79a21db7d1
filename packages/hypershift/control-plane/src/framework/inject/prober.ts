import type { ContainerDeclaration, PodDeclaration } from '../pod.ts';

/** What must be there before the containers of a component start. */
export interface ProberOptions {
  /** Volume of the pod with a kubeconfig for the hosted cluster; needed for everything below. */
  readonly kubeconfigVolume?: string;
  /** `group,version,kind` that discovery of the hosted cluster must list. */
  readonly requiredApis?: readonly string[];
  readonly waitForInfrastructureResource?: boolean;
  readonly waitForClusterRoleBinding?: string;
  readonly waitForLabeledPodsGone?: string;
}

/** Adds the init container that waits for the hosted API server, so that components do not crash-loop while it starts. */
export function withProber(pod: PodDeclaration, options: ProberOptions): PodDeclaration {
  const needsKubeconfig =
    options.requiredApis?.length ||
    options.waitForInfrastructureResource ||
    options.waitForClusterRoleBinding ||
    options.waitForLabeledPodsGone;
  const prober: ContainerDeclaration = {
    name: 'availability-prober',
    image: 'availability-prober',
    command: [
      '/usr/bin/control-plane-operator',
      'availability-prober',
      '--target',
      'https://kube-apiserver:6443/readyz',
      ...(needsKubeconfig ? ['--kubeconfig=/var/kubeconfig/kubeconfig'] : []),
      ...(options.requiredApis ?? []).map((api) => `--required-api=${api}`),
      ...(options.waitForInfrastructureResource ? ['--wait-for-infrastructure-resource'] : []),
      ...(options.waitForClusterRoleBinding
        ? [`--wait-for-cluster-rolebinding=${options.waitForClusterRoleBinding}`]
        : []),
      ...(options.waitForLabeledPodsGone ? [`--wait-for-labeled-pods-gone=${options.waitForLabeledPodsGone}`] : []),
    ],
    ...(needsKubeconfig ? { mounts: { [options.kubeconfigVolume ?? 'kubeconfig']: '/var/kubeconfig' } } : {}),
  };
  return { ...pod, initContainers: [prober, ...(pod.initContainers ?? [])] };
}
