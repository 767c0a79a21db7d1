import type { ControlPlaneComponent, HostedCluster } from '@hypershift-ts/hypershift-api';
import { isConditionTrue } from '@hypershift-ts/kube-apimachinery';
import { fails, holds, type Verdict } from './verdict.ts';

/** Components that make nodes by themselves. */
export const autoNodeComponents = ['karpenter', 'karpenter-operator'] as const;

/** Whether the cluster makes nodes for itself; `component` finds a part of the control plane by name. */
export function autoNodeEnabled(
  { spec }: HostedCluster,
  component: (name: string) => ControlPlaneComponent | undefined,
): Verdict {
  const type = 'AutoNodeEnabled';
  if (!spec.autoNode?.provisionerConfig) return fails(type, 'AutoNodeNotConfigured', 'AutoNode is not configured');
  const awaited = autoNodeComponents.filter(
    (name) => !isConditionTrue(component(name)?.status?.conditions, 'RolloutComplete'),
  );
  return awaited.length === 0
    ? holds(type, 'AutoNode is ready')
    : fails(type, 'AutoNodeProgressing', `Waiting for ${awaited.join(', ')} to be rolled out`);
}
