import { annotations, type HostedControlPlane } from '@hypershift-ts/hypershift-api';
import {
  admissionregistrationv1,
  errorMessage,
  hasConditionStatus,
  isAlreadyExists,
  StatusError,
} from '@hypershift-ts/kube-apimachinery';
import { getIfPresent, type ReconcileContext, type ReconcileResult } from '@hypershift-ts/kube-controller';
import type { GuestScope } from '../options.ts';
import { patchControlPlaneStatus } from '../status/patch-status.ts';
import { type CloudResource, cloudResources } from './cloud-resources.ts';
import { creationBlock, creationBlockName } from './creation-block.ts';

const recheckMs = 2000;
/** Attempts after which a hosted API server that cannot be reached counts as gone. */
const patience = 5;
const condition = 'CloudResourcesDestroyed';

/**
 * Removes what the hosted cluster made in the cloud, before its control plane goes: nobody could afterwards. Begins
 * when the version operator is gone, because that one would bring everything back.
 */
export async function cleanUpCloudResources(
  hcp: HostedControlPlane,
  { options }: GuestScope,
  context: ReconcileContext,
): Promise<ReconcileResult> {
  const conditions = hcp.status?.conditions;
  if (hcp.metadata.annotations?.[annotations.cleanupCloudResources.key] !== 'true') return undefined;
  if (!hasConditionStatus(conditions, 'CVOScaledDown', 'True')) return undefined;
  if (hasConditionStatus(conditions, condition, 'True')) return undefined;
  const { hostedClient } = options;
  const remaining: string[] = [];
  const skipped: string[] = [];
  for (const step of [blockCreation, ...cloudResources]) {
    try {
      if (!(await step.remove(hostedClient, context.signal))) remaining.push(step.name);
    } catch (error) {
      context.signal.throwIfAborted();
      if (!isUnreachable(error)) {
        await report('False', 'ReconcileError', `${step.name}: ${errorMessage(error)}`);
        throw error;
      }
      // The next attempt may find the way again; giving up is for good.
      if (context.attempt < patience) throw error;
      skipped.push(errorMessage(error));
    }
  }
  if (skipped.length > 0) {
    // The hosted API server may be gone already; the control plane operator gives up after a while.
    await report('False', 'CloudResourcesCleanupSkipped', `Cleanup skipped: ${skipped[0]}`);
    return { requeueAfterMs: recheckMs };
  }
  if (remaining.length > 0) {
    await report('False', 'RemainingCloudResources', `Remaining resources: ${remaining.sort().join(',')}`);
    return { requeueAfterMs: recheckMs };
  }
  await report('True', condition, 'All guest resources destroyed');
  return undefined;

  function report(status: 'True' | 'False', reason: string, message: string): Promise<void> {
    return patchControlPlaneStatus(hcp, { conditions: [{ type: condition, status, reason, message }] }, context);
  }
}

const blockCreation: CloudResource = {
  name: 'creation block',
  async remove(client, signal) {
    const type = admissionregistrationv1.validatingwebhookconfigurations;
    if (await getIfPresent(client, type, { name: creationBlockName }, { signal })) return true;
    await client.create(type, creationBlock(), { signal }).catch((error: unknown) => {
      if (!isAlreadyExists(error)) throw error;
    });
    return true;
  },
};

/** Failures of the way there, not answers of a server. */
function isUnreachable(error: unknown): boolean {
  if (!(error instanceof StatusError)) return true;
  return error.code === 503 || error.code === 504 || error.code === 429;
}
