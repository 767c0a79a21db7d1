import type { Clock } from '@hypershift-ts/kube-apimachinery';
import type { Store } from './store.ts';

export interface CompactionOptions {
  readonly clock: Clock;
  /** History younger than this stays, so that clients can page and resume; the API server's five minutes. */
  readonly keepMs?: number;
  /** Never more revisions than this, however young, so that a burst of writes cannot fill the memory. */
  readonly keepRevisions?: number;
  readonly checkMs?: number;
  /** A compaction failed; the next check tries again. */
  onError?(error: unknown): void;
}

/** Compacts a store now and then; the returned function ends that. Not started by the stores themselves. */
export function startCompaction(store: Store, options: CompactionOptions): () => void {
  const { clock, keepMs = 300_000, keepRevisions = 100_000, checkMs = 30_000 } = options;
  let marks: readonly Mark[] = [];
  let cancel = () => {};
  let stopped = false;
  const check = async () => {
    try {
      const revision = await store.currentRevision();
      const plan = planCompaction(marks, { atMs: clock.now(), revision }, keepMs, keepRevisions);
      ({ marks } = plan);
      if (plan.revision !== undefined) await store.compact(plan.revision);
    } catch (error) {
      if (!stopped) options.onError?.(error);
    }
    if (!stopped) cancel = clock.after(checkMs, () => void check());
  };
  cancel = clock.after(checkMs, () => void check());
  return () => {
    stopped = true;
    cancel();
  };
}

/** At this time the store had this revision. */
export interface Mark {
  readonly atMs: number;
  readonly revision: number;
}

/** Up to which revision to compact, and which marks to remember for the next decision. */
export function planCompaction(
  marks: readonly Mark[],
  now: Mark,
  keepMs: number,
  keepRevisions: number,
): { readonly revision?: number; readonly marks: readonly Mark[] } {
  const all = marks.at(-1)?.revision === now.revision ? marks : [...marks, now];
  const old = all.filter((mark) => mark.atMs <= now.atMs - keepMs);
  const byAge = old.at(-1)?.revision ?? 0;
  const revision = Math.max(byAge, now.revision - keepRevisions);
  const rest = all.slice(old.length);
  return revision > 0 && (old.length > 0 || revision > byAge) ? { revision, marks: rest } : { marks: rest };
}
