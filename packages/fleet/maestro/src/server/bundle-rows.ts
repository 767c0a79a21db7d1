import type { Queryable } from '@hypershift-ts/fleet-database';
import type { ObjectMeta } from '@hypershift-ts/kube-apimachinery';
import type { BundleStatus, ManifestBundle } from '../protocol/payloads.ts';
import type { Bundle, StoredStatus } from './bundle.ts';

/** The columns as the database hands them out. */
interface Row {
  readonly id: string;
  readonly name: string;
  readonly source: string;
  readonly consumer_name: string;
  readonly version: number;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly deleted_at: Date | null;
  readonly payload: { readonly metadata?: ObjectMeta; readonly data?: ManifestBundle };
  readonly status: StatusDocument | null;
}

/** An event as a document: what queries over `status` see. */
interface StatusDocument {
  readonly source: string;
  readonly resourceversion: number;
  readonly sequenceid: string;
  readonly statushash: string;
  readonly data: BundleStatus;
}

function bundleOf(row: Row): Bundle {
  return {
    id: row.id,
    name: row.name,
    source: row.source,
    consumer: row.consumer_name,
    version: row.version,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    deletedAt: row.deleted_at?.toISOString(),
    metadata: row.payload.metadata ?? {},
    data: row.payload.data ?? {},
    status: row.status ? statusOf(row.status) : undefined,
  };
}

function statusOf({ source, resourceversion, sequenceid, statushash, data }: StatusDocument): StoredStatus {
  return { reporter: source, version: resourceversion, sequenceId: sequenceid, hash: statushash, data };
}

export async function insertBundle(
  tx: Queryable,
  bundle: Pick<Bundle, 'id' | 'source' | 'consumer' | 'version' | 'metadata' | 'data'>,
): Promise<void> {
  const { id, source, consumer, version, metadata, data } = bundle;
  await tx.query(
    'insert into resources (id, name, source, consumer_name, version, payload) values ($1, $1, $2, $3, $4, $5::jsonb)',
    [id, source, consumer, version, JSON.stringify({ metadata, data })],
  );
}

export async function updateBundle(
  tx: Queryable,
  { id, version, metadata, data }: Pick<Bundle, 'id' | 'version' | 'metadata' | 'data'>,
): Promise<void> {
  await tx.query('update resources set version = $2, payload = $3::jsonb, updated_at = now() where id = $1', [
    id,
    version,
    JSON.stringify({ metadata, data }),
  ]);
}

export async function markDeleted(tx: Queryable, id: string): Promise<boolean> {
  const { affected } = await tx.query(
    'update resources set deleted_at = now(), updated_at = now() where id = $1 and deleted_at is null',
    [id],
  );
  return affected > 0;
}

export async function removeBundle(tx: Queryable, id: string): Promise<void> {
  await tx.query('delete from events where source_id = $1', [id]);
  await tx.query('delete from resources where id = $1', [id]);
}

export async function storeStatus(tx: Queryable, id: string, status: StoredStatus): Promise<void> {
  const document: StatusDocument = {
    source: status.reporter,
    resourceversion: status.version,
    sequenceid: status.sequenceId,
    statushash: status.hash,
    data: status.data,
  };
  await tx.query('update resources set status = $2::jsonb, updated_at = now() where id = $1', [
    id,
    JSON.stringify(document),
  ]);
}

export async function findBundle(tx: Queryable, id: string, lock = false): Promise<Bundle | undefined> {
  const { rows } = await tx.query<Row>(`select * from resources where id = $1${lock ? ' for update' : ''}`, [id]);
  return rows[0] && bundleOf(rows[0]);
}

export async function bundlesOf(tx: Queryable, column: 'consumer_name' | 'source', value: string): Promise<Bundle[]> {
  const { rows } = await tx.query<Row>(`select * from resources where ${column} = $1 order by created_at, id`, [value]);
  return rows.map(bundleOf);
}

/** A condition with its parameters, `$1` being the first. */
export interface Where {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

export async function pageOfBundles(
  tx: Queryable,
  where: Where,
  order: string,
  page: { readonly size: number; readonly page: number },
): Promise<{ readonly total: number; readonly items: readonly Bundle[] }> {
  const { sql, parameters } = where;
  const count = await tx.query<{ total: number }>(
    `select count(*)::int as total from resources where ${sql}`,
    parameters,
  );
  const total = count.rows[0]?.total ?? 0;
  if (page.size === 0) return { total, items: [] };
  const offset = (page.page - 1) * page.size;
  const { rows } = await tx.query<Row>(
    `select * from resources where ${sql} order by ${order} limit ${page.size} offset ${offset}`,
    parameters,
  );
  return { total, items: rows.map(bundleOf) };
}
