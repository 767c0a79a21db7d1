import { Command, Option } from 'commander';
import { UserError } from '../cli-error.ts';
import { accessOption, withConnection } from '../cluster-access/index.ts';
import { flagValues, terminalOf } from '../terminal/index.ts';

interface DestroyFlags {
  readonly kubeconfig?: string;
  readonly name?: string;
  readonly namespace: string;
  readonly infraId?: string;
  readonly clusterGracePeriod: number;
  readonly destroyCloudResources: boolean;
}

const defaultGraceMs = 600_000;

/** `hypershift destroy cluster`. */
export function destroyClusterCommand(): Command {
  const command = new Command('cluster')
    .description('Delete a hosted cluster with its node pools and everything that was created for it.')
    .argument('[name]', 'HostedCluster; with --name, the platform, as other command lines want it')
    .option('--name <name>', 'HostedCluster')
    .option('--namespace <namespace>', 'namespace of the HostedCluster', 'clusters')
    .option('--infra-id <id>', 'remove what is left of a cluster whose HostedCluster is gone')
    .addOption(
      new Option('--cluster-grace-period <duration>', 'how long to wait')
        .argParser(flagValues.durationMs)
        .default(defaultGraceMs, '10m'),
    )
    .option(
      '--destroy-cloud-resources [true|false]',
      'remove load balancers, volumes and the like of the cluster',
      flagValues.boolean,
      true,
    );
  return accessOption(command)
    .addHelpText(
      'after',
      `
While it waits it names what holds the deletion. Interrupt it at any time: the deletion goes on, and the same command
picks it up again.

Examples:
  hypershift destroy cluster --name demo
  hypershift destroy cluster demo --namespace clusters --cluster-grace-period 30m`,
    )
    .action((positional: string | undefined, flags: DestroyFlags) =>
      runDestroyCluster(flags.name ?? positional, flags),
    );
}

async function runDestroyCluster(name: string | undefined, flags: DestroyFlags): Promise<void> {
  if (!name) throw new UserError('which cluster?', 'Name it: hypershift destroy cluster --name demo');
  const { destroyCluster } = await import('./destroy.ts');
  const { causeText } = await import('../progress/index.ts');
  const { interrupted } = await import('../interrupt.ts');
  const terminal = terminalOf();
  const { green } = terminal.noteColors;
  await withConnection(flags, async ({ client }) => {
    await destroyCluster({
      client,
      name,
      namespace: flags.namespace,
      graceMs: flags.clusterGracePeriod,
      destroyCloudResources: flags.destroyCloudResources,
      ...(flags.infraId ? { infraID: flags.infraId } : {}),
      note: terminal.note,
      onProgress: (cause) => terminal.progress(`… ${causeText(cause)}`),
      signal: interrupted(),
    });
    terminal.note(`${green('✓')} HostedCluster ${flags.namespace}/${name} is gone`);
  });
}
