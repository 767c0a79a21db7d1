import { Command, Option } from 'commander';
import { UserError } from '../cli-error.ts';
import { accessOption, withConnection } from '../cluster-access/index.ts';
import { flagValues, terminalOf } from '../terminal/index.ts';

interface DestroyFlags {
  readonly kubeconfig?: string;
  readonly name?: string;
  readonly namespace: string;
  readonly gracePeriod: number;
  readonly wait: boolean;
}

/** `hypershift destroy nodepool`. */
export function destroyNodePoolCommand(): Command {
  const command = new Command('nodepool')
    .description('Delete a NodePool and its nodes.')
    .argument('[name]', 'NodePool')
    .option('--name <name>', 'the same')
    .option('--namespace <namespace>', 'namespace of the NodePool', 'clusters')
    .addOption(
      new Option('--grace-period <duration>', 'how long to wait')
        .argParser(flagValues.durationMs)
        .default(600_000, '10m'),
    )
    .option('--no-wait', 'do not wait until the nodes are gone');
  return accessOption(command)
    .addHelpText(
      'after',
      '\nExamples:\n  hypershift destroy nodepool demo-workers\n  hypershift destroy nodepool --name demo-workers --no-wait',
    )
    .action(async (positional: string | undefined, flags: DestroyFlags) => {
      const name = flags.name ?? positional;
      if (!name) throw new UserError('which NodePool?', 'Name it: hypershift destroy nodepool demo-workers');
      const { destroyNodePool } = await import('./destroy.ts');
      const terminal = terminalOf();
      await withConnection(flags, ({ client }) => destroyNodePool(client, { ...flags, name }, terminal));
    });
}
