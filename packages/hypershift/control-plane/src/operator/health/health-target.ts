import { corev1 } from '@hypershift-ts/kube-apimachinery';
import { isPlatform } from '../../framework/cluster-facts.ts';
import { routes } from '../../framework/optional-kinds.ts';
import { isPublic, strategyFor } from '../../infrastructure/publishing.ts';
import type { Pass } from '../pass.ts';
import type { HealthTarget } from './network-checks.ts';

interface RouteFields {
  readonly spec?: { readonly host?: string };
  readonly status?: { readonly ingress?: readonly { readonly routerCanonicalHostname?: string }[] };
}

const isAzure = isPlatform('Azure');

/** Where the API server is asked for its health: as its clients reach it. Undefined where nobody may tell from here. */
export function healthTarget(pass: Pick<Pass, 'hcp' | 'lookup'>): HealthTarget | undefined {
  const { lookup } = pass;
  if (!isPublic(pass)) {
    const host = lookup.get(corev1.services, 'kube-apiserver')?.spec?.clusterIP;
    return { host: host && host !== 'None' ? host : 'kube-apiserver', port: 6443 };
  }
  switch (strategyFor(pass, 'APIServer')?.type) {
    case 'Route': {
      const route = lookup.get(routes, 'kube-apiserver') as RouteFields | undefined;
      const serverName = route?.spec?.host;
      const host = route?.status?.ingress?.[0]?.routerCanonicalHostname ?? serverName;
      return host ? { host, port: 443, ...(serverName ? { serverName } : {}) } : undefined;
    }
    case 'LoadBalancer': {
      const [name, port] = isAzure(pass) ? (['kube-apiserverlb', 7443] as const) : (['kube-apiserver', 6443] as const);
      const ingress = lookup.get(corev1.services, name)?.status?.loadBalancer?.ingress?.[0];
      const host = ingress?.hostname ?? ingress?.ip;
      return host ? { host, port } : undefined;
    }
    default:
      return undefined;
  }
}
