import { afterAll, beforeAll, describe } from 'vitest';
import { type Database, openPglite } from './database/index.ts';
import { apiSuites } from './testing/suites/index.ts';

// Making one costs seconds, so all suites share it.
describe('The API over the embedded database', () => {
  let database: Database;
  beforeAll(async () => {
    database = await openPglite();
  });
  afterAll(() => database.close());
  apiSuites(() => database);
});
