import { Command } from 'commander';
import { accessOption, withConnection } from '../cluster-access/index.ts';
import { terminalOf } from '../terminal/index.ts';

interface KubeconfigFlags {
  readonly kubeconfig?: string;
  readonly name?: string;
  readonly namespace: string;
  readonly portForward?: boolean;
}

/** `hypershift create kubeconfig`. */
export function createKubeconfigCommand(): Command {
  const command = new Command('kubeconfig')
    .description('Print the kubeconfig of a hosted cluster, or one kubeconfig with a context for each.')
    .argument('[name]', 'HostedCluster; all of the namespace when not given')
    .option('--name <name>', 'the same')
    .option('--namespace <namespace>', 'namespace of the HostedCluster', 'clusters')
    .option('--port-forward', 'for private clusters: go through a kubectl port-forward');
  return accessOption(command)
    .addHelpText(
      'after',
      `
Contexts of many clusters are called <namespace>-<name>.

Examples:
  hypershift create kubeconfig --name demo > demo.kubeconfig
  kubectl --kubeconfig demo.kubeconfig get nodes
  hypershift create kubeconfig > all.kubeconfig`,
    )
    .action(async (positional: string | undefined, flags: KubeconfigFlags) => {
      const { kubeconfigText } = await import('./read.ts');
      const terminal = terminalOf();
      const name = flags.name ?? positional;
      await withConnection(flags, async ({ client }) =>
        terminal.print(await kubeconfigText(client, { ...flags, ...(name ? { name } : {}), note: terminal.note })),
      );
    });
}
