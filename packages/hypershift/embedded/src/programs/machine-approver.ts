import type { BuiltinProgram } from '@hypershift-ts/kube-kubelet';
import {
  kubeconfigClient,
  type ProcessDirectory,
  ProgramFlags,
  programLog,
  serviceAccountClient,
} from '@hypershift-ts/kube-programs';
import { runMachineApprover } from '@hypershift-ts/machines-machine-approver';

/** `machine-approver`: approves the certificate requests of nodes that belong to a Machine. */
export function machineApproverProgram(directory: ProcessDirectory): BuiltinProgram {
  return async (context) => {
    const flags = new ProgramFlags([...(context.command ?? []).slice(1), ...context.args]);
    const managementClient = serviceAccountClient(context, directory, 'machine-approver');
    const kubeconfig = flags.text('workload-cluster-kubeconfig') ?? '';
    const hostedClient = kubeconfigClient(context, directory, kubeconfig, 'machine-approver');
    try {
      await runMachineApprover({
        managementClient,
        hostedClient,
        namespace: flags.text('machine-namespace') ?? context.pod.metadata.namespace ?? '',
        clock: context.clock,
        logger: programLog(context),
        signal: context.signal,
      });
    } finally {
      await managementClient.close();
      await hostedClient.close();
    }
  };
}
