import { labels } from '@hypershift-ts/hypershift-api';
import {
  corev1,
  formatTime,
  jsonEqual,
  type KubeObject,
  type UnstructuredObject,
} from '@hypershift-ts/kube-apimachinery';
import { done, type Step } from '@hypershift-ts/kube-controller';
import { routes } from '../../framework/optional-kinds.ts';
import { usesOwnRouter } from '../../infrastructure/publishing.ts';
import type { Pass } from '../pass.ts';

/** The name under which the cluster's own router reports. */
export const ownRouterName = 'router';

interface RouteIngress {
  readonly routerName?: string;
  readonly conditions?: readonly {
    readonly type: string;
    readonly status: string;
    readonly lastTransitionTime?: string;
  }[];
  readonly [field: string]: unknown;
}

type Route = KubeObject & {
  readonly spec?: { readonly host?: string };
  readonly status?: { readonly ingress?: readonly RouteIngress[] };
};

/** The cluster's own router writes no status, so it is written for it; external-dns and users read it. */
export const routeAdmission: Step<Pass> = {
  name: 'route-admission',
  kind: 'best-effort',
  async run(pass) {
    if (!pass.management.serves(routes)) return done();
    const isOwn = usesOwnRouter(pass);
    for (const route of pass.lookup.list(routes) as readonly unknown[] as readonly Route[]) {
      if (route.metadata.labels?.[labels.hostedControlPlane.key] !== pass.namespace) continue;
      const ingress = isOwn
        ? admittedIngress(route, canonicalHost(pass, route), formatTime(pass.now))
        : withoutOurs(route);
      if (jsonEqual(ingress, route.status?.ingress ?? [])) continue;
      const next = { ...route, status: { ...route.status, ingress } } as unknown as UnstructuredObject;
      await pass.client.update(routes, next, { subresource: 'status', signal: pass.signal });
    }
    return done();
  },
};

/** The address of the router that serves a route: the internal one for internal and private routes. */
function canonicalHost({ lookup }: Pass, { metadata }: Route): string | undefined {
  const isInternal =
    metadata.labels?.[labels.internalRoute.key] === 'true' ||
    metadata.labels?.[labels.routeVisibility.key] === 'private';
  const ingress = lookup.get(corev1.services, isInternal ? 'private-router' : 'router')?.status?.loadBalancer
    ?.ingress?.[0];
  return ingress?.hostname ?? ingress?.ip;
}

function withoutOurs({ status }: Route): readonly RouteIngress[] {
  return (status?.ingress ?? []).filter(({ routerName }) => routerName !== ownRouterName);
}

/** What others say about the route stays; ours says that it is admitted. */
export function admittedIngress(route: Route, canonical: string | undefined, now: string): readonly RouteIngress[] {
  if (!canonical) return route.status?.ingress ?? [];
  const before = route.status?.ingress?.find(({ routerName }) => routerName === ownRouterName);
  const admitted = before?.conditions?.find(({ type }) => type === 'Admitted');
  const since = admitted?.status === 'True' ? admitted.lastTransitionTime : undefined;
  const ours: RouteIngress = {
    host: route.spec?.host ?? '',
    routerName: ownRouterName,
    wildcardPolicy: 'None',
    routerCanonicalHostname: canonical,
    conditions: [{ type: 'Admitted', status: 'True', lastTransitionTime: since ?? now }],
  };
  return [...withoutOurs(route), ours];
}
