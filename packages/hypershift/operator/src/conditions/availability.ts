import type { HostedControlPlane } from '@hypershift-ts/hypershift-api';
import { type appsv1, findCondition, isConditionTrue } from '@hypershift-ts/kube-apimachinery';
import { copied, fails, holds, type Verdict } from './verdict.ts';

/** Whether the cluster can be used. While there is no control plane, what keeps it from appearing is the message. */
export function available(hcp: HostedControlPlane | undefined, progressing: Verdict): Verdict {
  const found = findCondition(hcp?.status?.conditions, 'Available');
  if (found?.status === 'True') return holds('Available', 'The hosted control plane is available');
  if (found) return copied('Available', found);
  const blocker = progressing.reason === 'Blocked' ? progressing.message : undefined;
  return fails('Available', 'WaitingForAvailable', blocker ?? 'Waiting for hosted control plane to be healthy');
}

/** Whether machines can fetch their configuration, told from the server's Deployment. */
export function ignitionEndpointAvailable(deployment: appsv1.Deployment | undefined): Verdict {
  const type = 'IgnitionEndpointAvailable';
  if (!deployment) return fails(type, 'NotFound', 'Ignition server deployment not found');
  return isConditionTrue(deployment.status?.conditions as never, 'Available')
    ? holds(type, 'Ignition server deployment is available')
    : fails(type, 'WaitingForAvailable', 'Ignition server deployment is not yet available');
}
