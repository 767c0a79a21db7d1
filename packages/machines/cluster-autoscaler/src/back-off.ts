import type { capiv1beta1 as capi } from '@hypershift-ts/machines-cluster-api';

const firstMs = 5 * 60_000;
const longestMs = 30 * 60_000;
/** A group without trouble for this long starts again with the shortest time. */
const forgivenAfterMs = 3 * 3_600_000;

interface Trouble {
  readonly untilMs: number;
  readonly delayMs: number;
}

/** Node groups whose machines did not become nodes in time, and until when no more of them are asked for. */
export class BackOffs {
  private readonly troubles = new Map<string, Trouble>();
  private seen = new Set<string>();

  /** Notes machines that are late for the first time; each time the group waits twice as long. */
  update(late: ReadonlyMap<string, readonly capi.Machine[]>, nowMs: number): void {
    const seen = new Set<string>();
    for (const [group, machines] of late) {
      const fresh = machines.filter(({ metadata }) => !this.seen.has(metadata.uid ?? ''));
      for (const { metadata } of machines) seen.add(metadata.uid ?? '');
      if (fresh.length === 0) continue;
      const before = this.troubles.get(group);
      const recent = before !== undefined && nowMs - before.untilMs < forgivenAfterMs;
      const delayMs = recent ? Math.min(before.delayMs * 2, longestMs) : firstMs;
      this.troubles.set(group, { untilMs: nowMs + delayMs, delayMs });
    }
    this.seen = seen;
  }

  isBackedOff(group: string, nowMs: number): boolean {
    return (this.troubles.get(group)?.untilMs ?? Number.NEGATIVE_INFINITY) > nowMs;
  }

  /** In how many milliseconds the first group may grow again; undefined when all may. */
  endsIn(nowMs: number): number | undefined {
    const ends = [...this.troubles.values()].map(({ untilMs }) => untilMs - nowMs).filter((left) => left > 0);
    return ends.length === 0 ? undefined : Math.min(...ends);
  }
}
