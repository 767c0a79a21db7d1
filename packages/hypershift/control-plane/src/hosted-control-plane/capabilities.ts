import type { ControlPlaneContext } from '../framework/context.ts';
import { routes } from '../framework/optional-kinds.ts';

/** What the spec needs and the management cluster lacks, with what to do about it; empty when it fits. */
export function missingCapabilities({
  hcp,
  management,
}: Pick<ControlPlaneContext, 'hcp' | 'management'>): readonly string[] {
  if (management.serves(routes)) return [];
  const routed = hcp.spec.services
    .filter(({ servicePublishingStrategy }) => servicePublishingStrategy.type === 'Route')
    .map(({ service }) => service);
  if (routed.length === 0) return [];
  return [
    `spec.services: ${routed.join(', ')} should be published by Route, but the management cluster does not serve ${routes.group}/${routes.version}; publish by NodePort or LoadBalancer instead`,
  ];
}
