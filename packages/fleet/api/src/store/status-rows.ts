import type { JsonObject } from '@hypershift-ts/kube-apimachinery';
import type { Queryable } from '@hypershift-ts/fleet-database';
import type { Instant } from '../instant.ts';
import type { AdapterCondition, AdapterStatus, Resource } from '../resources/index.ts';
import { instantSql } from './resource-rows.ts';

interface Row {
  readonly resource_id: string;
  readonly adapter: string;
  readonly observed_generation: number;
  readonly conditions: AdapterCondition[];
  readonly data: JsonObject | null;
  readonly metadata: JsonObject | null;
  readonly created_time: Instant;
  readonly last_report_time: Instant;
}

type Subject = Pick<Resource, 'id' | 'kind'>;

const selection = `s.resource_id, s.adapter, s.observed_generation, s.conditions, s.data, s.metadata,
  ${instantSql('s.created_time')} as created_time, ${instantSql('s.last_report_time')} as last_report_time`;

function statusOf(row: Row): AdapterStatus {
  return {
    adapter: row.adapter,
    observed_generation: row.observed_generation,
    conditions: row.conditions,
    ...(row.data === null ? {} : { data: row.data }),
    ...(row.metadata === null ? {} : { metadata: row.metadata }),
    created_time: row.created_time,
    last_report_time: row.last_report_time,
  };
}

/** Reports about a resource, the first adapter that reported first. */
export async function selectStatuses(
  on: Queryable,
  subject: Subject,
  page?: { readonly limit: number; readonly offset: number },
): Promise<AdapterStatus[]> {
  const { rows } = await on.query<Row>(
    `select ${selection} from adapter_statuses s where s.resource_type = $1 and s.resource_id = $2
      order by s.created_time, s.adapter${page ? ` limit ${Math.trunc(page.limit)} offset ${Math.trunc(page.offset)}` : ''}`,
    [subject.kind, subject.id],
  );
  return rows.map(statusOf);
}

/** All reports about several resources in one statement, by resource id. */
export async function selectStatusesOf(
  on: Queryable,
  subjects: readonly Subject[],
): Promise<ReadonlyMap<string, readonly AdapterStatus[]>> {
  const found = new Map<string, AdapterStatus[]>();
  if (subjects.length === 0) return found;
  const { rows } = await on.query<Row>(
    `select ${selection} from adapter_statuses s
      where s.resource_type = any ($1::text[]) and s.resource_id = any ($2::text[])
      order by s.created_time, s.adapter`,
    [[...new Set(subjects.map((subject) => subject.kind))], subjects.map((subject) => subject.id)],
  );
  for (const row of rows) {
    const list = found.get(row.resource_id) ?? [];
    list.push(statusOf(row));
    found.set(row.resource_id, list);
  }
  return found;
}

export async function countStatuses(on: Queryable, subject: Subject): Promise<number> {
  const { rows } = await on.query<{ total: number }>(
    'select count(*)::int as total from adapter_statuses where resource_type = $1 and resource_id = $2',
    [subject.kind, subject.id],
  );
  return rows[0]?.total ?? 0;
}

/** Stores the report of an adapter; the last one wins. The caller holds the lock on the resource. */
export async function upsertStatus(
  tx: Queryable,
  subject: Subject,
  status: AdapterStatus,
  rowId: string,
  now: Instant,
): Promise<void> {
  await tx.query(
    `insert into adapter_statuses (id, resource_type, resource_id, adapter, observed_generation, conditions, data,
                                   metadata, created_time, updated_time, last_report_time)
     values ($1, $2, $3, $4, $5, $6::jsonb, $7::jsonb, $8::jsonb, $9::timestamptz, $10::timestamptz, $11::timestamptz)
     on conflict (resource_type, resource_id, adapter) do update
        set observed_generation = excluded.observed_generation, conditions = excluded.conditions,
            data = excluded.data, metadata = excluded.metadata, updated_time = excluded.updated_time,
            last_report_time = excluded.last_report_time`,
    [
      rowId,
      subject.kind,
      subject.id,
      status.adapter,
      status.observed_generation,
      JSON.stringify(status.conditions),
      status.data ? JSON.stringify(status.data) : null,
      status.metadata ? JSON.stringify(status.metadata) : null,
      status.created_time,
      now,
      status.last_report_time,
    ],
  );
}
