import type { ControlPlaneComponent } from '@hypershift-ts/hypershift-api';
import { findCondition, isConditionTrue } from '@hypershift-ts/kube-apimachinery';

/** Names of components that are not available, sorted; undefined when there are none at all. */
export function unavailableComponents(components: readonly ControlPlaneComponent[]): readonly string[] | undefined {
  if (components.length === 0) return undefined;
  return components
    .filter(({ status }) => !isConditionTrue(status?.conditions, 'Available'))
    .map(({ metadata }) => metadata.name ?? '')
    .sort();
}

/**
 * Components that have been away longer than a rollout takes, and how long it is until the next one counts. A cluster
 * that was available stays so while a component is replaced, but not when it does not come back.
 */
export function lastingOutages(
  components: readonly ControlPlaneComponent[],
  now: number,
  graceMs: number,
): { readonly names: readonly string[]; readonly nextMs: number | undefined } {
  const away = components
    .filter(({ status }) => !isConditionTrue(status?.conditions, 'Available'))
    .map(({ metadata, status }) => {
      const since = Date.parse(findCondition(status?.conditions, 'Available')?.lastTransitionTime ?? '');
      return { name: metadata.name ?? '', leftMs: Number.isNaN(since) ? graceMs : since + graceMs - now };
    });
  const waits = away.map(({ leftMs }) => leftMs).filter((leftMs) => leftMs > 0);
  return {
    names: away.flatMap(({ name, leftMs }) => (leftMs <= 0 ? [name] : [])).sort(),
    nextMs: waits.length > 0 ? Math.min(...waits) : undefined,
  };
}
