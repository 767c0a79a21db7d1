import type { HostedControlPlane } from '@hypershift-ts/hypershift-api';

type Publishing = HostedControlPlane['spec']['services'][number];
export type PublishedService = Publishing['service'];
export type PublishingStrategy = Publishing['servicePublishingStrategy'];

type Facts = { readonly hcp: HostedControlPlane };

/** How a service is published; undefined when the cluster does not publish it. */
export function strategyFor({ hcp }: Facts, service: PublishedService): PublishingStrategy | undefined {
  return hcp.spec.services.find((one) => one.service === service)?.servicePublishingStrategy;
}

/** Whether the API can be reached from outside the provider's network. */
export function isPublic({ hcp }: Facts): boolean {
  const access = endpointAccess(hcp);
  return access === undefined || access !== 'Private';
}

/** Whether a private way to the API exists. */
export function isPrivate({ hcp }: Facts): boolean {
  const access = endpointAccess(hcp);
  return access !== undefined && access !== 'Public';
}

function endpointAccess(hcp: HostedControlPlane): string | undefined {
  const { aws, gcp, azure } = hcp.spec.platform;
  if (aws) return aws.endpointAccess ?? 'Public';
  if (gcp) return gcp.endpointAccess;
  if (azure) return azure.topology ?? 'Public';
  return undefined;
}

/** Platforms where a cluster that is not public keeps all its Routes behind its own router. */
const privateRoutes: ReadonlySet<string> = new Set(['AWS', 'GCP', 'Azure']);

/** Whether Routes are served by the cluster's own router instead of the management cluster's. */
export function labelsOwnRoutes(facts: Facts): boolean {
  const { type } = facts.hcp.spec.platform;
  if (type === 'IBMCloud') return false;
  const api = strategyFor(facts, 'APIServer');
  const named = api?.type === 'Route' && Boolean(api.route?.hostname);
  return privateRoutes.has(type) ? !isPublic(facts) || named : named;
}

/** Whether a router of the cluster's own is needed at all. */
export function usesOwnRouter(facts: Facts): boolean {
  return facts.hcp.spec.platform.type !== 'IBMCloud' && (isPrivate(facts) || labelsOwnRoutes(facts));
}

/** Domain that only the inside of the hosted cluster resolves. */
export function internalDomain({ hcp }: Facts): string {
  return `${hcp.metadata.name}.hypershift.local`;
}
