import { type Clock, systemClock } from '@hypershift-ts/kube-apimachinery';
import { type Config, loadConfig } from './config/index.ts';
import { migrate } from '@hypershift-ts/fleet-database';
import { type CommandContext, runCommand } from '@hypershift-ts/fleet-serving';
import { migrations } from './store/migrations.ts';
import { createLogger, type Logger } from './observability/index.ts';
import { openDatabase, startFleetApi } from './server.ts';

type ApiCommandContext = CommandContext & { readonly buildTime?: string };

const usage = `usage: hyperfleet-api <command> [--config file] [--section-setting=value ...]

commands:
  serve     migrate the database and serve the API until asked to stop
  migrate   bring the database schema up to date
  version   print the version

Settings come from flags, HYPERFLEET_* variables, the configuration file and defaults, in this order.
`;

/** Runs one command and gives its exit code. */
export function fleetApiCommand(args: readonly string[], context: ApiCommandContext): Promise<number> {
  return runCommand({ name: 'hyperfleet-api', usage }, args, context, {
    async serve(rest) {
      await serve(loadConfig({ args: rest, env: context.env }), context);
      return 0;
    },
    async migrate(rest) {
      await migrateOnly(loadConfig({ args: rest, env: context.env }), context);
      return 0;
    },
  });
}

async function serve(config: Config, context: ApiCommandContext): Promise<void> {
  const { version, buildTime, signal, clock = systemClock } = context;
  const log = loggerOf(config, context, clock);
  const api = await startFleetApi({ config, version, clock, log, ...(buildTime ? { buildTime } : {}) });
  if (!signal.aborted)
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  log.info({}, 'stopping: answering what is under way');
  await api.stop();
  log.info({}, 'stopped');
}

async function migrateOnly(config: Config, context: ApiCommandContext): Promise<void> {
  const database = await openDatabase(config, context.clock ?? systemClock, context.signal);
  try {
    const steps = await migrate(database, migrations);
    context.out(steps.length === 0 ? 'the database is up to date\n' : `applied ${steps.join(', ')}\n`);
  } finally {
    await database.close();
  }
}

function loggerOf({ logging }: Config, { out, err, version }: CommandContext, clock: Clock): Logger {
  return createLogger({
    level: logging.level,
    format: logging.format,
    write: logging.output === 'stderr' ? err : out,
    now: () => clock.now(),
    component: 'hyperfleet-api',
    version,
    masked: logging.masking.enabled ? [...logging.masking.fields, ...logging.masking.headers] : [],
  });
}
