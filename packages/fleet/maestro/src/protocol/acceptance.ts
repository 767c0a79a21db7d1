import { isNewerSequence } from './sequence-id.ts';

/** Whether an agent takes a spec: not an older one than it has, except to delete. */
export function acceptsSpec(
  incoming: { readonly version: number; readonly isDeletion: boolean },
  held?: number,
): boolean {
  return incoming.isDeletion || incoming.version === 0 || held === undefined || incoming.version >= held;
}

/** What a server does with a status: stale ones are dropped without an error, since a newer one is on its way or here. */
export function acceptsStatus(
  incoming: { readonly version: number; readonly sequenceId: string },
  row: { readonly version: number; readonly sequenceId: string | undefined },
): boolean {
  return incoming.version === row.version && isNewerSequence(incoming.sequenceId, row.sequenceId);
}

/** Why a server refuses a new spec for a row; undefined when it takes it. Version 0 means: whatever there is now. */
export function refusalOfUpdate(
  version: number,
  row: { readonly id: string; readonly version: number; readonly isDeleting: boolean },
): string | undefined {
  if (row.isDeleting) return `the resource is under deletion, id: ${row.id}`;
  if (version !== 0 && version !== row.version)
    return `the resource version is not the latest, the latest version: ${row.version}`;
  return undefined;
}
