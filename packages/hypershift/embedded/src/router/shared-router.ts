import { openshift } from '@hypershift-ts/hypershift-api';
import { corev1, keyOf, type ObjectKey } from '@hypershift-ts/kube-apimachinery';
import type { Informer } from '@hypershift-ts/kube-client';
import { type Controller, controller, getIfPresent } from '@hypershift-ts/kube-controller';
import { portHere } from '@hypershift-ts/kube-kubelet';
import type { Place, Resolve } from '@hypershift-ts/machines-providers';
import type { Backend, RouterConfiguration } from './configuration.ts';
import { backendOfRoute, type RouteClaim, routeStatus } from './routes.ts';
import { type Router, startRouter } from './router.ts';

export interface SharedRouterOptions {
  readonly address: string;
  /** 0: a free one. */
  readonly port: number;
  /** Hosts of Routes that name none end with it. */
  readonly domain: string;
  /** Calls back with all hosts after one came or went. */
  readonly onHosts?: (hosts: readonly string[], place: Place) => void;
}

/** One port through which the Routes of all hosted clusters are reached, told apart by the host name clients ask for. */
export interface SharedRouter {
  readonly address: string;
  readonly port: number;
  /** Follows the Routes of the management cluster and reports what they got. */
  readonly controller: Controller;
  /** Where a host leads: to this router when it is one of ours. For clients of this process, which have no DNS. */
  readonly resolve: Resolve;
  close(): Promise<void>;
}

export async function startSharedRouter({
  address,
  port,
  domain,
  onHosts,
}: SharedRouterOptions): Promise<SharedRouter> {
  const hosts = new Map<string, string>();
  const backends = new Map<string, Backend>();
  const configuration: RouterConfiguration = { frontends: [{ name: 'shared', port, hosts }], backends };
  const router: Router = await startRouter(configuration, {
    address,
    resolve: ({ host, port: service }) => ({ host, port: portHere(service) }),
    certificate: () => Promise.reject(new Error('Routes pass TLS through')),
    ca: () => Promise.reject(new Error('Routes pass TLS through')),
  });

  const listening = router.ports[0] ?? port;

  const tell = () => onHosts?.([...hosts.keys()], { host: address, port: listening });

  /** Takes the host for a Route, unless another Route has it. */
  const claim = (key: string, host: string, backend: Backend | undefined): RouteClaim => {
    const holder = hosts.get(host);
    if (holder !== undefined && holder !== key) return { host, heldBy: holder };
    hosts.set(host, key);
    if (holder === undefined) tell();
    if (backend) backends.set(key, backend);
    else backends.delete(key);
    return { host };
  };
  const release = (key: string, except?: string): void => {
    const before = hosts.size;
    for (const [host, holder] of hosts) if (holder === key && host !== except) hosts.delete(host);
    if (hosts.size !== before) tell();
    if (except === undefined) backends.delete(key);
  };

  return {
    address,
    port: listening,
    resolve: (place) => (hosts.has(place.host.toLowerCase()) ? { host: address, port: listening } : place),
    close: () => router.close(),
    controller: controller<openshift.Route, [corev1.Service]>({
      name: 'shared-router',
      for: openshift.routes,
      watches: [
        { type: corev1.services, map: (service, { cache }) => routesTo(service, cache.informer(openshift.routes)) },
      ],
      async reconcile(key, { cache, client, clock, signal }) {
        const route = cache.get(openshift.routes, key);
        const id = keyOf({ metadata: key });
        if (!route || route.metadata.deletionTimestamp) return release(id);
        const host = (route.spec.host ?? `${key.name}-${key.namespace}.${domain}`).toLowerCase();
        if (!route.spec.host) {
          await client.update(openshift.routes, { ...route, spec: { ...route.spec, host } }, { signal });
          return;
        }
        release(id, host);
        const service = cache.get(corev1.services, { namespace: key.namespace ?? '', name: route.spec.to.name });
        const status = routeStatus(route, claim(id, host, backendOfRoute(route, service)), clock.now());
        if (!status) return;
        const live = await getIfPresent(client, openshift.routes, key as ObjectKey, { signal });
        if (live) await client.update(openshift.routes, { ...live, status }, { subresource: 'status', signal });
      },
    }),
  };
}

function routesTo({ metadata }: corev1.Service, routes: Informer<openshift.Route>): readonly ObjectKey[] {
  return routes
    .list(metadata.namespace)
    .filter((route) => route.spec.to.name === metadata.name)
    .map((route) => ({ namespace: route.metadata.namespace ?? '', name: route.metadata.name ?? '' }));
}
