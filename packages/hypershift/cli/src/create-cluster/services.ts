import type { HostedClusterSpec } from './request.ts';

type Services = HostedClusterSpec['services'];

/** Everything on node ports of one address. */
export function nodePortServices(address: string): Services {
  return (['APIServer', 'Ignition', 'Konnectivity', 'OAuthServer', 'OIDC'] as const).map((service) => ({
    service,
    servicePublishingStrategy: { type: 'NodePort', nodePort: { address } },
  }));
}

/** The API server on a load balancer, or a Route where it needs a name of its own, and the rest on Routes. */
export function ingressServices({ apiServerRoute }: { readonly apiServerRoute: boolean }): Services {
  return [
    { service: 'APIServer', servicePublishingStrategy: { type: apiServerRoute ? 'Route' : 'LoadBalancer' } },
    { service: 'Ignition', servicePublishingStrategy: { type: 'Route' } },
    { service: 'Konnectivity', servicePublishingStrategy: { type: 'Route' } },
    { service: 'OAuthServer', servicePublishingStrategy: { type: 'Route' } },
  ];
}

/** Names in an external domain for services that clients must find. */
export function namedServices(
  services: Services,
  { cluster, domain, services: named }: { cluster: string; domain: string; services: readonly string[] },
): Services {
  const prefixes = new Map([
    ['APIServer', 'api'],
    ['OAuthServer', 'oauth'],
    ['Konnectivity', 'konnectivity'],
    ['Ignition', 'ignition'],
  ]);
  return services.map((mapping) => {
    if (!named.includes(mapping.service)) return mapping;
    const hostname = `${prefixes.get(mapping.service)}-${cluster}.${domain}`;
    const strategy = mapping.servicePublishingStrategy;
    const field = strategy.type === 'LoadBalancer' ? 'loadBalancer' : 'route';
    return { ...mapping, servicePublishingStrategy: { ...strategy, [field]: { hostname } } };
  });
}
