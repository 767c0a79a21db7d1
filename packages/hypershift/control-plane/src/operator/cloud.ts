import { type CloudAccount, type CloudTask, platformFor } from '@hypershift-ts/hypershift-platforms';
import { appsv1, type Condition, findCondition, isConditionTrue } from '@hypershift-ts/kube-apimachinery';
import { kubeApiServerAvailable } from '../hosted-control-plane/conditions.ts';
import { reconciliationActive } from '../hosted-control-plane/pause.ts';
import type { Pass } from './pass.ts';

/** What the cloud of the nodes did and answered so far. Nothing here waits for a cloud: the next answer wakes a reconcile. */
export function cloudConditions(pass: Pass): readonly Condition[] {
  const { type } = pass.hcp.spec.platform;
  return platformFor(type).cloudTasks.map((task) => taskCondition(pass, task));
}

function taskCondition(pass: Pass, task: CloudTask): Condition {
  const { hcp, upkeep } = pass;
  const name = `cloud ${task.condition}`;
  const unused = task.unused?.(hcp);
  if (unused !== undefined) {
    upkeep.outlook.forget(name);
    return unknown(task, unused);
  }
  const { type } = hcp.spec.platform;
  const account = upkeep.accounts(type);
  if (!account) return unknown(task, `${type} is not called to ${task.purpose}: this build makes no calls to ${type}`);
  const before = findCondition(hcp.status?.conditions, task.condition);
  if (!mayCall(pass)) return before ?? unknown(task, 'Waiting for the API server, by whose tokens the cloud is called');
  const sight = upkeep.outlook.look(name, hcp.spec.infraID ?? '', JSON.stringify(hcp.spec.platform), async (signal) => {
    upkeep.cloudStatus.set(task.condition, (await task.run(hcp, account, signal)) ?? {});
    return undefined;
  });
  if (!sight.known) return before ?? unknown(task, `${account.name} has not answered yet`);
  return outcome(task, account, sight.failure);
}

function outcome({ condition, refused, purpose }: CloudTask, { name }: CloudAccount, failure?: string): Condition {
  return failure === undefined
    ? { type: condition, status: 'True', reason: 'AsExpected', message: `All is well with ${name}` }
    : { type: condition, status: 'False', reason: refused, message: `${name} was called to ${purpose}: ${failure}` };
}

const unknown = ({ condition }: CloudTask, message: string): Condition => ({
  type: condition,
  status: 'Unknown',
  reason: 'StatusUnknown',
  message,
});

/** Clouds are called with tokens the API server makes, and not for a cluster whose owner paused it. */
function mayCall({ hcp, lookup, now }: Pass): boolean {
  const server = kubeApiServerAvailable(lookup.get(appsv1.deployments, 'kube-apiserver'));
  const known = [server, reconciliationActive(hcp, now)];
  return known.every(({ type }) => isConditionTrue(known, type));
}

/** `status.platform`, as far as the cloud added to it. */
export function platformStatus({ upkeep }: Pass): object {
  const parts: { [platform: string]: object } = {};
  for (const part of upkeep.cloudStatus.values())
    for (const [platform, fields] of Object.entries(part)) parts[platform] = { ...parts[platform], ...fields };
  return Object.keys(parts).length > 0 ? { platform: parts } : {};
}
