import type { ContainerUnit } from './container-unit.ts';
import type { GracePeriod } from './grace-period.ts';

/**
 * Stops a pod's containers: main and init containers at once, then sidecars one by one in the reverse of their order, so that
 * what a container depends on outlives it. Everybody shares one grace period.
 */
export async function stopUnits(units: readonly ContainerUnit[], grace: GracePeriod, podIP: string): Promise<void> {
  const first = units.filter(({ role }) => role !== 'sidecar');
  await Promise.all(first.map((unit) => unit.stop(grace, podIP)));
  for (const unit of units.filter(({ role }) => role === 'sidecar').reverse()) await unit.stop(grace, podIP);
}
