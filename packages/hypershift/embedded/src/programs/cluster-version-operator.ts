import { runClusterVersionOperator } from '@hypershift-ts/hypershift-config-operator';
import type { ReleaseProvider } from '@hypershift-ts/hypershift-release';
import type { BuiltinProgram } from '@hypershift-ts/kube-kubelet';
import {
  apiServerAnswers,
  kubeconfigClient,
  type ProcessDirectory,
  ProgramFlags,
  programLog,
} from '@hypershift-ts/kube-programs';

/** `cluster-version-operator start`: follows an embedded release into a hosted cluster. */
export function clusterVersionOperatorProgram(directory: ProcessDirectory, releases: ReleaseProvider): BuiltinProgram {
  return async (context) => {
    const flags = new ProgramFlags([...(context.command ?? []).slice(1), ...context.args]);
    const releaseImage = flags.text('release-image') ?? '';
    const { version } = await releases.lookup(releaseImage, { signal: context.signal });
    const hostedClient = kubeconfigClient(
      context,
      directory,
      flags.text('kubeconfig') ?? '',
      'cluster-version-operator',
    );
    const log = programLog(context);
    try {
      if (!(await apiServerAnswers(hostedClient, context, (message) => log.info({}, message)))) return;
      await runClusterVersionOperator({
        hostedClient,
        releaseImage,
        version,
        identity: context.pod.metadata.name ?? '',
        clock: context.clock,
        logger: log,
        signal: context.signal,
      });
    } finally {
      await hostedClient.close();
    }
  };
}
