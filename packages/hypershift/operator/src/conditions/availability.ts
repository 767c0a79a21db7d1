import type { ControlPlaneComponent, HostedControlPlane } from '@hypershift-ts/hypershift-api';
import { type appsv1, findCondition, isConditionTrue } from '@hypershift-ts/kube-apimachinery';
import { copied, fails, holds, type Verdict } from './verdict.ts';

/** Why there is no control plane to ask: what stops the operator, told by the conditions it just decided. */
function rootCause(verdicts: readonly Verdict[]): string | undefined {
  const failed = (type: Verdict['type']) => verdicts.find((one) => one.type === type && one.status === 'False');
  const blocked = failed('Progressing');
  if (blocked?.reason === 'Blocked') return blocked.message;
  return failed('ReconciliationSucceeded')?.message;
}

/**
 * Whether the cluster can be used. While no control plane tells, the message is what keeps it from telling: what stops
 * the operator, else what it waits for.
 */
export function available(
  hcp: HostedControlPlane | undefined,
  verdicts: readonly Verdict[],
  awaited?: string,
): Verdict {
  const found = findCondition(hcp?.status?.conditions, 'Available');
  if (found?.status === 'True') return holds('Available', 'The hosted control plane is available');
  if (found) return copied('Available', found);
  const cause = rootCause(verdicts) ?? awaited;
  return fails('Available', 'WaitingForAvailable', cause ?? 'Waiting for hosted control plane to be healthy');
}

/** What keeps the operator of the control plane from reporting anything; undefined when it runs. */
export function operatorProblem(component: ControlPlaneComponent | undefined): string | undefined {
  if (!component) return undefined;
  const { conditions } = component.status ?? {};
  if (isConditionTrue(conditions, 'Available')) return undefined;
  const rollout = findCondition(conditions, 'RolloutComplete');
  const said = rollout?.reason === 'ReconciliationError' ? rollout : findCondition(conditions, 'Available');
  return `Waiting for the control plane operator: ${said?.message || 'it reports nothing yet'}`;
}

/** Whether machines can fetch their configuration, told from the server's Deployment. */
export function ignitionEndpointAvailable(deployment: appsv1.Deployment | undefined): Verdict {
  const type = 'IgnitionEndpointAvailable';
  if (!deployment) return fails(type, 'NotFound', 'Ignition server deployment not found');
  return isConditionTrue(deployment.status?.conditions as never, 'Available')
    ? holds(type, 'Ignition server deployment is available')
    : fails(type, 'WaitingForAvailable', 'Ignition server deployment is not yet available');
}
