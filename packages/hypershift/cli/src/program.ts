import { Command } from 'commander';
import { createClusterCommand } from './create-cluster/command.ts';
import { createKubeconfigCommand } from './create-kubeconfig/command.ts';
import { createNodePoolCommand } from './create-nodepool/command.ts';
import { describeCommand } from './describe/command.ts';
import { destroyClusterCommand } from './destroy-cluster/command.ts';
import { destroyNodePoolCommand } from './destroy-nodepool/command.ts';
import { dumpCommand } from './dump/command.ts';
import { installCommand } from './install/command.ts';
import { apiServerCommand } from './kube/api-server-command.ts';
import { kubeCommand, kubeDownCommand } from './kube/command.ts';
import { machineLogsCommands } from './machine-logs/command.ts';
import { programCommands } from './operator-run/command.ts';
import { scaleCommand } from './scale/command.ts';
import { statusCommand } from './status/command.ts';
import { upCommand } from './up/command.ts';
import { versionCommand } from './version/command.ts';
import { productVersion } from './version/version.ts';
import { webhookCommand } from './webhook/command.ts';

/** The whole command line. Commands import what they need only when they run. */
export function buildProgram(): Command {
  const program = new Command('hypershift')
    .description('Hosted Kubernetes control planes, in TypeScript.')
    .version(productVersion)
    .showHelpAfterError('(add --help for usage)')
    .enablePositionalOptions();
  const groups: Readonly<Record<string, readonly Command[]>> = {
    'On this machine:': [upCommand(), kubeDownCommand(), kubeCommand()],
    'Hosted clusters and their nodes:': [
      new Command('create')
        .description('Create hosted clusters, node pools and kubeconfigs.')
        .addCommand(createClusterCommand())
        .addCommand(createNodePoolCommand())
        .addCommand(createKubeconfigCommand()),
      new Command('destroy')
        .description('Delete hosted clusters and node pools.')
        .addCommand(destroyClusterCommand())
        .addCommand(destroyNodePoolCommand()),
      scaleCommand(),
      statusCommand(),
      describeCommand(),
      dumpCommand(),
      ...machineLogsCommands(),
    ],
    'Management clusters:': [installCommand(), versionCommand()],
    'Programs, each as a process:': [...programCommands(), apiServerCommand(), webhookCommand()],
  };
  for (const [heading, commands] of Object.entries(groups))
    for (const command of commands) program.addCommand(command.helpGroup(heading));
  return withExitCodes(program);
}

/** Faults of the command line are thrown like all others, so that the exit code tells them apart. */
function withExitCodes(command: Command): Command {
  command.exitOverride();
  for (const child of command.commands) withExitCodes(child);
  return command;
}
