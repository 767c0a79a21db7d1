import { readFile } from 'node:fs/promises';
import { ServerCredentials } from '@grpc/grpc-js';
import { type Database, migrate, openPglite, openPostgres } from '@hypershift-ts/fleet-database';
import { type CommandContext, type FlagNames, type Flags } from '@hypershift-ts/fleet-serving';
import { type Clock, systemClock } from '@hypershift-ts/kube-apimachinery';
import { startBrokerServer, startSourceServer } from '../server/grpc-server.ts';
import { startRestServer } from '../server/rest/rest-server.ts';
import { migrations } from '../server/schema.ts';
import { WorkHub } from '../server/work-hub.ts';
import { loggerOf, untilAborted } from './running.ts';

const databaseFiles = ['host', 'port', 'name', 'user', 'password'] as const;

export const serverFlags: FlagNames = {
  values: [
    'server-hostname',
    'http-server-bindport',
    'grpc-server-bindport',
    'grpc-broker-bindport',
    'source-id',
    'database-directory',
    ...databaseFiles.map((name) => `db-${name}-file`),
    'db-sslmode',
    'db-rootcert',
    ...['grpc', 'grpc-broker'].flatMap((port) => [`${port}-tls-cert-file`, `${port}-tls-key-file`]),
    'grpc-client-ca-file',
    'grpc-broker-client-ca-file',
  ],
  switches: ['insecure'],
};

const loopback = ['localhost', '127.0.0.1', '::1'];

/** Serves until the signal aborts. */
export async function runServer(flags: Flags, context: CommandContext): Promise<number> {
  const { signal, clock = systemClock } = context;
  const host = flags.value('server-hostname') ?? 'localhost';
  const [sources, agents] = await Promise.all([
    credentialsOf(flags, 'grpc', host),
    credentialsOf(flags, 'grpc-broker', host),
  ]);
  const logger = loggerOf(context, 'maestro', clock);
  const database = await openDatabase(flags, clock);
  const ending: (() => unknown)[] = [() => database.close()];
  try {
    await migrate(database, migrations);
    const serverId = flags.value('source-id');
    const hub = new WorkHub({ database, clock, logger, ...(serverId ? { serverId } : {}) });
    ending.unshift(() => hub.settled());
    const at = (flag: string, standard: number) => ({ hub, host, port: portOf(flags, flag, standard), clock, logger });
    const sourceServer = await startSourceServer({ ...at('grpc-server-bindport', 8090), credentials: sources });
    ending.unshift(() => sourceServer.close());
    const brokerServer = await startBrokerServer({ ...at('grpc-broker-bindport', 8091), credentials: agents });
    ending.unshift(() => brokerServer.close());
    const rest = await startRestServer(at('http-server-bindport', 8000));
    ending.unshift(() => rest.close());
    logger.info({ rest: rest.url, sources: sourceServer.address, agents: brokerServer.address }, 'serving');
    await untilAborted(signal);
    logger.info({}, 'stopping');
  } finally {
    for (const end of ending) await end();
  }
  return 0;
}

function portOf(flags: Flags, name: string, standard: number): number {
  const text = flags.value(name) ?? String(standard);
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) throw new Error(`--${name} ${text} is no port`);
  return Number(text);
}

/** Plain connections stay on this machine, unless somebody insists. */
async function credentialsOf(flags: Flags, port: 'grpc' | 'grpc-broker', host: string): Promise<ServerCredentials> {
  const [cert, key] = [flags.value(`${port}-tls-cert-file`), flags.value(`${port}-tls-key-file`)];
  if (cert && key) {
    const ca = flags.value(`${port}-client-ca-file`);
    const [certChain, privateKey, roots] = await Promise.all([readFile(cert), readFile(key), ca ? readFile(ca) : null]);
    return ServerCredentials.createSsl(roots, [{ cert_chain: certChain, private_key: privateKey }], roots !== null);
  }
  if (!loopback.includes(host) && !flags.has('insecure'))
    throw new Error(
      `${host} is reachable from other machines: give --${port}-tls-cert-file and --${port}-tls-key-file, or --insecure`,
    );
  return ServerCredentials.createInsecure();
}

async function openDatabase(flags: Flags, clock: Clock): Promise<Database> {
  const directory = flags.value('database-directory');
  const files = databaseFiles.map((name) => flags.value(`db-${name}-file`));
  if (files.every((file) => file === undefined)) return openPglite(directory ? { directory } : {});
  if (directory) throw new Error('--database-directory is for the embedded database; leave out the --db-*-file flags');
  const missing = databaseFiles.filter((_, index) => files[index] === undefined);
  if (missing.length > 0)
    throw new Error(`PostgreSQL also needs ${missing.map((name) => `--db-${name}-file`).join(', ')}`);
  const [host = '', port = '', name = '', username = '', password = ''] = await Promise.all(
    files.map(async (file) => (await readFile(file ?? '', 'utf8')).trim()),
  );
  const rootCertFile = flags.value('db-rootcert');
  const mode = flags.value('db-sslmode') ?? 'disable';
  const known = ['disable', 'require', 'verify-ca', 'verify-full'] as const;
  const sslMode = known.find((one) => one === mode);
  if (!sslMode) throw new Error(`--db-sslmode ${mode} is not one of ${known.join(', ')}`);
  return openPostgres({
    host,
    port: Number(port),
    name,
    username,
    password,
    ssl: { mode: sslMode, ...(rootCertFile ? { rootCertFile } : {}) },
    clock,
  });
}
