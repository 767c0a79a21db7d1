/** Where machines fetch their configuration from. */
import type { HostedCluster, HostedControlPlane } from '@hypershift-ts/hypershift-api';
import { isPublic } from '@hypershift-ts/hypershift-control-plane';
import type { corev1, KubeObject } from '@hypershift-ts/kube-apimachinery';

/** Name of the Service in front of the ignition server, and of its Route. */
export const ignitionService = 'ignition-server-proxy';
export const ignitionRoute = 'ignition-server';

export interface IgnitionFacts {
  readonly service?: corev1.Service | undefined;
  /** A Route, as far as its host. */
  readonly route?: (KubeObject & { readonly spec?: { readonly host?: string } }) | undefined;
}

/** Publishing is decided by the same fields in both objects. */
const asControlPlane = ({ metadata, spec }: HostedCluster) => ({ metadata, spec }) as unknown as HostedControlPlane;

/** `host`, or `host:port`; undefined until it is known. */
export function ignitionEndpoint(cluster: HostedCluster, { service, route }: IgnitionFacts): string | undefined {
  const strategy = cluster.spec.services.find((one) => one.service === 'Ignition')?.servicePublishingStrategy;
  switch (strategy?.type) {
    case 'Route':
      if (!isPublic({ hcp: asControlPlane(cluster) }))
        return `ignition-server.apps.${cluster.metadata.name}.hypershift.local`;
      return strategy.route?.hostname || route?.spec?.host || undefined;
    case 'NodePort': {
      const port = service?.spec?.ports?.[0]?.nodePort;
      return strategy.nodePort?.address && port ? `${strategy.nodePort.address}:${port}` : undefined;
    }
    case 'LoadBalancer': {
      const [ingress] = service?.status?.loadBalancer?.ingress ?? [];
      return strategy.loadBalancer?.hostname || ingress?.hostname || ingress?.ip || undefined;
    }
    default:
      return undefined;
  }
}
