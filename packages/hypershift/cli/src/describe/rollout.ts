import { annotations, type NodePool } from '@hypershift-ts/hypershift-api';
import { findCondition } from '@hypershift-ts/kube-apimachinery';
import type { capiv1beta1 } from '@hypershift-ts/machines-cluster-api';

/** How far an update of a pool has come. */
export interface Rollout {
  /** What is being changed, in the words of the pool. */
  readonly what: readonly string[];
  readonly updated: number;
  readonly total: number;
  readonly unavailable: number;
}

const updating = ['UpdatingVersion', 'UpdatingConfig', 'UpdatingPlatformMachineTemplate'];

const belongsTo = (pool: NodePool, object: { readonly metadata: capiv1beta1.Machine['metadata'] }) =>
  object.metadata.annotations?.[annotations.nodePool.key] === `${pool.metadata.namespace}/${pool.metadata.name}`;

/** `Total Nodes: 5. Upgraded: 2`, as the one who upgrades in place says it. */
function inPlaceCounts(sets: readonly capiv1beta1.MachineSet[]): Pick<Rollout, 'updated' | 'total'> | undefined {
  const text = sets
    .map(({ metadata }) => metadata.annotations?.[annotations.nodePoolUpgradeInProgressTrue.key])
    .find(Boolean);
  const found = /Total Nodes: (\d{1,9})\. Upgraded: (\d{1,9})/.exec(text ?? '');
  return found ? { total: Number(found[1]), updated: Number(found[2]) } : undefined;
}

/** The update under way, or undefined when there is none. */
export function rolloutOf(
  pool: NodePool,
  deployments: readonly capiv1beta1.MachineDeployment[],
  sets: readonly capiv1beta1.MachineSet[],
): Rollout | undefined {
  const what = updating
    .map((type) => findCondition(pool.status?.conditions, type))
    .flatMap((condition) => (condition?.status === 'True' ? [condition.message ?? condition.type] : []));
  if (what.length === 0) return undefined;
  const status = deployments.find((one) => belongsTo(pool, one))?.status;
  const total = status?.replicas ?? pool.status?.replicas ?? 0;
  const counts = inPlaceCounts(sets.filter((one) => belongsTo(pool, one)));
  return {
    what,
    updated: counts?.updated ?? status?.updatedReplicas ?? 0,
    total: counts?.total ?? total,
    unavailable: status?.unavailableReplicas ?? 0,
  };
}

const width = 20;

/** `[████████············] 2 of 5 nodes updated, 1 unavailable`. */
export function rolloutText({ updated, total, unavailable }: Rollout): string {
  const done = total === 0 ? 0 : Math.min(width, Math.round((updated / total) * width));
  const bar = `[${'█'.repeat(done)}${'·'.repeat(width - done)}]`;
  return `${bar} ${updated} of ${total} nodes updated${unavailable > 0 ? `, ${unavailable} unavailable` : ''}`;
}
