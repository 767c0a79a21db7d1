import { type Endpoint, runHostedClusterConfigOperator } from '@hypershift-ts/hypershift-config-operator';
import type { ReleaseProvider } from '@hypershift-ts/hypershift-release';
import type { BuiltinProgram } from '@hypershift-ts/kube-kubelet';
import {
  apiServerAnswers,
  kubeconfigClient,
  type ProcessDirectory,
  ProgramFlags,
  programLog,
  serviceAccountClient,
} from '@hypershift-ts/kube-programs';
import { operatorHealth } from './operator-health.ts';

const name = 'hosted-cluster-config-operator';
const healthPort = 6060;

/** `control-plane-operator hosted-cluster-config-operator`: keeps the inside of a hosted cluster as wanted. */
export function configOperatorProgram(directory: ProcessDirectory, releases: ReleaseProvider): BuiltinProgram {
  return async (context) => {
    const { env, signal, clock } = context;
    const flags = new ProgramFlags([...(context.command ?? []).slice(2), ...context.args]);
    const namespace = flags.text('namespace') ?? env['POD_NAMESPACE'] ?? '';
    const managementClient = serviceAccountClient(context, directory, name);
    const hostedClient = kubeconfigClient(context, directory, flags.text('target-kubeconfig') ?? '', name);
    const konnectivity = endpointOf(flags, 'konnectivity');
    const oauth = endpointOf(flags, 'oauth');
    const releaseImage = env['OPERATE_ON_RELEASE_IMAGE'];
    const health = await operatorHealth(context, healthPort, () => true);
    const log = programLog(context);
    try {
      if (!(await apiServerAnswers(hostedClient, context, (message) => log.info({}, message)))) return;
      await runHostedClusterConfigOperator({
        managementClient,
        hostedClient,
        namespace,
        hostedControlPlaneName: flags.text('hosted-control-plane') ?? '',
        releases,
        ...(konnectivity ? { konnectivity } : {}),
        ...(oauth ? { oauth } : {}),
        ...(releaseImage ? { operateOnReleaseImage: releaseImage } : {}),
        leaderElection: {
          lease: { namespace, name: `${name}-leader-elect` },
          identity: context.pod.metadata.name ?? '',
          leaseDurationMs: 60_000,
          renewDeadlineMs: 40_000,
          retryPeriodMs: 15_000,
        },
        clock,
        logger: log,
        signal,
      });
    } finally {
      await health.close();
      await managementClient.close();
      await hostedClient.close();
    }
  };
}

function endpointOf(flags: ProgramFlags, service: string): Endpoint | undefined {
  const [host, port] = [flags.text(`${service}-address`), flags.number(`${service}-port`)];
  return host && port ? { host, port } : undefined;
}
