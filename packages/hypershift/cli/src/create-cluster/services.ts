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
