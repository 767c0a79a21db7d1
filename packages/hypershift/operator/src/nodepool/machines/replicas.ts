/** How many machines a pool has, and what the autoscaler is told. */
import { annotations, type NodePool } from '@hypershift-ts/hypershift-api';

/** Fewest machines: none only where the autoscaler can know what a machine would look like. */
function effectiveMinimum({ spec }: NodePool, canScaleFromZero: boolean): number {
  const { min = 0 } = spec.autoScaling ?? {};
  return min === 0 && !canScaleFromZero ? 1 : min;
}

/** The number of machines; within its bounds an autoscaled pool keeps what it has. */
export function desiredReplicas(pool: NodePool, current: number | undefined, canScaleFromZero: boolean): number {
  const { autoScaling, replicas = 0 } = pool.spec;
  if (!autoScaling) return replicas;
  const minimum = effectiveMinimum(pool, canScaleFromZero);
  if (current === undefined || current <= minimum) return minimum;
  return Math.min(current, autoScaling.max);
}

/** Bounds for the autoscaler; zero and zero means hands off. */
export function autoscalerBounds(pool: NodePool, canScaleFromZero: boolean): { readonly [key: string]: string } {
  const { autoScaling } = pool.spec;
  const [min, max] = autoScaling ? [effectiveMinimum(pool, canScaleFromZero), autoScaling.max] : [0, 0];
  return {
    [annotations.autoscalerMinSize.key]: String(min),
    [annotations.autoscalerMaxSize.key]: String(max),
  };
}
