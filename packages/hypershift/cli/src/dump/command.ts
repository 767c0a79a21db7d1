import { relative } from 'node:path';
import { Command } from 'commander';
import { UserError } from '../cli-error.ts';
import { accessOption, withConnection } from '../cluster-access/index.ts';
import { flagValues, terminalOf } from '../terminal/index.ts';

interface DumpFlags {
  readonly kubeconfig?: string;
  readonly name?: string;
  readonly namespace: string;
  readonly artifactDir?: string;
  readonly archiveDump: boolean;
  readonly dumpGuestCluster: boolean;
  readonly operatorNamespace: string;
}

function dumpClusterCommand(): Command {
  const command = new Command('cluster')
    .description(
      'Write everything about a hosted cluster into a folder: objects, events, logs, and a page to begin with.',
    )
    .argument('[name]', 'HostedCluster')
    .option('--name <name>', 'the same')
    .option('--namespace <namespace>', 'namespace of the HostedCluster', 'clusters')
    .option('--artifact-dir <folder>', 'folder for the files (required)')
    .option('--archive-dump [true|false]', 'write hypershift-dump.tar.gz, too', flagValues.boolean, true)
    .option('--dump-guest-cluster [true|false]', 'look inside the hosted cluster, too', flagValues.boolean, true)
    .option('--operator-namespace <namespace>', 'namespace of the operator', 'hypershift');
  return accessOption(command)
    .addHelpText(
      'after',
      `
Values of Secrets, private keys and bearer tokens are left out. What cannot be read is listed on the page.

Examples:
  hypershift dump cluster demo --artifact-dir demo-dump
  hypershift dump cluster --name demo --artifact-dir demo-dump --dump-guest-cluster=false`,
    )
    .action((positional: string | undefined, flags: DumpFlags) => runDump(flags.name ?? positional, flags));
}

async function runDump(name: string | undefined, flags: DumpFlags): Promise<void> {
  const folder = flags.artifactDir;
  if (!name || !folder)
    throw new UserError('which cluster, and where to?', 'hypershift dump cluster demo --artifact-dir demo-dump');
  const { dumpFiles, writeDump } = await import('./dump.ts');
  const terminal = terminalOf();
  await withConnection(flags, async ({ client }) => {
    const now = Date.now();
    const files = await dumpFiles({
      client,
      name,
      namespace: flags.namespace,
      operatorNamespace: flags.operatorNamespace,
      guest: flags.dumpGuestCluster,
      now,
      note: (text) => terminal.note(`${terminal.noteColors.green('✓')} ${text}`),
    });
    await writeDump(folder, files, flags.archiveDump, now);
    terminal.note(`\nBegin with ${relative(process.cwd(), folder) || '.'}/index.html`);
  });
}

/** `hypershift dump cluster`. */
export function dumpCommand(): Command {
  return new Command('dump').description('Collect what is needed to find a fault.').addCommand(dumpClusterCommand());
}
