import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrate } from '@hypershift-ts/fleet-database';
import { migrations } from './store/migrations.ts';
import { postgresPrograms, startPostgres } from './testing/real-postgres.ts';
import { apiSuites, serverSuites } from './testing/suites/index.ts';

const programs = postgresPrograms();

describe.skipIf(!programs)('The API over a PostgreSQL server', () => {
  let server: Awaited<ReturnType<typeof startPostgres>>;
  beforeAll(async () => {
    server = await startPostgres(programs ?? '');
  });
  afterAll(() => server?.stop());
  apiSuites(() => server.database);
  serverSuites(() => server.database);

  it('When servers start together on an empty database, one should migrate it while the others wait', async () => {
    await server.database.query('create database fresh');
    const databases = await Promise.all([server.open('fresh'), server.open('fresh'), server.open('fresh')]);
    const steps = await Promise.all(databases.map((database) => migrate(database, migrations)));
    expect(steps.flat()).toEqual(migrations.map((one) => one.id));
    const broken = [{ id: 'broken', statements: ['create table half (id int)', 'create table'] }];
    const [first] = databases;
    await expect(first && migrate(first, broken)).rejects.toThrow('syntax error');
    const { rows } = (await first?.query("select to_regclass('half') as half")) ?? { rows: [] };
    expect(rows).toEqual([{ half: null }]);
    await Promise.all(databases.map((database) => database.close()));
  });
});
