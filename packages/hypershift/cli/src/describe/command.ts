import { Command } from 'commander';
import { UserError } from '../cli-error.ts';
import { accessOption, withConnection } from '../cluster-access/index.ts';
import { formatted, type OutputFormat, outputOption, terminalOf } from '../terminal/index.ts';

interface DescribeFlags {
  readonly kubeconfig?: string;
  readonly name?: string;
  readonly namespace: string;
  readonly output?: OutputFormat;
}

function describeClusterCommand(): Command {
  const command = new Command('cluster')
    .description('Tell how a hosted cluster stands: the root cause on top, then everything below it.')
    .argument('[name]', 'HostedCluster')
    .option('--name <name>', 'the same')
    .option('--namespace <namespace>', 'namespace of the HostedCluster', 'clusters');
  return outputOption(accessOption(command))
    .addHelpText(
      'after',
      `
Examples:
  hypershift describe cluster demo
  hypershift describe cluster demo -o json | jq .rootCause.message`,
    )
    .action(async (positional: string | undefined, flags: DescribeFlags) => {
      const name = flags.name ?? positional;
      if (!name) throw new UserError('which cluster?', 'Name it: hypershift describe cluster demo');
      const { clusterFacts } = await import('./facts.ts');
      const { clusterText } = await import('./cluster-text.ts');
      const { clusterTree } = await import('./cluster-tree.ts');
      const { rootCause } = await import('./root-cause.ts');
      const terminal = terminalOf();
      await withConnection(flags, async ({ client }) => {
        const facts = await clusterFacts(client, { namespace: flags.namespace, name });
        if (flags.output)
          terminal.print(formatted({ rootCause: rootCause(facts) ?? null, tree: clusterTree(facts) }, flags.output));
        else terminal.print(clusterText(facts, terminal.colors, Date.now()));
      });
    });
}

function describeNodePoolCommand(): Command {
  const command = new Command('nodepool')
    .description('Tell how a NodePool stands: what blocks it, how far an update has come, and its machines.')
    .argument('[name]', 'NodePool')
    .option('--name <name>', 'the same')
    .option('--namespace <namespace>', 'namespace of the NodePool', 'clusters');
  return outputOption(accessOption(command))
    .addHelpText(
      'after',
      '\nExamples:\n  hypershift describe nodepool demo\n  hypershift describe nodepool demo -o yaml',
    )
    .action(async (positional: string | undefined, flags: DescribeFlags) => {
      const name = flags.name ?? positional;
      if (!name) throw new UserError('which NodePool?', 'Name it: hypershift describe nodepool demo');
      const { nodePoolFacts } = await import('./node-pool-facts.ts');
      const { nodePoolReport, nodePoolText } = await import('./node-pool-text.ts');
      const terminal = terminalOf();
      await withConnection(flags, async ({ client }) => {
        const facts = await nodePoolFacts(client, { namespace: flags.namespace, name });
        if (flags.output) terminal.print(formatted(nodePoolReport(facts), flags.output));
        else terminal.print(nodePoolText(facts, terminal.colors, Date.now()));
      });
    });
}

/** `hypershift describe cluster|nodepool`. */
export function describeCommand(): Command {
  return new Command('describe')
    .description('Explain how something stands, and why.')
    .addCommand(describeClusterCommand())
    .addCommand(describeNodePoolCommand());
}
