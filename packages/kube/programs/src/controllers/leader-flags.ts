import type { LeaderElectionOptions } from '@hypershift-ts/kube-controller';
import type { BuiltinContext } from '@hypershift-ts/kube-kubelet';
import type { ProgramFlags } from '../program-flags.ts';

/** `--leader-elect...` of Kubernetes' components: on unless switched off. */
export function leaderElectionOf(
  flags: ProgramFlags,
  { pod }: Pick<BuiltinContext, 'pod'>,
  lockName: string,
): LeaderElectionOptions | undefined {
  if (!flags.boolean('leader-elect', true)) return undefined;
  const leaseDurationMs = flags.milliseconds('leader-elect-lease-duration');
  const renewDeadlineMs = flags.milliseconds('leader-elect-renew-deadline');
  const retryPeriodMs = flags.milliseconds('leader-elect-retry-period');
  return {
    lease: {
      namespace: flags.text('leader-elect-resource-namespace') ?? 'kube-system',
      name: flags.text('leader-elect-resource-name') ?? lockName,
    },
    identity: `${pod.metadata.name}_${pod.metadata.uid}`,
    ...(leaseDurationMs ? { leaseDurationMs } : {}),
    ...(renewDeadlineMs ? { renewDeadlineMs } : {}),
    ...(retryPeriodMs ? { retryPeriodMs } : {}),
  };
}
