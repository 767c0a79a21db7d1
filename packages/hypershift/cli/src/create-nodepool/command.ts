import { Command, Option } from 'commander';
import { accessOption } from '../cluster-access/index.ts';
import type { PlatformBuilder } from '../create-cluster/platform-builder.ts';
import { addPlatformFlags } from '../create-cluster/platform-flags.ts';
import { platformBuilders } from '../create-cluster/platforms/index.ts';
import { flagValues, outputOption } from '../terminal/index.ts';
import type { CreateNodePoolFlags } from './run.ts';

const { boolean, duration, integer, list, repeated } = flagValues;

function coreFlags(command: Command): Command {
  return command
    .option('--name <name>', 'name of the NodePool (required)')
    .option('--cluster-name <name>', 'HostedCluster it belongs to (required)')
    .option('--namespace <namespace>', 'namespace of both', 'clusters')
    .option('--replicas <n>', 'how many nodes', integer, 2)
    .option('--autoscale-min <n>', 'fewest nodes, when the number follows the load', integer)
    .option('--autoscale-max <n>', 'most nodes, when the number follows the load', integer)
    .option('--release-image <image>', 'release of the nodes (default: that of the cluster)')
    .addOption(new Option('--node-upgrade-type <type>', 'how nodes are upgraded').choices(['Replace', 'InPlace']))
    .addOption(
      new Option('--arch <arch>', 'processors of the nodes')
        .choices(['amd64', 'arm64', 'ppc64le', 's390x'])
        .default('amd64'),
    )
    .option('--auto-repair [true|false]', 'replace nodes that fail', boolean, false)
    .option('--node-drain-timeout <duration>', 'how long draining may take; 0s for ever', duration)
    .option('--node-volume-detach-timeout <duration>', 'how long detaching volumes may take; 0s for ever', duration)
    .option('--node-labels <key=value>', 'labels of the nodes, separated by commas', list)
    .option('--config <name>', 'ConfigMap with machine configuration; may be repeated', repeated)
    .option('--render', 'print the object and create nothing');
}

function platformCommand(platform: PlatformBuilder): Command {
  const command = new Command(platform.command).description(`Nodes for a cluster on platform ${platform.type}.`);
  accessOption(command);
  coreFlags(command);
  addPlatformFlags(command, platform.nodes.flags);
  return outputOption(command)
    .addHelpText(
      'after',
      `
Examples:
  hypershift create nodepool ${platform.command} --cluster-name demo --name demo-workers --replicas 3
  hypershift create nodepool ${platform.command} --cluster-name demo --name spare --replicas 1 --render`,
    )
    .action(async (flags: CreateNodePoolFlags) => {
      const { runCreateNodePool } = await import('./run.ts');
      await runCreateNodePool(platform, flags);
    });
}

/** `hypershift create nodepool <platform>`. */
export function createNodePoolCommand(): Command {
  const command = new Command('nodepool').description('Create a NodePool for an existing HostedCluster.');
  for (const platform of platformBuilders) command.addCommand(platformCommand(platform));
  return command;
}
