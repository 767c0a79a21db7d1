import { Command } from 'commander';
import { UserError } from '../cli-error.ts';
import { accessOption, withConnection } from '../cluster-access/index.ts';
import { flagValues, terminalOf } from '../terminal/index.ts';

interface ScaleFlags {
  readonly kubeconfig?: string;
  readonly namespace: string;
  readonly replicas?: number;
  readonly wait?: boolean;
  readonly timeout: number;
}

function scaleNodePoolCommand(): Command {
  const command = new Command('nodepool')
    .description('Change the number of nodes of a NodePool.')
    .argument('<name>', 'NodePool')
    .option('--namespace <namespace>', 'namespace of the NodePool', 'clusters')
    .option('--replicas <n>', 'how many nodes (required)', flagValues.integer)
    .option('--wait', 'wait until the nodes are there, or gone')
    .option('--timeout <duration>', 'give up waiting after this; 0 waits for ever', flagValues.durationMs, 0);
  return accessOption(command)
    .addHelpText(
      'after',
      '\nExamples:\n  hypershift scale nodepool demo --replicas 3\n  hypershift scale nodepool demo --replicas 0 --wait',
    )
    .action(async (name: string, flags: ScaleFlags) => {
      const { replicas } = flags;
      if (replicas === undefined || replicas < 0)
        throw new UserError('how many nodes?', `Say it: hypershift scale nodepool ${name} --replicas 3`);
      const { scaleNodePool } = await import('./scale.ts');
      const terminal = terminalOf();
      await withConnection(flags, ({ client }) => scaleNodePool(client, { ...flags, name, replicas }, terminal));
    });
}

/** `hypershift scale nodepool`. */
export function scaleCommand(): Command {
  return new Command('scale').description('Change how many nodes there are.').addCommand(scaleNodePoolCommand());
}
