import type { Migration } from '@hypershift-ts/fleet-database';

/** The schema. The first five ids and what they make are upstream's, so either server can take over a database. */
export const migrations: readonly Migration[] = [
  {
    id: '202511111105',
    statements: [
      `create table if not exists adapter_statuses (
         id varchar(255) primary key,
         created_time timestamptz not null default now(),
         updated_time timestamptz not null default now(),
         resource_type varchar(20) not null,
         resource_id varchar(255) not null,
         adapter varchar(255) not null,
         observed_generation integer not null,
         last_report_time timestamptz not null default now(),
         conditions jsonb not null,
         data jsonb null,
         metadata jsonb null
       )`,
      `create index if not exists idx_adapter_statuses_resource on adapter_statuses (resource_type, resource_id)`,
      `create unique index if not exists idx_adapter_statuses_unique
         on adapter_statuses (resource_type, resource_id, adapter)`,
    ],
  },
  {
    id: '202605202128',
    statements: [
      `create table if not exists resources (
         id varchar(255) primary key,
         created_time timestamptz not null default now(),
         updated_time timestamptz not null default now(),
         deleted_time timestamptz null,
         kind varchar(100) not null,
         name varchar(100) not null,
         href varchar(500),
         created_by varchar(255) not null,
         updated_by varchar(255) not null,
         deleted_by varchar(255) null,
         owner_id varchar(255) null,
         owner_kind varchar(100) null,
         owner_href varchar(500) null,
         spec jsonb not null,
         generation integer not null default 1
       )`,
      `create index if not exists idx_resources_kind on resources (kind)`,
      `create unique index if not exists idx_resources_kind_name on resources (kind, name)
         where owner_id is null and deleted_time is null`,
      `create unique index if not exists idx_resources_kind_owner_name on resources (kind, owner_id, name)
         where owner_id is not null and deleted_time is null`,
      `create index if not exists idx_resources_owner_id on resources (owner_id) where owner_id is not null`,
      `create index if not exists idx_resources_deleted_time on resources (deleted_time)
         where deleted_time is not null`,
      `create table if not exists resource_conditions (
         resource_id varchar(255) not null,
         type varchar(100) not null,
         status varchar(10) not null,
         reason text,
         message text,
         observed_generation integer not null default 0,
         created_time timestamptz not null default now(),
         last_updated_time timestamptz not null default now(),
         last_transition_time timestamptz not null default now(),
         primary key (resource_id, type),
         foreign key (resource_id) references resources (id) on delete cascade
       )`,
      `create table if not exists resource_labels (
         resource_id varchar(255) not null,
         key varchar(255) not null,
         value varchar(255) not null,
         primary key (resource_id, key),
         foreign key (resource_id) references resources (id) on delete cascade
       )`,
      `create table if not exists resource_references (
         source_id varchar(255) not null,
         ref_type varchar(255) not null,
         target_id varchar(255) not null,
         target_kind varchar(100) not null,
         primary key (source_id, ref_type, target_id),
         foreign key (source_id) references resources (id) on delete cascade,
         foreign key (target_id) references resources (id) on delete restrict
       )`,
      `create index if not exists idx_resource_references_target on resource_references (target_id)`,
    ],
  },
  {
    id: '202607140001',
    statements: [
      `create index if not exists idx_resource_conditions_type_status on resource_conditions (type, status)
         where status = 'False'`,
    ],
  },
  {
    id: '202608111200',
    statements: [
      `alter table resources add column if not exists tenancy jsonb not null default '{}'::jsonb`,
      `create index if not exists idx_resources_tenancy on resources using gin (tenancy jsonb_path_ops)`,
    ],
  },
  {
    id: '202608181200',
    statements: [
      `drop index if exists idx_resources_kind_name`,
      `create unique index if not exists idx_resources_kind_name on resources (kind, name, tenancy)
         where owner_id is null and deleted_time is null`,
    ],
  },
  // Ours: kinds with long names, and lists that start at a label or at the newest.
  {
    id: '202611150001',
    statements: [
      `alter table adapter_statuses alter column resource_type type varchar(100)`,
      `create index if not exists idx_resource_labels_key_value on resource_labels (key, value)`,
      `create index if not exists idx_resources_kind_created on resources (kind, created_time, id)`,
    ],
  },
];
