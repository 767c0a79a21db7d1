import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fleetApiCommand } from './command.ts';
import { type Database, openPglite } from '@hypershift-ts/fleet-database';
import { postgresPrograms } from './testing/real-postgres.ts';
import { apiSuites, serverSuites } from './testing/suites/index.ts';

// Making one costs seconds, so all suites share it.
describe('The API over the embedded database', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fleet-pglite-'));
  const directory = join(folder, 'data');
  let database: Database;
  beforeAll(async () => {
    database = await openPglite({ directory });
  });
  afterAll(async () => {
    await database.close();
    rmSync(folder, { recursive: true });
  });
  apiSuites(() => database);
  // A PostgreSQL server says more about these, where there is one.
  if (!postgresPrograms()) serverSuites(() => database);

  /** Runs the command as a process would and gives what it printed. */
  async function run(args: string[], whileServing: (url: string) => Promise<void>) {
    const stop = new AbortController();
    let printed = '';
    let visit: Promise<void> | undefined;
    const out = (text: string) => {
      printed += text;
      const [, url] = /"url":"([^"]+)"/.exec(text) ?? [];
      if (url !== undefined) visit = whileServing(url).finally(() => stop.abort());
    };
    const code = await fleetApiCommand(args, { env: {}, version: '1.2.3', out, err: out, signal: stop.signal });
    await visit;
    return { code, printed };
  }

  it('When the server stopped and a new one opens its directory, the data should be there', async () => {
    await database.query('truncate resources cascade');
    await database.query(
      `insert into resources (id, kind, name, href, spec, created_by, updated_by)
       values ('kept', 'Channel', 'stable', '/x', '{}', 'a', 'a')`,
    );
    const flags = ['--server-jwt-enabled=false', '--database-dialect=pglite', `--database-directory=${directory}`];
    const ports = ['--server-port=0', '--health-port=0', '--metrics-port=0'];
    const refused = await run(['migrate', ...flags], async () => {});
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.printed).toContain('in use by process');
    await database.close();
    const served = await run(['serve', ...flags, ...ports], async (url) => {
      const answer = await fetch(`${url}/api/hyperfleet/v1/channels/kept`);
      expect(await answer.json()).toMatchObject({ name: 'stable' });
    });
    expect(served.code).toBe(0);
    expect(served.printed).toContain('"message":"stopped"');
    expect(existsSync(`${directory}.lock`)).toBe(false);
  });

  it('When the command cannot work, it should say why and fail', async () => {
    const nothing = async () => {};
    expect(await run(['version'], nothing)).toEqual({ code: 0, printed: '1.2.3\n' });
    expect((await run(['bogus'], nothing)).code).toBe(2);
    const jwt = await run(['serve'], nothing);
    expect(jwt.code).toBe(1);
    expect(jwt.printed).toContain('server.jwt.configs must name at least one issuer');
  });
});
