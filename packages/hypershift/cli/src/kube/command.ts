import { join, resolve } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { etcdOption, kubeApiServerOption, type RealProgramFlags } from './real-program-flags.ts';

/** Where `hypershift up` keeps its cluster unless told otherwise. */
export const defaultUpFolder = '.hypershift/up';

/** `--data-dir`, whose default is shown as it is meant: below the current folder. */
export function dataDirOption(description: string): Option {
  return new Option('--data-dir <dir>', description)
    .argParser((dir: string) => resolve(dir))
    .default(resolve(defaultUpFolder), defaultUpFolder);
}

export interface KubeOptions extends RealProgramFlags {
  readonly dataDir: string;
  readonly securePort: number;
  readonly bindAddress: string;
  readonly kubeconfig?: string;
  readonly auditLogPath?: string;
  readonly runImage: readonly string[];
  /** How containers with programs of HyperShift run; `none`: like any other image. */
  readonly hypershiftPrograms: 'none' | 'builtin' | 'operators' | 'process';
  readonly foreground?: boolean;
}

/** `hypershift kube`: a bare embedded Kubernetes cluster. */
export function kubeCommand(): Command {
  return new Command('kube')
    .description('Run a bare Kubernetes cluster on this machine; nothing of HyperShift is installed in it.')
    .requiredOption('--data-dir <dir>', 'where state, keys and logs live', (dir: string) => resolve(dir))
    .option('--secure-port <port>', 'HTTPS port of the API server; 0 picks a free one', portValue, 0)
    .option('--bind-address <address>', 'address the API server listens on', '127.0.0.1')
    .option('--kubeconfig <file>', 'write the administrator kubeconfig here (default: <data-dir>/kubeconfig)')
    .option('--audit-log-path <file>', 'write one JSON line per request here')
    .addOption(
      new Option('--run-image <pattern>', 'run containers of this image as programs of this machine; may be repeated')
        .argParser((pattern: string, before: string[]) => [...before, pattern])
        .default([], 'all are simulated'),
    )
    .addOption(
      new Option(
        '--hypershift-programs <how>',
        'run programs of HyperShift: all in this process, operators as processes, or each container as a process',
      )
        .choices(['none', 'builtin', 'operators', 'process'])
        .default('none'),
    )
    .addOption(etcdOption())
    .addOption(kubeApiServerOption())
    .option('--foreground', 'stay attached and stop on Ctrl-C; otherwise the cluster runs in the background')
    .addHelpText(
      'after',
      `
Examples:
  hypershift kube --data-dir .hypershift/kube
  hypershift kube --data-dir .hypershift/kube --run-image busybox
  hypershift kube --data-dir .hypershift/kube --hypershift-programs operators
  kubectl --kubeconfig .hypershift/kube/kubeconfig get namespaces
  hypershift down --data-dir .hypershift/kube`,
    )
    .action(async (options: KubeOptions) => {
      if (options.foreground) {
        const { runForeground } = await import('./foreground.ts');
        await runForeground(options);
      } else {
        const { startBackground } = await import('./background.ts');
        await startBackground(options);
      }
    });
}

/** `hypershift down`: stops a cluster that runs in the background. */
export function kubeDownCommand(): Command {
  return new Command('down')
    .description('Stop the cluster that runs in the background on a data directory. Its state stays.')
    .addOption(dataDirOption('the data directory it was started with'))
    .action(async ({ dataDir }: { dataDir: string }) => {
      const { stopBackground } = await import('./background.ts');
      await stopBackground(dataDir);
    });
}

export function kubeconfigPath(options: Pick<KubeOptions, 'dataDir' | 'kubeconfig'>): string {
  return resolve(options.kubeconfig ?? join(options.dataDir, 'kubeconfig'));
}

export function portValue(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0 || value > 65535)
    throw new InvalidArgumentError('It must be a port number from 0 to 65535.');
  return value;
}
