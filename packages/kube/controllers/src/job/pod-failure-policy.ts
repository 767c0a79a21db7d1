import type { batchv1, corev1 } from '@hypershift-ts/kube-apimachinery';

type Pod = corev1.Pod;
type Rule = batchv1.PodFailurePolicyRule;

export interface FailureVerdict {
  /** Whether the failure counts towards the back-off limit. */
  readonly counts: boolean;
  readonly action: 'Count' | 'FailIndex' | 'FailJob' | 'Ignore';
  /** Why the job fails at once, when it does. */
  readonly message?: string;
}

/** What a failed pod means for its job by the job's rules; the first rule that matches decides. */
export function judgeFailure(policy: batchv1.PodFailurePolicy | undefined, pod: Pod): FailureVerdict {
  for (const [index, rule] of (policy?.rules ?? []).entries()) {
    const match = matchOf(rule, pod);
    if (!match) continue;
    switch (rule.action) {
      case 'Ignore':
        return { counts: false, action: 'Ignore' };
      case 'FailIndex':
        return { counts: true, action: 'FailIndex' };
      case 'FailJob':
        return { counts: true, action: 'FailJob', message: `${match} FailJob rule at index ${index}` };
      default:
        return { counts: true, action: 'Count' };
    }
  }
  return { counts: true, action: 'Count' };
}

function matchOf({ onExitCodes, onPodConditions }: Rule, pod: Pod): string | undefined {
  const { namespace, name } = pod.metadata;
  if (onExitCodes) {
    const { containerName, operator, values } = onExitCodes;
    const statuses = [...(pod.status?.initContainerStatuses ?? []), ...(pod.status?.containerStatuses ?? [])];
    for (const { name: container, state } of statuses) {
      const code = state?.terminated?.exitCode;
      if (!code || (containerName !== undefined && containerName !== container)) continue;
      if (operator === 'In' ? !values.includes(code) : values.includes(code)) continue;
      return `Container ${container} for pod ${namespace}/${name} failed with exit code ${code} matching`;
    }
  }
  for (const { type, status = 'True' } of onPodConditions ?? []) {
    if (pod.status?.conditions?.some((condition) => condition.type === type && condition.status === status)) {
      return `Pod ${namespace}/${name} has condition ${type} matching`;
    }
  }
  return undefined;
}
