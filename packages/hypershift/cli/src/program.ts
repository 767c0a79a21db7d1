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
  program.addCommand(upCommand());
  program.addCommand(
    new Command('create')
      .description('Create hosted clusters, node pools and kubeconfigs.')
      .addCommand(createClusterCommand())
      .addCommand(createNodePoolCommand())
      .addCommand(createKubeconfigCommand()),
  );
  program.addCommand(
    new Command('destroy')
      .description('Delete hosted clusters and node pools.')
      .addCommand(destroyClusterCommand())
      .addCommand(destroyNodePoolCommand()),
  );
  program.addCommand(scaleCommand());
  program.addCommand(describeCommand());
  for (const command of machineLogsCommands()) program.addCommand(command);
  program.addCommand(statusCommand());
  program.addCommand(dumpCommand());
  program.addCommand(installCommand());
  program.addCommand(versionCommand());
  program.addCommand(kubeCommand());
  program.addCommand(kubeDownCommand());
  program.addCommand(apiServerCommand());
  program.addCommand(webhookCommand());
  for (const command of programCommands()) program.addCommand(command);
  return withExitCodes(program);
}

/** Faults of the command line are thrown like all others, so that the exit code tells them apart. */
function withExitCodes(command: Command): Command {
  command.exitOverride();
  for (const child of command.commands) withExitCodes(child);
  return command;
}
