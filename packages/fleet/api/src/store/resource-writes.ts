import type { Queryable } from '@hypershift-ts/fleet-database';
import type { Resource, ResourceCondition, WantedReference } from '../resources/index.ts';

export async function insertResource(tx: Queryable, resource: Resource): Promise<void> {
  await tx.query(
    `insert into resources (id, kind, name, href, spec, generation, tenancy, owner_id, owner_kind, owner_href,
                            created_time, updated_time, created_by, updated_by)
     values ($1, $2, $3, $4, $5::jsonb, $6, $7::jsonb, $8, $9, $10, $11::timestamptz, $12::timestamptz, $13, $14)`,
    [
      resource.id,
      resource.kind,
      resource.name,
      resource.href,
      JSON.stringify(resource.spec),
      resource.generation,
      JSON.stringify(resource.tenancy),
      resource.owner?.id ?? null,
      resource.owner?.kind ?? null,
      resource.owner?.href ?? null,
      resource.created_time,
      resource.updated_time,
      resource.created_by,
      resource.updated_by,
    ],
  );
}

/** Writes what a PATCH or DELETE changes in the row itself. */
export async function updateResource(tx: Queryable, resource: Resource): Promise<void> {
  await tx.query(
    `update resources
        set spec = $2::jsonb, generation = $3, updated_time = $4::timestamptz, updated_by = $5,
            deleted_time = $6::timestamptz, deleted_by = $7
      where id = $1`,
    [
      resource.id,
      JSON.stringify(resource.spec),
      resource.generation,
      resource.updated_time,
      resource.updated_by,
      resource.deleted_time ?? null,
      resource.deleted_by ?? null,
    ],
  );
}

export async function replaceLabels(
  tx: Queryable,
  id: string,
  labels: Readonly<Record<string, string>>,
): Promise<void> {
  await tx.query('delete from resource_labels where resource_id = $1', [id]);
  if (Object.keys(labels).length === 0) return;
  await tx.query(
    'insert into resource_labels (resource_id, key, value) select $1, key, value from jsonb_each_text($2::jsonb)',
    [id, JSON.stringify(labels)],
  );
}

export async function replaceReferences(
  tx: Queryable,
  id: string,
  references: readonly WantedReference[],
): Promise<void> {
  await tx.query('delete from resource_references where source_id = $1', [id]);
  if (references.length === 0) return;
  await tx.query(
    `insert into resource_references (source_id, ref_type, target_id, target_kind)
     select $1, ref_type, target_id, target_kind
       from jsonb_to_recordset($2::jsonb) as f (ref_type text, target_id text, target_kind text)`,
    [id, JSON.stringify(references)],
  );
}

/** Makes these the conditions of a resource: one statement for those that stay, one for those that went. */
export async function replaceConditions(
  tx: Queryable,
  id: string,
  conditions: readonly ResourceCondition[],
): Promise<void> {
  await tx.query('delete from resource_conditions where resource_id = $1 and not (type = any ($2::text[]))', [
    id,
    conditions.map((condition) => condition.type),
  ]);
  await tx.query(
    `insert into resource_conditions (resource_id, type, status, reason, message, observed_generation,
                                      created_time, last_updated_time, last_transition_time)
     select $1, type, status, reason, message, observed_generation, created_time, last_updated_time, last_transition_time
       from jsonb_to_recordset($2::jsonb) as c (type text, status text, reason text, message text,
            observed_generation integer, created_time timestamptz, last_updated_time timestamptz,
            last_transition_time timestamptz)
     on conflict (resource_id, type) do update
        set status = excluded.status, reason = excluded.reason, message = excluded.message,
            observed_generation = excluded.observed_generation, created_time = excluded.created_time,
            last_updated_time = excluded.last_updated_time, last_transition_time = excluded.last_transition_time`,
    [id, JSON.stringify(conditions)],
  );
}

/** Removes a resource with its reports; labels, conditions and outgoing references go with the row. */
export async function removeResource(tx: Queryable, resource: Pick<Resource, 'id' | 'kind'>): Promise<void> {
  await tx.query('delete from adapter_statuses where resource_type = $1 and resource_id = $2', [
    resource.kind,
    resource.id,
  ]);
  await tx.query('delete from resources where id = $1', [resource.id]);
}

export async function removeInboundReferences(tx: Queryable, id: string): Promise<void> {
  await tx.query('delete from resource_references where target_id = $1', [id]);
}
