import { corev1 } from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';
import { ClientEventRecorder } from '@hypershift-ts/kube-controller';
import type { BuiltinContext, BuiltinProgram } from '@hypershift-ts/kube-kubelet';
import {
  kubeconfigTextClient,
  type ProcessDirectory,
  ProgramFlags,
  programLog,
  serviceAccountClient,
} from '@hypershift-ts/kube-programs';
import { runClusterApi } from '@hypershift-ts/machines-cluster-api';
import { operatorHealth } from './operator-health.ts';

const healthPort = 9440;

/** Cluster API's manager, for the machines of one control plane namespace. */
export function clusterApiProgram(directory: ProcessDirectory): BuiltinProgram {
  return async (context) => {
    const flags = new ProgramFlags([...(context.command ?? []).slice(1), ...context.args]);
    const namespace = flags.text('namespace') ?? context.env['MY_NAMESPACE'] ?? '';
    const client = serviceAccountClient(context, directory, 'cluster-api-controller-manager');
    const hosted: Client[] = [];
    const log = programLog(context);
    const events = new ClientEventRecorder({ client, component: 'cluster-api', clock: context.clock, log });
    const health = await operatorHealth(context, healthPort, () => true);
    try {
      await runClusterApi({
        client,
        namespace,
        hostedClient: ({ metadata }) => {
          const made = hostedClient(context, directory, client, { namespace, name: metadata.name ?? '' });
          hosted.push(made);
          return made;
        },
        clock: context.clock,
        logger: log,
        events,
        leaderElection: {
          lease: { namespace, name: 'controller-leader-election-capi' },
          identity: context.pod.metadata.name ?? '',
          leaseDurationMs: flags.milliseconds('leader-elect-lease-duration') ?? 137_000,
          renewDeadlineMs: flags.milliseconds('leader-elect-renew-deadline') ?? 107_000,
          retryPeriodMs: flags.milliseconds('leader-elect-retry-period') ?? 26_000,
        },
        signal: context.signal,
      });
    } finally {
      await health.close();
      await events.close();
      await Promise.all([client, ...hosted].map((one) => one.close()));
    }
  };
}

/** By Cluster API's contract: Secret `<cluster>-kubeconfig`, key `value`. */
function hostedClient(
  context: BuiltinContext,
  directory: ProcessDirectory,
  client: Client,
  cluster: { readonly namespace: string; readonly name: string },
): Client {
  const read = async () => {
    const key = { namespace: cluster.namespace, name: `${cluster.name}-kubeconfig` };
    const { data } = await client.get(corev1.secrets, key);
    return Buffer.from(data?.['value'] ?? '', 'base64').toString('utf8');
  };
  return kubeconfigTextClient(context, directory, read, 'cluster-api-controller-manager');
}
