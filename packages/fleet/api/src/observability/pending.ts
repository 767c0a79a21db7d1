import type { Queryable } from '@hypershift-ts/fleet-database';
import { instantFromMs } from '../instant.ts';

export interface Pending {
  readonly kind: string;
  readonly deleting: boolean;
  readonly pending: number;
  readonly stuck: number;
  /** Age of the oldest, in seconds. */
  readonly seconds: number;
}

/** What waits for its adapters, by kind: how much, how much for too long, and how long at most. */
export async function pendingReconciliations(on: Queryable, nowMs: number, stuckAfterMs: number): Promise<Pending[]> {
  const { rows } = await on.query<Pending>(
    `select r.kind, (r.deleted_time is not null) as deleting, count(*)::int as pending,
            count(*) filter (where c.last_transition_time < $1::timestamptz)::int as stuck,
            extract(epoch from $2::timestamptz - min(c.last_transition_time))::float8 as seconds
       from resource_conditions c join resources r on r.id = c.resource_id
      where c.type = 'Reconciled' and c.status = 'False'
      group by 1, 2`,
    [instantFromMs(nowMs - stuckAfterMs), instantFromMs(nowMs)],
  );
  return [...rows];
}
