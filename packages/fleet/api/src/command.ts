import { type Clock, errorMessage, systemClock } from '@hypershift-ts/kube-apimachinery';
import { type Config, loadConfig } from './config/index.ts';
import { migrate } from '@hypershift-ts/fleet-database';
import { migrations } from './store/migrations.ts';
import { createLogger, type Logger } from './observability/index.ts';
import { openDatabase, startFleetApi } from './server.ts';

/** What a command needs of the process it runs in. */
export interface CommandContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  readonly buildTime?: string;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Aborted when the process is asked to end. */
  readonly signal: AbortSignal;
  readonly clock?: Clock;
}

const usage = `usage: hyperfleet-api <command> [--config file] [--section-setting=value ...]

commands:
  serve     migrate the database and serve the API until asked to stop
  migrate   bring the database schema up to date
  version   print the version

Settings come from flags, HYPERFLEET_* variables, the configuration file and defaults, in this order.
`;

/** Runs one command and gives its exit code. */
export async function fleetApiCommand(args: readonly string[], context: CommandContext): Promise<number> {
  const [command = '', ...rest] = args;
  try {
    switch (command) {
      case 'version':
        context.out(`${context.version}\n`);
        return 0;
      case 'serve':
        await serve(loadConfig({ args: rest, env: context.env }), context);
        return 0;
      case 'migrate':
        await migrateOnly(loadConfig({ args: rest, env: context.env }), context);
        return 0;
      default:
        context.err(usage);
        return command === '' || command === 'help' || command === '--help' ? 0 : 2;
    }
  } catch (error) {
    context.err(`hyperfleet-api ${command}: ${errorMessage(error)}\n`);
    return 1;
  }
}

async function serve(config: Config, context: CommandContext): Promise<void> {
  const { version, buildTime, signal, clock = systemClock } = context;
  const log = loggerOf(config, context, clock);
  const api = await startFleetApi({ config, version, clock, log, ...(buildTime ? { buildTime } : {}) });
  if (!signal.aborted)
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  log.info({}, 'stopping: answering what is under way');
  await api.stop();
  log.info({}, 'stopped');
}

async function migrateOnly(config: Config, context: CommandContext): Promise<void> {
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
