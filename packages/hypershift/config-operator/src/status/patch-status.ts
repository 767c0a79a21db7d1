import { type HostedControlPlane, hostedControlPlanes } from '@hypershift-ts/hypershift-api';
import {
  type Clock,
  type Condition,
  formatTime,
  isConflict,
  isInvalid,
  jsonEqual,
  type ObjectKey,
} from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';
import { type DesiredCondition, mergeConditions } from '@hypershift-ts/kube-controller';

export interface StatusChanges {
  /** Top-level fields of status; undefined leaves one as it is. */
  readonly fields?: { readonly [field: string]: unknown };
  readonly conditions?: readonly DesiredCondition[];
  /** Types of conditions that must not be there. */
  readonly withoutConditions?: readonly string[];
}

interface PatchContext {
  readonly client: Client;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

type Operation = { readonly op: 'add' | 'replace' | 'test'; readonly path: string; readonly value: unknown };

/** How often a status is read again when another controller was faster; the next event brings the rest. */
const attempts = 5;

/**
 * Writes what changed of a control plane's status, or nothing. A JSON patch of whole top-level fields, tied to the
 * version that was read: a merge patch would drop required fields that are null, such as `availableUpdates`.
 */
export async function patchControlPlaneStatus(
  known: HostedControlPlane,
  changes: StatusChanges,
  { client, clock, signal }: PatchContext,
): Promise<void> {
  const key: ObjectKey = { namespace: known.metadata.namespace ?? '', name: known.metadata.name ?? '' };
  let live = known;
  for (let attempt = 1; ; attempt++) {
    const body = statusOperations(live, changes, clock.now());
    if (body.length === 0) return;
    try {
      await client.patch(hostedControlPlanes, key, { type: 'json', body }, { subresource: 'status', signal });
      return;
    } catch (error) {
      // A test that fails is answered as an invalid patch, not as a conflict.
      if (attempt === attempts || !(isConflict(error) || isInvalid(error))) throw error;
      live = await client.get(hostedControlPlanes, key, { signal });
    }
  }
}

/** The operations that bring a status to where it should be; none when it is there. */
export function statusOperations(
  live: HostedControlPlane,
  changes: StatusChanges,
  nowMs: number,
): readonly Operation[] {
  const current = (live.status ?? {}) as { readonly [field: string]: unknown };
  const next: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(changes.fields ?? {}))
    if (value !== undefined && !jsonEqual(value, current[field])) next[field] = value;
  const before = (live.status?.conditions ?? []) as readonly Condition[];
  const kept = before.filter(({ type }) => !changes.withoutConditions?.includes(type));
  const desired = (changes.conditions ?? []).map((condition) => ({
    observedGeneration: live.metadata.generation ?? 0,
    ...condition,
  }));
  const conditions = mergeConditions(kept, desired, formatTime(nowMs));
  if (!jsonEqual(conditions, before)) next['conditions'] = conditions;
  const changed = Object.entries(next);
  if (changed.length === 0) return [];
  return [
    { op: 'test', path: '/metadata/resourceVersion', value: live.metadata.resourceVersion },
    ...(live.status ? [] : [{ op: 'add' as const, path: '/status', value: {} }]),
    ...changed.map(([field, value]) => ({ op: 'add' as const, path: `/status/${field}`, value })),
  ];
}
