import { afterAll, beforeAll, describe } from 'vitest';
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
});
