import type { Queryable } from '@hypershift-ts/fleet-database';

/** What is still to be told to agents. Written in the transaction of the change itself, so neither exists alone. */
export async function noteChange(tx: Queryable, id: string, consumer: string, type: ChangeType): Promise<void> {
  await tx.query('insert into events (source_id, consumer_name, event_type) values ($1, $2, $3)', [id, consumer, type]);
}

export type ChangeType = 'Create' | 'Update' | 'Delete';

export interface PendingChange {
  readonly event: number;
  readonly id: string;
  readonly type: ChangeType;
}

const mostAtOnce = 500;

/** The oldest changes of a consumer; several of one work count as one, since what is sent is the work as it is now. */
export async function pendingChanges(tx: Queryable, consumer: string): Promise<readonly PendingChange[]> {
  const { rows } = await tx.query<{ id: number | string; source_id: string; event_type: ChangeType }>(
    `select max(id)::int8 as id, source_id, (array_agg(event_type order by id desc))[1] as event_type
       from events where consumer_name = $1 and reconciled_date is null
       group by source_id order by min(id) limit ${mostAtOnce}`,
    [consumer],
  );
  return rows.map(({ id, source_id, event_type }) => ({ event: Number(id), id: source_id, type: event_type }));
}

/** The change and those of the same work before it were told. */
export async function settleChange(tx: Queryable, { id, event }: PendingChange): Promise<void> {
  await tx.query('delete from events where source_id = $1 and id <= $2', [id, event]);
}
