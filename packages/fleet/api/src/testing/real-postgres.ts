import { execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { systemClock } from '@hypershift-ts/kube-apimachinery';
import { type Database, openPostgres } from '@hypershift-ts/fleet-database';

/** Where the programs of a PostgreSQL server are on this machine; undefined, and said loudly, when nowhere. */
export function postgresPrograms(): string | undefined {
  const found = (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'postgres'))
    .find((file) => existsSync(file));
  const folder = found && dirname(realpathSync(found));
  if (folder && existsSync(join(folder, 'initdb')) && serverUser() !== 'none') return folder;
  process.stderr.write('SKIPPED: there is no PostgreSQL server on PATH\n');
  return undefined;
}

/** PostgreSQL refuses to run as root; its package brings a user. */
function serverUser(): { uid: number; gid: number } | 'self' | 'none' {
  if (process.getuid?.() !== 0) return 'self';
  try {
    const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { stdio: 'pipe', encoding: 'utf8' }));
    return { uid: id('-u'), gid: id('-g') };
  } catch {
    return 'none';
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** A PostgreSQL server that belongs to a test. */
interface TestPostgres {
  readonly database: Database;
  /** Another connection, to a database by name. */
  open(name: string): Promise<Database>;
  /** Ends the server and removes its data. */
  stop(): Promise<void>;
}

/** Starts a PostgreSQL server of its own on loopback. */
export async function startPostgres(programs: string): Promise<TestPostgres> {
  const data = mkdtempSync(join(tmpdir(), 'fleet-postgres-'));
  const user = serverUser();
  const owner = typeof user === 'object' ? user : {};
  if (typeof user === 'object') chownSync(data, user.uid, user.gid);
  const options = { ...owner, cwd: data, stdio: 'pipe' as const };
  execFileSync(
    join(programs, 'initdb'),
    ['-D', data, '-U', 'hyperfleet', '-A', 'trust', '--no-sync', '-E', 'UTF8', '--locale=C'],
    options,
  );
  const port = await freePort();
  const server = spawn(
    join(programs, 'postgres'),
    ['-D', data, '-F', '-p', String(port), '-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='],
    { ...options, stdio: 'ignore' },
  );
  // A test run that breaks off must not leave a server behind.
  const endWithUs = () => void server.kill('SIGQUIT');
  process.once('exit', endWithUs);
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()));
  const open = (name: string) =>
    openPostgres({
      host: '127.0.0.1',
      port,
      name,
      username: 'hyperfleet',
      retry: { attempts: 600, intervalMs: 50 },
      clock: systemClock,
    });
  const database = await open('postgres');
  return {
    database,
    open,
    async stop() {
      await database.close();
      server.kill('SIGINT');
      await ended;
      process.off('exit', endWithUs);
      rmSync(data, { recursive: true, force: true });
    },
  };
}
