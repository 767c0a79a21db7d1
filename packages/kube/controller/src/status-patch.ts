import type { Clock, Condition, KubeObject, ResourceType } from '@hypershift-ts/kube-apimachinery';
import { formatTime, isJsonObject, jsonEqual } from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';

/** What a controller says about one condition; the transition time follows from the change of status. */
export type DesiredCondition = Omit<Condition, 'lastTransitionTime'>;

/** The condition list with the desired ones put in, others kept, and transition times moved only where status changed. */
export function mergeConditions(
  live: readonly Condition[] | undefined,
  desired: readonly DesiredCondition[],
  now: string,
): readonly Condition[] {
  const merged = [...(live ?? [])];
  for (const condition of desired) {
    const at = merged.findIndex((other) => other.type === condition.type);
    const previous = merged[at];
    const lastTransitionTime = previous?.status === condition.status ? (previous.lastTransitionTime ?? now) : now;
    const next: Condition = { ...condition, lastTransitionTime };
    if (at < 0) merged.push(next);
    else merged[at] = next;
  }
  return merged;
}

interface StatusPatchOptions {
  readonly clock: Clock;
  /** Put into the conditions unless they carry their own. Default: the object's generation. */
  readonly observedGeneration?: number;
  readonly signal?: AbortSignal;
}

/**
 * Writes status once: `status` fields (undefined leaves a field, null removes it) and conditions together, in one
 * merge patch of the status subresource, or not at all when nothing changes. Guarded by the resourceVersion, because
 * a merge patch replaces the whole condition list.
 */
export async function patchStatus<T extends KubeObject>(
  client: Client,
  type: ResourceType<T>,
  live: T,
  changes: { readonly status?: object; readonly conditions?: readonly DesiredCondition[] },
  options: StatusPatchOptions,
): Promise<T> {
  const current = statusOf(live);
  const patch: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(changes.status ?? {})) {
    const difference = mergePatch(current[field], value);
    if (difference !== undefined) patch[field] = difference;
  }
  if (changes.conditions) {
    const generation = options.observedGeneration ?? live.metadata.generation;
    const desired = changes.conditions.map((condition) =>
      generation === undefined ? condition : { observedGeneration: generation, ...condition },
    );
    const before = current['conditions'] as readonly Condition[] | undefined;
    const conditions = mergeConditions(before, desired, formatTime(options.clock.now()));
    if (!jsonEqual(conditions, before ?? [])) patch['conditions'] = conditions;
  }
  if (Object.keys(patch).length === 0) return live;
  const { name = '', namespace, resourceVersion } = live.metadata;
  return client.patch(
    type,
    { name, ...(namespace ? { namespace } : {}) },
    { type: 'merge', body: { metadata: { resourceVersion }, status: patch } },
    { subresource: 'status', ...(options.signal ? { signal: options.signal } : {}) },
  );
}

function statusOf(object: KubeObject): Record<string, unknown> {
  const { status } = object as { status?: unknown };
  return isJsonObject(status) ? status : {};
}

/** The merge patch that turns `from` into `to`, or undefined when they are equal already. */
function mergePatch(from: unknown, to: unknown): unknown {
  if (to === undefined || jsonEqual(from, to)) return undefined;
  if (to === null) return from === undefined ? undefined : null;
  if (!isJsonObject(from) || !isJsonObject(to)) return to;
  const patch: Record<string, unknown> = {};
  for (const key in to) {
    const difference = mergePatch(from[key], to[key]);
    if (difference !== undefined) patch[key] = difference;
  }
  for (const key in from) if (to[key] === undefined && from[key] !== undefined) patch[key] = null;
  return Object.keys(patch).length === 0 ? undefined : patch;
}
