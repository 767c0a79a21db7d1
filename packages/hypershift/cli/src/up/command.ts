import { Command, Option } from 'commander';
import { dataDirOption, portValue } from '../kube/command.ts';
import { integer } from '../terminal/flag-values.ts';
import { etcdOption, kubeApiServerOption, type RealProgramFlags } from '../kube/real-program-flags.ts';

export interface UpOptions extends RealProgramFlags {
  readonly dataDir: string;
  readonly name: string;
  readonly namespace: string;
  readonly nodePoolReplicas: number;
  readonly controlPlaneAvailabilityPolicy: string;
  readonly securePort: number;
  readonly auditLogPath?: string;
  /** `--no-cluster` makes it false. */
  readonly cluster: boolean;
  readonly foreground?: boolean;
}

/** `hypershift up`: everything on this machine. */
export function upCommand(): Command {
  return new Command('up')
    .description('Start a management cluster on this machine and bring up a hosted cluster with worker nodes in it.')
    .addOption(dataDirOption('where state, keys and logs live'))
    .option('--name <name>', 'name of the hosted cluster', 'demo')
    .option('--namespace <namespace>', 'its namespace', 'clusters')
    .option('--node-pool-replicas <n>', 'worker nodes; their machines are simulated', integer, 2)
    .addOption(
      new Option('--control-plane-availability-policy <policy>', 'three of every part that matters, or one')
        .choices(['SingleReplica', 'HighlyAvailable'])
        .default('SingleReplica'),
    )
    .addOption(etcdOption())
    .addOption(kubeApiServerOption())
    .option('--secure-port <port>', 'HTTPS port of the management cluster; 0 picks a free one', portValue, 0)
    .option('--audit-log-path <file>', 'write one JSON line per request to the management cluster here')
    .option('--no-cluster', 'start only the management cluster with HyperShift in it')
    .option('--foreground', 'run the management cluster in this process until Ctrl-C, and create nothing')
    .addHelpText(
      'after',
      `
Examples:
  hypershift up
  hypershift up --name other --node-pool-replicas 3
  hypershift up --etcd real --control-plane-availability-policy HighlyAvailable
  hypershift up --no-cluster && hypershift create cluster none --name bare --wait
  hypershift down`,
    )
    .action(async (options: UpOptions) => {
      if (options.foreground) {
        const { runManagementCluster } = await import('./foreground.ts');
        await runManagementCluster(options);
      } else {
        const { runUp } = await import('./run.ts');
        await runUp(options);
      }
    });
}
