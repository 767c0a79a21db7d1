import { Command } from 'commander';
import { kubeCommand, kubeDownCommand } from './kube/command.ts';
import { webhookCommand } from './webhook/command.ts';
import { apiServerCommand } from './kube/api-server-command.ts';

/** The whole command line. Commands import what they need only when they run. */
export function buildProgram(): Command {
  const program = new Command('hypershift')
    .description('Hosted Kubernetes control planes, in TypeScript.')
    .version('0.1.0')
    .showHelpAfterError('(add --help for usage)')
    .enablePositionalOptions();
  program.addCommand(kubeCommand());
  program.addCommand(kubeDownCommand());
  program.addCommand(apiServerCommand());
  program.addCommand(webhookCommand());
  return program;
}
