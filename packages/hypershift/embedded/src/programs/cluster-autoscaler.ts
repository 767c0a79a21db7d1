import { ClientEventRecorder } from '@hypershift-ts/kube-controller';
import type { BuiltinProgram } from '@hypershift-ts/kube-kubelet';
import {
  kubeconfigClient,
  openEndpoint,
  type ProcessDirectory,
  ProgramFlags,
  programLog,
  serviceAccountClient,
} from '@hypershift-ts/kube-programs';
import { parseAutoscalerFlags, runClusterAutoscaler } from '@hypershift-ts/machines-cluster-autoscaler';

const healthPort = 8085;

/** `cluster-autoscaler`: scales the node pools of one hosted cluster. */
export function clusterAutoscalerProgram(directory: ProcessDirectory): BuiltinProgram {
  return async (context) => {
    const args = [...(context.command ?? []).slice(1), ...context.args];
    const kubeconfig = new ProgramFlags(args).text('kubeconfig') ?? '';
    const managementClient = serviceAccountClient(context, directory, 'cluster-autoscaler');
    const hostedClient = kubeconfigClient(context, directory, kubeconfig, 'cluster-autoscaler');
    const log = programLog(context);
    const events = new ClientEventRecorder({
      client: hostedClient,
      component: 'cluster-autoscaler',
      clock: context.clock,
      log,
    });
    const health = await openEndpoint({
      address: context.podIP,
      port: healthPort,
      answer: (path) => (path === '/health-check' ? { status: 200, body: 'ok' } : undefined),
    });
    try {
      await runClusterAutoscaler({
        managementClient,
        hostedClient,
        namespace: context.env['MY_NAMESPACE'] ?? context.pod.metadata.namespace ?? '',
        flags: parseAutoscalerFlags(args),
        clock: context.clock,
        logger: log,
        events,
        signal: context.signal,
      });
    } finally {
      await health.close();
      await events.close();
      await managementClient.close();
      await hostedClient.close();
    }
  };
}
