import { controlPlaneComponents } from '@hypershift-ts/hypershift-api';
import { appsv1, type Condition, findCondition } from '@hypershift-ts/kube-apimachinery';
import type { Pass } from '../pass.ts';
import { podTrouble } from './pods.ts';

/** A chain of dependencies is never longer; the limit keeps a wrong one from going round in circles. */
const deepest = 5;

/** Why a component is not available, in one line; follows the components it waits for down to the one that fails. */
export async function componentCause(pass: Pass, name: string, depth = 0): Promise<string | undefined> {
  const { status } = pass.lookup.get(controlPlaneComponents, name) ?? {};
  const rollout = findCondition(status?.conditions, 'RolloutComplete');
  if (rollout?.reason === 'ReconciliationError') return `${name}: ${rollout.message}`;
  if (rollout?.reason === 'WaitingForDependencies' && depth < deepest) {
    const [first] = (rollout.message ?? '').replace('Waiting for Dependencies: ', '').split(', ');
    return first ? componentCause(pass, first, depth + 1) : undefined;
  }
  const trouble = replicaFailure(pass, name) ?? (await podTrouble(pass, name));
  return trouble ? `${name}: ${trouble}` : undefined;
}

/** Pods that could not even be created. */
function replicaFailure({ lookup }: Pass, name: string): string | undefined {
  const { status } = lookup.get(appsv1.deployments, name) ?? {};
  const failure = findCondition(status?.conditions as readonly Condition[] | undefined, 'ReplicaFailure');
  return failure?.status === 'True' ? failure.message : undefined;
}
