import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import type { Filter, Surroundings } from './filter.ts';
import { nodeAffinityFilter, portFilter, resourceFilter, taintFilter, unschedulableFilter } from './node-filters.ts';
import { affinityFilter, antiAffinityFilter, existingAntiAffinityFilter } from './pod-affinity.ts';
import { spreadFilter } from './topology-spread.ts';
import { judgeVolumes } from './volumes.ts';

export type { Cause, Filter, Refusal, Surroundings } from './filter.ts';

/** All filters for a pod in Kubernetes' order, or the reason why no node can take it. */
export function filtersFor(
  pod: corev1.Pod,
  around: Surroundings,
): { readonly blocked: string } | { readonly filter: Filter } {
  const volumes = judgeVolumes(pod, around);
  if ('blocked' in volumes) return volumes;
  const filters = [
    unschedulableFilter(pod),
    taintFilter(pod),
    nodeAffinityFilter(pod),
    portFilter(pod),
    resourceFilter(pod),
    volumes.filter,
    spreadFilter(pod, around),
    existingAntiAffinityFilter(pod, around),
    antiAffinityFilter(pod, around),
    affinityFilter(pod, around),
  ].filter((filter) => filter !== undefined);
  return {
    filter(state) {
      for (const filter of filters) {
        const refusal = filter(state);
        if (refusal) return refusal;
      }
      return undefined;
    },
  };
}
