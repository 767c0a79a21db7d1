/** Events of machines and of what makes them. */
import { annotations } from '@hypershift-ts/hypershift-api';
import { type KubeObject, parseKey, type ResourceType } from '@hypershift-ts/kube-apimachinery';
import type { CustomSource } from '@hypershift-ts/kube-controller';
import { capiv1beta1 } from '@hypershift-ts/machines-cluster-api';
import { madeForPool } from './indexes.ts';

/** Kinds whose objects change whenever a machine of the pool does. */
export const machineKinds: readonly ResourceType<KubeObject>[] = [
  capiv1beta1.machines,
  capiv1beta1.machinesets,
  capiv1beta1.machinedeployments,
];

const smallPool = 20;
const delayPerMachineMs = 5;
const longestDelayMs = 1000;

/** How long a pool lets changes of its machines gather; small ones look at once. */
export function gatheringMs(machines: number): number {
  return machines < smallPool ? 0 : Math.min(longestDelayMs, machines * delayPerMachineMs);
}

/**
 * Wakes a pool for its machines. A hundred machines that boot change a thousand times, and every look at a pool costs as
 * much as it has machines, so a large pool looks at many changes at once.
 */
export const machineEvents: CustomSource = (enqueue, { cache, clock }) => {
  const sizes = new Map<string, { readonly untilMs: number; readonly machines: number }>();
  /** Counting takes as long as there are machines, and how many there are hardly changes between two of their events. */
  const sizeOf = (pool: string, namespace: string): number => {
    const now = clock.now();
    const known = sizes.get(pool);
    if (known && now < known.untilMs) return known.machines;
    const machines = madeForPool(capiv1beta1.machines, pool, namespace, cache).length;
    if (machines > smallPool) sizes.set(pool, { untilMs: now + gatheringMs(machines), machines });
    else sizes.delete(pool);
    return machines;
  };
  const wake = ({ metadata }: KubeObject) => {
    const pool = metadata.annotations?.[annotations.nodePool.key];
    if (!pool) return;
    enqueue(parseKey(pool), { afterMs: gatheringMs(sizeOf(pool, metadata.namespace ?? '')) });
  };
  const ends = machineKinds.map((type) =>
    cache.informer(type).addHandler({
      // Every pool is looked at once in the beginning anyway.
      added: (object, isInitial) => (isInitial ? undefined : wake(object)),
      updated: (before, after) =>
        before.metadata.resourceVersion === after.metadata.resourceVersion ? undefined : wake(after),
      deleted: wake,
    }),
  );
  return () => {
    for (const end of ends) end();
  };
};
