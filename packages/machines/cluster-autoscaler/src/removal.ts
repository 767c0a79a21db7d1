import type { AutoscalerFlags } from './flags.ts';
import type { Candidate } from './scale-down.ts';

/** When the autoscaler last changed something, or failed to. */
export interface Activity {
  lastAddMs: number;
  lastDeleteMs: number;
  lastFailureMs: number;
}

export const noActivity = (): Activity => ({
  lastAddMs: Number.NEGATIVE_INFINITY,
  lastDeleteMs: Number.NEGATIVE_INFINITY,
  lastFailureMs: Number.NEGATIVE_INFINITY,
});

/** When nodes may be taken away again. */
export function coolDownUntil({ lastAddMs, lastDeleteMs, lastFailureMs }: Activity, flags: AutoscalerFlags): number {
  return Math.max(
    lastAddMs + flags.scaleDownDelayAfterAddMs,
    lastDeleteMs + (flags.scaleDownDelayAfterDeleteMs || flags.scanIntervalMs),
    lastFailureMs + flags.scaleDownDelayAfterFailureMs,
  );
}

/** Remembers since when each node has been unneeded; a node that is needed for one moment starts anew. */
export class UnneededSince {
  private since = new Map<string, number>();

  update(candidates: readonly Candidate[], nowMs: number): void {
    this.since = new Map(
      candidates.map(({ node }) => [node.metadata.uid ?? '', this.since.get(node.metadata.uid ?? '') ?? nowMs]),
    );
  }

  dueAt({ node, ready }: Candidate, flags: AutoscalerFlags): number {
    const wait = ready ? flags.scaleDownUnneededTimeMs : flags.scaleDownUnreadyTimeMs;
    return (this.since.get(node.metadata.uid ?? '') ?? Number.POSITIVE_INFINITY) + wait;
  }
}

/** What goes now: empty nodes together, nodes that must be emptied one at a time. */
export function nodesToRemove(due: readonly Candidate[], flags: AutoscalerFlags): readonly Candidate[] {
  const empty = due.filter((candidate) => candidate.empty);
  return empty.length > 0 ? empty.slice(0, flags.maxEmptyBulkDelete) : due.slice(0, 1);
}
