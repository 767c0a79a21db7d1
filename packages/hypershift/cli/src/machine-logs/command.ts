import { Command } from 'commander';
import { accessOption, withConnection } from '../cluster-access/index.ts';
import { terminalOf } from '../terminal/index.ts';

interface MachineLogsFlags {
  readonly kubeconfig?: string;
  readonly namespace?: string;
}

function consoleCommand(name: string): Command {
  const command = new Command(name)
    .description('Print the console of a simulated machine: how it booted, and why it did not.')
    .argument('<name>', 'Machine, or node')
    .option('--namespace <namespace>', 'control plane namespace of the machine; all are searched by default');
  return accessOption(command)
    .addHelpText('after', `\nExamples:\n  hypershift ${name === 'logs' ? 'machine logs' : name} demo-x7k2p-4mz9q`)
    .action(async (machine: string, flags: MachineLogsFlags) => {
      const { machineConsole } = await import('./console.ts');
      const text = await withConnection(flags, ({ client }) => machineConsole(client, machine, flags.namespace));
      terminalOf().print(text.trimEnd());
    });
}

/** `hypershift machine logs` and `hypershift console-logs`: the same, by the names people look for. */
export function machineLogsCommands(): readonly Command[] {
  return [
    new Command('machine').description('Look at simulated machines.').addCommand(consoleCommand('logs')),
    consoleCommand('console-logs'),
  ];
}
