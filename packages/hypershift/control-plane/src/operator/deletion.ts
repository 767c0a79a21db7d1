import { annotations, finalizers, hostedControlPlanes } from '@hypershift-ts/hypershift-api';
import { platformFor } from '@hypershift-ts/hypershift-platforms';
import {
  appsv1,
  type Clock,
  type Condition,
  errorMessage,
  findCondition,
  isConditionFalse,
  isConditionTrue,
} from '@hypershift-ts/kube-apimachinery';
import { patchStatus, type ReconcileResult, removeFinalizer } from '@hypershift-ts/kube-controller';
import { disconnectPrivateLinks } from '../private-links/index.ts';
import type { Pass } from './pass.ts';

/** How long deletion waits for the hosted cluster to report progress with its cloud resources. */
const giveUpAfterMs = 10 * 60_000;
const pollMs = 60_000;

/** Reasons after which nothing more is to be expected. */
const terminal: ReadonlySet<string> = new Set(['CloudResourcesCleanupSkipped', 'CloudResourcesDeletionTimedOut']);

const versionOperator = 'cluster-version-operator';

/** Lets a HostedControlPlane go, after the hosted cluster gave its cloud resources back where that was asked for. */
export async function deleteControlPlane(pass: Pass, clock: Clock): Promise<ReconcileResult> {
  const { hcp, client } = pass;
  if (hcp.metadata.annotations?.[annotations.cleanupCloudResources.key] === 'true') {
    await giveBack(pass, clock);
    const next = cleanUpStep(pass);
    if (next.kind === 'scale-down') await scaleDown(pass);
    if (next.kind === 'report') {
      await patchStatus(
        client,
        hostedControlPlanes,
        hcp,
        { conditions: [next.condition] },
        { clock, signal: pass.signal },
      );
      // Cleaning up goes on in the hosted cluster, whose operator has been waiting for this condition.
      if (!next.isLast) return { requeueAfterMs: pollMs };
    }
    if (next.kind === 'scale-down' || next.kind === 'wait') return { requeueAfterMs: pollMs };
  }
  const { type } = hcp.spec.platform;
  await disconnectPrivateLinks(platformFor(type), pass.upkeep.accounts(type), pass);
  const live = pass.lookup.get(hostedControlPlanes, hcp.metadata.name ?? '') ?? hcp;
  await removeFinalizer(client, hostedControlPlanes, live, finalizers.hypershift.key);
  return undefined;
}

/** Takes back what the cloud did for the control plane, once; a cloud that does not trust the cluster cannot be asked. */
async function giveBack({ hcp, client, upkeep, signal }: Pass, clock: Clock): Promise<void> {
  const { type } = hcp.spec.platform;
  const { cloudCleanUp: task, cloudTasks } = platformFor(type);
  const account = upkeep.accounts(type);
  const known = hcp.status?.conditions;
  if (!task || !account || isConditionTrue(known, task.condition)) return;
  if (cloudTasks.some(({ condition }) => isConditionFalse(known, condition))) return;
  const report = async (condition: Condition) =>
    void (await patchStatus(client, hostedControlPlanes, hcp, { conditions: [condition] }, { clock, signal }));
  try {
    await task.run(hcp, account, signal);
  } catch (error) {
    await report({ type: task.condition, status: 'False', reason: task.refused, message: errorMessage(error) });
    throw error;
  }
  const message = `All is well with ${account.name}`;
  await report({ type: task.condition, status: 'True', reason: 'AsExpected', message });
}

export type CleanUpStep =
  | { readonly kind: 'done' }
  | { readonly kind: 'scale-down' }
  | { readonly kind: 'wait' }
  | { readonly kind: 'report'; readonly condition: Condition; readonly isLast: boolean };

/** What is next on the way to a hosted cluster without cloud resources. */
export function cleanUpStep({ hcp, lookup, now }: Pick<Pass, 'hcp' | 'lookup' | 'now'>): CleanUpStep {
  const destroyed = findCondition(hcp.status?.conditions, 'CloudResourcesDestroyed');
  if (destroyed?.status === 'True' || terminal.has(destroyed?.reason ?? '')) return { kind: 'done' };
  const stopped = findCondition(hcp.status?.conditions, 'CVOScaledDown');
  if (stopped?.status === 'True') {
    const since = Date.parse((destroyed ?? stopped).lastTransitionTime ?? '');
    if (now - since <= giveUpAfterMs) return { kind: 'wait' };
    return { kind: 'report', condition: givenUp(now - since, destroyed?.message), isLast: true };
  }
  const cvo = lookup.get(appsv1.deployments, versionOperator);
  if ((cvo?.spec?.replicas ?? 0) > 0) return { kind: 'scale-down' };
  if ((cvo?.status?.replicas ?? 0) > 0) return { kind: 'wait' };
  const condition: Condition = { type: 'CVOScaledDown', status: 'True', reason: 'CVOScaledDown', message: '' };
  return { kind: 'report', condition, isLast: false };
}

function givenUp(elapsedMs: number, last: string | undefined): Condition {
  const text = `Giving up on cloud resource deletion after ${Math.floor(elapsedMs / 60_000)}m`;
  return {
    type: 'CloudResourcesDestroyed',
    status: 'False',
    reason: 'CloudResourcesDeletionTimedOut',
    message: last ? `${text} (last status: ${last})` : text,
  };
}

/** The version operator would bring back what is being removed. */
async function scaleDown({ client, namespace, signal }: Pass): Promise<void> {
  const key = { namespace, name: versionOperator };
  await client.patch(appsv1.deployments, key, { type: 'merge', body: { spec: { replicas: 0 } } }, { signal });
}
