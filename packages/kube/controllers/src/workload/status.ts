import type { KubeObject, ResourceType } from '@hypershift-ts/kube-apimachinery';
import { jsonEqual } from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';

/** An object with a status of its own type. */
export interface WithStatus extends KubeObject {
  readonly status?: object;
}

/** The status that was written onto a version of an object. */
const written = new WeakMap<KubeObject, object>();

/** Whether all that is new about an object is the status that its controller wrote itself: it knows that already. */
export function isOwnStatus(before: WithStatus, next: WithStatus): boolean {
  const status = written.get(before);
  if (!status) return false;
  const { metadata: was } = before;
  const { metadata: is } = next;
  return (
    was.generation === is.generation &&
    was.deletionTimestamp === is.deletionTimestamp &&
    jsonEqual(was.labels ?? {}, is.labels ?? {}) &&
    jsonEqual(was.annotations ?? {}, is.annotations ?? {}) &&
    jsonEqual(was.ownerReferences ?? [], is.ownerReferences ?? []) &&
    jsonEqual(status, next.status ?? {})
  );
}

/** Replaces the status when it differs; a conflict with somebody's newer write is the caller's to retry. */
export async function writeStatus<T extends WithStatus>(
  client: Client,
  type: ResourceType<T>,
  live: T,
  status: NonNullable<T['status']>,
): Promise<T> {
  if (jsonEqual(live.status ?? {}, status)) return live;
  // Before the write: its event may come before its answer.
  written.set(live, status);
  return client.update(type, { ...live, status }, { subresource: 'status' });
}

/** Without undefined, zero, empty and false members, as Go leaves them out; names in `keep` stay. */
export function omitEmpty<T extends object>(value: T, keep: readonly (keyof T & string)[] = []): T {
  const result: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) {
    if (member === undefined) continue;
    const empty = member === 0 || member === '' || member === false || (Array.isArray(member) && member.length === 0);
    if (!empty || (keep as readonly string[]).includes(key)) result[key] = member;
  }
  return result as T;
}
