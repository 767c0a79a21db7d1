import { jsonEqual } from '@hypershift-ts/kube-apimachinery';
import type { Queryable } from '@hypershift-ts/fleet-database';
import { wrongState } from '../errors/index.ts';
import { instantFromMs } from '../instant.ts';
import { isDeleting, type PatchRequest, type Resource, type WantedReference } from '../resources/index.ts';
import { replaceLabels, replaceReferences, selectStatuses, updateResource } from '../store/index.ts';
import { type Caller, refuseSystem, type ServiceContext } from './context.ts';
import { findById, findTarget, type Target } from './lookup.ts';
import { resolveReferences } from './references.ts';
import { refreshConditions } from './refresh-conditions.ts';

/** Replaces spec, labels or references. Only a real change makes a new generation. */
export async function patchResource(
  context: ServiceContext,
  caller: Caller,
  target: Target,
  request: PatchRequest,
): Promise<Resource> {
  refuseSystem(caller);
  return context.database.transaction(async (tx) => {
    const old = await findTarget(tx, context.registry, caller, target, 'update');
    if (isDeleting(old)) throw wrongState(`${old.kind} '${old.id}' is marked for deletion`);
    const references =
      request.references && (await resolveReferences(tx, caller, context.registry.get(old.kind), request.references));
    const changes = changesOf(old, request, references);
    if (!changes.spec && !changes.labels && !changes.references) return old;
    const next: Resource = {
      ...old,
      spec: request.spec ?? old.spec,
      labels: request.labels ?? old.labels,
      generation: old.generation + 1,
      updated_time: instantFromMs(context.clock.now()),
      updated_by: caller.identity,
    };
    await write(tx, next, changes, references ?? []);
    const reports = await selectStatuses(tx, next);
    const refreshed = await refreshConditions(context, tx, next, reports);
    return changes.references ? ((await findById(tx, next.id)) ?? refreshed) : refreshed;
  });
}

interface Changes {
  readonly spec: boolean;
  readonly labels: boolean;
  readonly references: boolean;
}

function changesOf(old: Resource, request: PatchRequest, references: readonly WantedReference[] | undefined): Changes {
  const key = (type: string, id: string) => `${type}/${id}`;
  const before = old.references.map((one) => key(one.ref_type, one.id)).sort();
  const after = references?.map((one) => key(one.ref_type, one.target_id)).sort();
  return {
    spec: request.spec !== undefined && !jsonEqual(request.spec, old.spec),
    labels: request.labels !== undefined && !jsonEqual(request.labels, old.labels),
    references: after !== undefined && !jsonEqual(before, after),
  };
}

async function write(
  tx: Queryable,
  next: Resource,
  changes: Changes,
  references: readonly WantedReference[],
): Promise<void> {
  await updateResource(tx, next);
  if (changes.labels) await replaceLabels(tx, next.id, next.labels);
  if (changes.references) await replaceReferences(tx, next.id, references);
}
