import { Command } from 'commander';
import { accessOption, withConnection } from '../cluster-access/index.ts';
import { formatted, type OutputFormat, outputOption, terminalOf } from '../terminal/index.ts';
import { productVersion } from './version.ts';

/** `hypershift version`. */
export function versionCommand(): Command {
  const command = new Command('version')
    .description('Show the version of this program, the releases it brings, and what the operator supports.')
    .option('--client-only', 'do not ask the management cluster')
    .option('--namespace <namespace>', 'namespace of the operator', 'hypershift');
  return outputOption(accessOption(command))
    .addHelpText('after', '\nExamples:\n  hypershift version --client-only\n  hypershift version -o json')
    .action(
      async (flags: {
        readonly kubeconfig?: string;
        readonly clientOnly?: boolean;
        readonly namespace: string;
        readonly output?: OutputFormat;
      }) => {
        const { clientVersions, serverVersions, versionText } = await import('./report.ts');
        const terminal = terminalOf();
        const client = clientVersions(productVersion);
        const server = flags.clientOnly
          ? undefined
          : await withConnection(flags, (connection) => serverVersions(connection, flags.namespace));
        const report = server ? { client, server } : { client };
        terminal.print(flags.output ? formatted(report, flags.output) : versionText(report));
      },
    );
}
