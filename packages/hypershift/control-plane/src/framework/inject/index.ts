import { type Component, isEnabled } from '../component.ts';
import type { ControlPlaneContext } from '../context.ts';
import { type PodDeclaration, secretVolume } from '../pod.ts';
import { withKonnectivity } from './konnectivity.ts';
import { withProber } from './prober.ts';
import { withTokenMinters } from './token-minter.ts';

export { type KonnectivityProxy, proxyPorts } from './konnectivity.ts';
export type { ProberOptions } from './prober.ts';
export type { TokenMinter } from './token-minter.ts';

/** The pods of a component with everything it asked to have added. */
export function injectedPod(component: Component, context: ControlPlaneContext): PodDeclaration {
  const { inject } = component;
  let pod = component.pod(context);
  if (!inject) return pod;
  if (inject.serviceAccountKubeconfig)
    pod = withServiceAccountKubeconfig(component, pod, inject.serviceAccountKubeconfig);
  if (inject.konnectivity) {
    pod = withKonnectivity(
      pod,
      typeof inject.konnectivity === 'function' ? inject.konnectivity(context) : inject.konnectivity,
    );
  }
  if (inject.prober) pod = withProber(pod, inject.prober);
  const minters = inject.tokenMinters?.(context) ?? [];
  return withTokenMinters(pod, minters, {
    issuerURL: context.hcp.spec.issuerURL,
    kubernetesMinor: context.management.kubernetesMinor,
  });
}

function withServiceAccountKubeconfig(
  { name }: Component,
  pod: PodDeclaration,
  { mountPath, containers }: { readonly mountPath: string; readonly containers: readonly string[] },
): PodDeclaration {
  return {
    ...pod,
    containers: pod.containers.map((one) =>
      containers.includes(one.name)
        ? { ...one, mounts: { ...one.mounts, 'service-account-kubeconfig': mountPath } }
        : one,
    ),
    volumes: { ...pod.volumes, 'service-account-kubeconfig': secretVolume(`${name}-service-account-kubeconfig`) },
  };
}

/** Service accounts that enabled components need kubeconfigs of: what the PKI has to issue before they can start. */
export function serviceAccountsOf(
  components: readonly Component[],
  context: ControlPlaneContext,
): readonly { readonly component: string; readonly namespace: string; readonly name: string }[] {
  return components
    .filter((component) => isEnabled(component, context))
    .flatMap(({ name, inject }) =>
      inject?.serviceAccountKubeconfig ? [{ component: name, ...inject.serviceAccountKubeconfig.serviceAccount }] : [],
    );
}
