import { randomUUID } from 'node:crypto';
import { type Database, isForeignKeyViolation, isUniqueViolation, type Queryable } from '@hypershift-ts/fleet-database';
import type { Where } from './bundle-rows.ts';
import { MaestroError } from './maestro-error.ts';

/** A cluster that works can be for. Its name is where they are sent. */
export interface Consumer {
  readonly id: string;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>> | undefined;
  readonly createdAt: string;
  readonly updatedAt: string;
}

interface Row {
  readonly id: string;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>> | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

const consumerOf = ({ id, name, labels, created_at, updated_at }: Row): Consumer => ({
  id,
  name,
  labels: labels ?? undefined,
  createdAt: created_at.toISOString(),
  updatedAt: updated_at.toISOString(),
});

const namePattern = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

export async function createConsumer(
  database: Database,
  { name, labels }: { readonly name?: string | undefined; readonly labels?: object | undefined },
): Promise<Consumer> {
  const id = randomUUID();
  if (name !== undefined && !namePattern.test(name))
    throw new MaestroError('validation', `the consumer's name ${JSON.stringify(name)} is no RFC 1123 label`);
  try {
    const { rows } = await database.query<Row>(
      'insert into consumers (id, name, labels) values ($1, $2, $3::jsonb) returning *',
      [id, name ?? id, labels ? JSON.stringify(labels) : null],
    );
    return consumerOf(rows[0] as Row);
  } catch (error) {
    if (isUniqueViolation(error)) throw new MaestroError('alreadyExists', `the consumer ${name} already exists`);
    throw error;
  }
}

export async function relabelConsumer(tx: Queryable, id: string, labels: object): Promise<Consumer> {
  const { rows } = await tx.query<Row>(
    'update consumers set labels = $2::jsonb, updated_at = now() where id = $1 returning *',
    [id, JSON.stringify(labels)],
  );
  return found(rows[0], id);
}

export async function findConsumer(tx: Queryable, id: string): Promise<Consumer> {
  const { rows } = await tx.query<Row>('select * from consumers where id = $1', [id]);
  return found(rows[0], id);
}

function found(row: Row | undefined, id: string): Consumer {
  if (!row) throw new MaestroError('notFound', `Consumer with id='${id}' not found`);
  return consumerOf(row);
}

/** Gone is gone, whether it was there or not; with works it stays. */
export async function deleteConsumer(tx: Queryable, id: string): Promise<void> {
  try {
    await tx.query('delete from consumers where id = $1', [id]);
  } catch (error) {
    if (!isForeignKeyViolation(error)) throw error;
    throw new MaestroError('forbidden', 'the consumer still has resource bundles; delete them first');
  }
}

export async function pageOfConsumers(
  tx: Queryable,
  { sql, parameters }: Where,
  order: string,
  { page, size }: { readonly page: number; readonly size: number },
): Promise<{ readonly total: number; readonly items: readonly Consumer[] }> {
  const count = await tx.query<{ total: number }>(
    `select count(*)::int as total from consumers where ${sql}`,
    parameters,
  );
  const total = count.rows[0]?.total ?? 0;
  if (size === 0) return { total, items: [] };
  const { rows } = await tx.query<Row>(
    `select * from consumers where ${sql} order by ${order} limit ${size} offset ${(page - 1) * size}`,
    parameters,
  );
  return { total, items: rows.map(consumerOf) };
}
