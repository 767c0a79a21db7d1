import { readFile } from 'node:fs/promises';
import { nodePools } from '@hypershift-ts/hypershift-api';
import { isAlreadyExists, StatusError } from '@hypershift-ts/kube-apimachinery';
import { UserError } from '../cli-error.ts';
import { type AccessOptions, getHostedCluster, withConnection } from '../cluster-access/index.ts';
import type { PlatformBuilder } from '../create-cluster/platform-builder.ts';
import { platformFlagValues } from '../create-cluster/platform-flags.ts';
import { formatted, type OutputFormat, ownName, terminalOf, yamlText } from '../terminal/index.ts';
import { newNodePool, type NodePoolFlags } from './node-pool.ts';

export type CreateNodePoolFlags = Partial<NodePoolFlags> &
  AccessOptions & { readonly render?: boolean; readonly output?: OutputFormat; readonly [flag: string]: unknown };

function complete(flags: CreateNodePoolFlags): NodePoolFlags {
  if (!flags.name || !flags.clusterName)
    throw new UserError('the NodePool needs a name and a cluster', 'Give --name and --cluster-name.');
  const { name, clusterName } = flags;
  return {
    namespace: 'clusters',
    replicas: 2,
    arch: 'amd64',
    autoRepair: false,
    nodeLabels: [],
    config: [],
    ...(flags as Partial<NodePoolFlags>),
    name,
    clusterName,
  };
}

/** `create nodepool <platform>`: render, or create. */
export async function runCreateNodePool(
  platform: PlatformBuilder,
  given: CreateNodePoolFlags,
  terminal = terminalOf(),
): Promise<void> {
  const flags = complete(given);
  const values = await platformFlagValues(platform.nodes.flags, given, (path) => readFile(path, 'utf8'));
  await withConnection(given, async ({ client }) => {
    const cluster = await getHostedCluster(client, { namespace: flags.namespace, name: flags.clusterName });
    const pool = newNodePool(cluster, platform, flags, values);
    if (given.render) return terminal.print(yamlText(pool));
    try {
      await client.create(nodePools, pool as never, { fieldManager: 'hypershift-cli' });
    } catch (error) {
      const key = `${flags.namespace}/${flags.name}`;
      if (isAlreadyExists(error))
        throw new UserError(
          `NodePool ${key} already exists`,
          `Change its size: hypershift scale nodepool ${flags.name} --replicas <n>`,
          { cause: error },
        );
      if (error instanceof StatusError)
        throw new UserError(
          `NodePool ${key} was refused: ${error.message}`,
          'Correct the flags and run the command again.',
          { cause: error },
        );
      throw error;
    }
    if (given.output) terminal.print(formatted(pool, given.output));
    terminal.note(`${terminal.noteColors.green('✓')} NodePool ${flags.namespace}/${flags.name}`);
    terminal.note(
      `\nWatch its nodes come: ${ownName()} describe nodepool ${flags.name} --namespace ${flags.namespace}`,
    );
  });
}
