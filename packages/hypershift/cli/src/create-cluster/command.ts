import { Command } from 'commander';
import { exitCodes, UserError } from '../cli-error.ts';
import { accessOption } from '../cluster-access/index.ts';
import { outputOption } from '../terminal/index.ts';
import { addCoreFlags, coreDefaults } from './core-flags.ts';
import { flagsOf } from './create.ts';
import type { PlatformBuilder } from './platform-builder.ts';
import { addPlatformFlags } from './platform-flags.ts';
import { platformBuilders } from './platforms/index.ts';
import type { CreateFlags } from './run.ts';

function platformCommand(platform: PlatformBuilder): Command {
  const command = new Command(platform.command).description(`${platform.summary}.`);
  accessOption(command);
  addCoreFlags(command);
  addPlatformFlags(command, flagsOf(platform));
  outputOption(command);
  return command
    .addHelpText('after', `\nExamples:\n${platform.examples.map((line) => `  ${line}`).join('\n')}`)
    .action(async (flags: Partial<CreateFlags>) => {
      const { runCreateCluster } = await import('./run.ts');
      await runCreateCluster(platform, { ...coreDefaults, timeout: 0, name: '', ...flags } as CreateFlags);
    });
}

/** `hypershift create cluster <platform>`. */
export function createClusterCommand(): Command {
  const command = new Command('cluster').description('Create a HostedCluster and its first NodePool.').addHelpText(
    'after',
    `
Examples:
  hypershift create cluster none --name demo --wait
  hypershift create cluster kubevirt --name demo --node-pool-replicas 2 --render
  hypershift create cluster aws --help`,
  );
  for (const platform of platformBuilders) command.addCommand(platformCommand(platform));
  // What is no platform ends here, with its flags.
  return command
    .argument('[platform]')
    .allowUnknownOption()
    .allowExcessArguments()
    .action((given: string | undefined) => {
      if (given === undefined) command.help({ error: true });
      throw new UserError(
        `${JSON.stringify(given)} is no platform`,
        `Take one of ${platformBuilders.map(({ command: name }) => name).join(', ')}.`,
        { exitCode: exitCodes.usage },
      );
    });
}
