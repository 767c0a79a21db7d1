import { Command } from 'commander';
import { accessOption, withConnection } from '../cluster-access/index.ts';
import { formatted, type OutputFormat, outputOption, terminalOf } from '../terminal/index.ts';

/** `hypershift status`. */
export function statusCommand(): Command {
  const command = new Command('status').description(
    'Show the management cluster, the hosted clusters in it, and what really runs behind their pods.',
  );
  return outputOption(accessOption(command))
    .addHelpText(
      'after',
      `
Pods are counted by what runs them: builtin (a program of this project inside a process of ours), process (a program of
this machine), simulated (nothing runs; the pod only says it does), container (a real container runtime).

Examples:
  hypershift status
  hypershift status -o json | jq '.hostedClusters[].available'`,
    )
    .action(async (flags: { readonly kubeconfig?: string; readonly output?: OutputFormat }) => {
      const { statusFacts } = await import('./facts.ts');
      const { statusReport } = await import('./report.ts');
      const { statusText } = await import('./text.ts');
      const terminal = terminalOf();
      await withConnection(flags, async (connection) => {
        const report = statusReport(await statusFacts(connection));
        terminal.print(
          flags.output ? formatted(report, flags.output) : statusText(report, terminal.colors, Date.now()),
        );
      });
    });
}
