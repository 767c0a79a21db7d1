import type { ControlPlaneComponent } from '@hypershift-ts/hypershift-api';
import { isConditionTrue } from '@hypershift-ts/kube-apimachinery';

/** Names of components that are not available, sorted; undefined when there are none at all. */
export function unavailableComponents(components: readonly ControlPlaneComponent[]): readonly string[] | undefined {
  if (components.length === 0) return undefined;
  return components
    .filter(({ status }) => !isConditionTrue(status?.conditions, 'Available'))
    .map(({ metadata }) => metadata.name ?? '')
    .sort();
}

/** Whether every component has reached the version, which completes an entry of the version history. */
export function allAtVersion(components: readonly ControlPlaneComponent[], version: string): boolean {
  return components.length > 0 && components.every(({ status }) => status?.version === version);
}
