import type { CommandContext } from '@hypershift-ts/fleet-serving';

type Command = (args: readonly string[], context: CommandContext) => Promise<number>;

interface Service {
  readonly says: string;
  /** Loaded when it is asked for: the parts of one service cost the others nothing. */
  readonly load: () => Promise<Command>;
}

const services: Readonly<Record<string, Service>> = {
  api: {
    says: 'the REST API of clusters and node pools, and its database',
    load: async () => (await import('@hypershift-ts/fleet-api')).fleetApiCommand,
  },
  sentinel: {
    says: 'polls the API and publishes what needs work',
    load: async () => (await import('@hypershift-ts/fleet-sentinel')).sentinelCommand,
  },
  adapter: {
    says: 'works on events as its configuration says, and reports',
    load: async () => (await import('@hypershift-ts/fleet-adapter')).adapterCommand,
  },
  'status-reporter': {
    says: 'turns the result of a Job into its conditions, inside the pod of the Job',
    load: async () => {
      const { statusReporterCommand } = await import('@hypershift-ts/fleet-status-reporter');
      return (_args, context) => statusReporterCommand(context);
    },
  },
  maestro: {
    says: 'carries works to clusters far away: server and agent',
    load: async () => (await import('@hypershift-ts/fleet-maestro')).maestroCommand,
  },
};

const usage = `usage: hyperfleet <service> <command> [flags]

services:
${Object.entries(services)
  .map(([name, { says }]) => `  ${name.padEnd(16)} ${says}`)
  .join('\n')}

Run \`hyperfleet <service>\` for its commands and flags.
`;

/** Runs one command of one service and gives its exit code. */
export async function hyperfleet(args: readonly string[], context: CommandContext): Promise<number> {
  const [name = '', ...rest] = args;
  if (name === '' || name === 'help' || name === '--help' || name === '-h') {
    context.out(usage);
    return 0;
  }
  if (name === 'version' || name === '--version') {
    context.out(`${context.version}\n`);
    return 0;
  }
  const service = Object.hasOwn(services, name) ? services[name] : undefined;
  if (!service) {
    context.err(`hyperfleet: there is no service ${JSON.stringify(name)}\n\n${usage}`);
    return 2;
  }
  return (await service.load())(rest, context);
}
