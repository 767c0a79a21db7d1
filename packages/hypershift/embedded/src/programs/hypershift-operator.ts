import { runHypershiftOperator } from '@hypershift-ts/hypershift-operator';
import type { ReleaseProvider } from '@hypershift-ts/hypershift-release';
import type { BuiltinProgram } from '@hypershift-ts/kube-kubelet';
import { type ProcessDirectory, ProgramFlags, programLog, serviceAccountClient } from '@hypershift-ts/kube-programs';

/** Releases bring no image for these; any that is one of ours runs as the simulated provider. */
const simulatedProviders = {
  KubeVirt: 'registry.hypershift-ts.io/cluster-api-provider-kubevirt:embedded',
  Agent: 'registry.hypershift-ts.io/cluster-api-provider-agent:embedded',
} as const;

/** `hypershift-operator run`: HostedClusters and NodePools of the management cluster. */
export function hypershiftOperatorProgram(directory: ProcessDirectory, releases: ReleaseProvider): BuiltinProgram {
  return async (context) => {
    const flags = new ProgramFlags([...(context.command ?? []).slice(1), ...context.args]);
    const client = serviceAccountClient(context, directory, 'hypershift-operator');
    try {
      await runHypershiftOperator({
        client,
        namespace: flags.text('namespace') ?? context.pod.metadata.namespace ?? 'hypershift',
        identity: context.pod.metadata.name ?? '',
        releases,
        operatorImage: flags.text('control-plane-operator-image') ?? context.container.image ?? '',
        providerImages: simulatedProviders,
        clock: context.clock,
        logger: programLog(context),
        signal: context.signal,
      });
    } finally {
      await client.close();
    }
  };
}
