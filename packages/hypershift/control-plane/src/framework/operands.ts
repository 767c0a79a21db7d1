import { labels } from '@hypershift-ts/hypershift-api';
import { appsv1 } from '@hypershift-ts/kube-apimachinery';
import type { Lookup } from './context.ts';
import { isDeploymentReady } from './workload-status.ts';

/** Written by operators on the Deployments they make. */
const operandVersion = 'release.openshift.io/version';

/** What is still awaited of the Deployments an operator makes in the control plane's namespace; undefined when nothing. */
export function pendingOperands(component: string, version: string, lookup: Lookup): string | undefined {
  const waiting = lookup
    .list(appsv1.deployments)
    .filter(({ metadata }) => metadata.labels?.[labels.managedBy.key] === component)
    .map((deployment) => pendingOperand(deployment, version))
    .filter((text) => text !== undefined)
    .sort();
  return waiting.length > 0 ? waiting.join('; ') : undefined;
}

function pendingOperand(deployment: appsv1.Deployment, version: string): string | undefined {
  const { name, annotations: found } = deployment.metadata;
  const reached = found?.[operandVersion];
  if (reached !== version) {
    return `Waiting for deployment ${name} to be at version ${version}${reached ? ` (now ${reached})` : ''}`;
  }
  return isDeploymentReady(deployment) ? undefined : `Waiting for deployment ${name} rollout to finish`;
}
