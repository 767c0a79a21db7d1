import {
  compileLabelSelector,
  isConditionTrue,
  isConflict,
  StatusError,
  statusErrors,
  type UnstructuredObject,
} from '@hypershift-ts/kube-apimachinery';
import { deleteOptions } from '../http/write-options.ts';
import { draftOf } from '../registry/draft.ts';
import { deleteObject } from '../registry/delete.ts';
import { listEntries } from '../registry/list.ts';
import { getStored, type Registry, servedObjects, type Target } from '../registry/registry.ts';
import { updateObject } from '../registry/update.ts';
import type { RequestContext } from '../request/context.ts';
import { formatTime } from '@hypershift-ts/kube-apimachinery';
import type { Action } from './subresource.ts';

const success = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };

/** pods/eviction: a deletion that PodDisruptionBudgets may refuse for now (429). */
export const podEviction: Action = {
  form: 'action',
  async run(registry, context, target, body, options) {
    const named = body['metadata']?.name;
    if (named !== undefined && named !== '' && named !== target.name)
      throw statusErrors.badRequest('name in URL does not match name in Eviction object');
    const request = { ...deleteOptions(body['deleteOptions'] ?? {}, new URLSearchParams()), dryRun: options.dryRun };
    const pod = (await getStored(registry, target)).object;
    if (needsBudget(pod)) {
      const budget = await budgetOf(registry, target, pod);
      if (budget) await spend(registry, context, target, pod, budget, options.dryRun);
    }
    await deleteObject(registry, context, target, request);
    return { code: 201, object: success };
  },
};

/** Finished, unscheduled or already leaving pods may always go. */
function needsBudget(pod: UnstructuredObject): boolean {
  const phase = (pod['status'] as { phase?: string } | undefined)?.phase;
  return (
    phase !== 'Succeeded' && phase !== 'Failed' && phase !== 'Pending' && pod.metadata.deletionTimestamp === undefined
  );
}

async function budgetOf(
  registry: Registry,
  target: Target,
  pod: UnstructuredObject,
): Promise<UnstructuredObject | undefined> {
  const resource = registry.catalogue.find('policy', 'v1', 'poddisruptionbudgets');
  if (!resource) return undefined;
  const { entries } = await listEntries(registry, resource, {
    namespace: target.namespace,
    selection: { matches: undefined, name: undefined, namespace: undefined },
    limit: 0,
    continue: '',
    resourceVersion: '',
    resourceVersionMatch: '',
  });
  const matching = (await servedObjects(resource, entries)).filter((budget) =>
    compileLabelSelector((budget['spec'] as { selector?: never })?.selector).matches(pod.metadata.labels),
  );
  if (matching.length > 1)
    throw new StatusError(
      500,
      'InternalError',
      'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    );
  return matching[0];
}

/** Takes one allowed disruption from the budget, or refuses with 429. */
async function spend(
  registry: Registry,
  context: RequestContext,
  target: Target,
  pod: UnstructuredObject,
  budget: UnstructuredObject,
  dryRun: boolean,
): Promise<void> {
  const resource = registry.catalogue.find('policy', 'v1', 'poddisruptionbudgets')!;
  const budgetTarget: Target = {
    resource,
    namespace: target.namespace,
    name: budget.metadata.name!,
    subresource: 'status',
  };
  try {
    await updateObject(
      registry,
      context,
      budgetTarget,
      {
        as: 'status',
        repeatable: true,
        next(current) {
          const draft = draftOf(current);
          const status = draft['status'] ?? {};
          checkBudget(current, status, pod);
          draft['status'] = {
            ...status,
            disruptionsAllowed: status.disruptionsAllowed - 1,
            disruptedPods: { ...status.disruptedPods, [pod.metadata.name!]: formatTime(context.now) },
          };
          return draft;
        },
      },
      { dryRun, fieldManager: '', fieldValidation: 'Ignore', force: false },
    );
  } catch (error) {
    if (isConflict(error))
      throw statusErrors.tooManyRequests(
        'too many concurrent evictions of pods under one disruption budget, try again',
        1,
      );
    throw error;
  }
}

function checkBudget(
  budget: UnstructuredObject,
  status: {
    observedGeneration?: number;
    disruptionsAllowed?: number;
    currentHealthy?: number;
    desiredHealthy?: number;
  },
  pod: UnstructuredObject,
): void {
  const policy = (budget['spec'] as { unhealthyPodEvictionPolicy?: string }).unhealthyPodEvictionPolicy;
  if (!isReady(pod) && (policy === 'AlwaysAllow' || (status.currentHealthy ?? 0) >= (status.desiredHealthy ?? 0))) {
    // An unhealthy pod does not count against the budget when enough others are healthy.
    if (policy === 'AlwaysAllow' || (status.desiredHealthy ?? 0) > 0) return;
  }
  if ((status.observedGeneration ?? 0) < (budget.metadata.generation ?? 0))
    throw refusal(budget, 'is still being processed by the server.', 10);
  if ((status.disruptionsAllowed ?? 0) <= 0)
    throw refusal(
      budget,
      (status.currentHealthy ?? 0) <= (status.desiredHealthy ?? 0)
        ? `needs ${status.desiredHealthy ?? 0} healthy pods and has ${status.currentHealthy ?? 0} currently`
        : 'does not allow evicting pods currently',
      0,
    );
}

function refusal(budget: UnstructuredObject, why: string, retryAfterSeconds: number): StatusError {
  return statusErrors.tooManyRequests(
    "Cannot evict pod as it would violate the pod's disruption budget.",
    retryAfterSeconds,
    [{ reason: 'DisruptionBudget', message: `The disruption budget ${budget.metadata.name} ${why}` }],
  );
}

function isReady(pod: UnstructuredObject): boolean {
  const status = pod['status'] as { readonly conditions?: readonly { type: string; status: string }[] } | undefined;
  return isConditionTrue(status?.conditions, 'Ready');
}
