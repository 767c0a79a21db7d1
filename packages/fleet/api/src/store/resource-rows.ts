import type { JsonObject } from '@hypershift-ts/kube-apimachinery';
import type { Queryable } from '@hypershift-ts/fleet-database';
import type { Instant } from '../instant.ts';
import type { Reference, Resource, ResourceCondition } from '../resources/index.ts';
import type { Parameters } from '../search/index.ts';

/** SQL that writes a timestamp as an `Instant`. */
export const instantSql = (column: string): string =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/** A resource and all that hangs on it in one row, so that a list is one statement. */
const selection = `
  r.id, r.kind, r.name, r.href, r.spec, r.generation, r.tenancy,
  r.owner_id, r.owner_kind, r.owner_href, r.created_by, r.updated_by, r.deleted_by,
  ${instantSql('r.created_time')} as created_time,
  ${instantSql('r.updated_time')} as updated_time,
  ${instantSql('r.deleted_time')} as deleted_time,
  (select jsonb_object_agg(l.key, l.value) from resource_labels l where l.resource_id = r.id) as labels,
  (select jsonb_agg(jsonb_build_object('ref_type', f.ref_type, 'id', f.target_id, 'kind', f.target_kind, 'href', t.href)
            order by f.ref_type, f.target_id)
     from resource_references f join resources t on t.id = f.target_id where f.source_id = r.id) as refs,
  (select jsonb_agg(jsonb_build_object(
            'type', c.type, 'status', c.status, 'reason', coalesce(c.reason, ''), 'message', coalesce(c.message, ''),
            'observed_generation', c.observed_generation,
            'created_time', ${instantSql('c.created_time')},
            'last_updated_time', ${instantSql('c.last_updated_time')},
            'last_transition_time', ${instantSql('c.last_transition_time')}))
     from resource_conditions c where c.resource_id = r.id) as conditions`;

interface Row {
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  readonly href: string;
  readonly spec: JsonObject;
  readonly generation: number;
  readonly tenancy: Record<string, string> | null;
  readonly owner_id: string | null;
  readonly owner_kind: string | null;
  readonly owner_href: string | null;
  readonly created_by: string;
  readonly updated_by: string;
  readonly deleted_by: string | null;
  readonly created_time: Instant;
  readonly updated_time: Instant;
  readonly deleted_time: Instant | null;
  readonly labels: Record<string, string> | null;
  readonly refs: Reference[] | null;
  readonly conditions: ResourceCondition[] | null;
}

/** The two every client looks for come first. */
const rank = (type: string): number => (type === 'Reconciled' ? 0 : type === 'LastKnownReconciled' ? 1 : 2);

function byType(a: ResourceCondition, b: ResourceCondition): number {
  return rank(a.type) - rank(b.type) || (a.type < b.type ? -1 : 1);
}

function resourceOf(row: Row): Resource {
  return {
    id: row.id,
    kind: row.kind,
    name: row.name,
    href: row.href,
    spec: row.spec,
    labels: row.labels ?? {},
    tenancy: row.tenancy ?? {},
    generation: row.generation,
    ...(row.owner_id === null
      ? {}
      : { owner: { id: row.owner_id, kind: row.owner_kind ?? '', href: row.owner_href ?? '' } }),
    references: row.refs ?? [],
    conditions: (row.conditions ?? []).sort(byType),
    created_time: row.created_time,
    updated_time: row.updated_time,
    created_by: row.created_by,
    updated_by: row.updated_by,
    ...(row.deleted_time === null ? {} : { deleted_time: row.deleted_time }),
    ...(row.deleted_by === null ? {} : { deleted_by: row.deleted_by }),
  };
}

interface Selection {
  readonly where: string;
  readonly parameters: Parameters;
  readonly order?: string;
  readonly page?: { readonly limit: number; readonly offset: number };
  /** Locks the rows until the transaction ends: for writing, or only against deletion. Not for pages. */
  readonly lock?: 'update' | 'share';
}

/** Resources by an expression over `resources r`. */
export async function selectResources(on: Queryable, one: Selection): Promise<Resource[]> {
  const { where, parameters, order = 'r.id', page, lock } = one;
  const rows = `resources r where ${where} order by ${order}`;
  // The page is cut before anything is gathered for its rows; otherwise the rows before it would be gathered, too.
  const source = page
    ? `(select r.* from ${rows} limit ${Math.trunc(page.limit)} offset ${Math.trunc(page.offset)}) r order by ${order}`
    : rows;
  const result = await on.query<Row>(
    `select ${selection} from ${source}${lock ? ` for ${lock} of r` : ''}`,
    parameters.values,
  );
  return result.rows.map(resourceOf);
}

export async function countResources(on: Queryable, where: string, parameters: Parameters): Promise<number> {
  const { rows } = await on.query<{ total: number }>(
    `select count(*)::int as total from resources r where ${where}`,
    parameters.values,
  );
  return rows[0]?.total ?? 0;
}
