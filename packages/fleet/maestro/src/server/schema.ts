import type { Migration } from '@hypershift-ts/fleet-database';

/** The tables. Names, columns and the constraint's name are upstream's: clients match errors by them. */
export const migrations: readonly Migration[] = [
  {
    id: 'maestro-202611150001',
    statements: [
      `create table consumers (
         id text primary key,
         created_at timestamptz not null default now(),
         updated_at timestamptz not null default now(),
         deleted_at timestamptz,
         name text not null unique,
         labels jsonb
       )`,
      `create table resources (
         id text primary key,
         created_at timestamptz not null default now(),
         updated_at timestamptz not null default now(),
         deleted_at timestamptz,
         name text not null unique,
         source text not null,
         consumer_name text not null,
         version integer not null,
         type text not null default 'Bundle',
         payload jsonb not null,
         status jsonb,
         constraint fk_resources_consumers foreign key (consumer_name) references consumers (name) on delete restrict
       )`,
      'create index resources_by_consumer on resources (consumer_name)',
      'create index resources_by_source on resources (source)',
      // Written with the row it is about, so that no work is stored that nobody is told of.
      `create table events (
         id bigserial primary key,
         created_at timestamptz not null default now(),
         source_id text not null,
         consumer_name text not null,
         event_type text not null,
         reconciled_date timestamptz
       )`,
      'create index events_pending on events (consumer_name, id) where reconciled_date is null',
    ],
  },
];
