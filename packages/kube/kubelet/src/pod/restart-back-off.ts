/** How long a container that keeps failing has to wait, as kubelet's crash loop back-off does it. */
export interface RestartBackOff {
  readonly delayMs: number;
  readonly updatedMs: number;
}

export interface BackOffLimits {
  readonly initialMs: number;
  readonly maxMs: number;
}

const crashLoopLimits: BackOffLimits = { initialMs: 10_000, maxMs: 300_000 };

/** A container that ran well for twice the longest delay starts again with the shortest. */
function isForgotten(entry: RestartBackOff, eventMs: number, limits: BackOffLimits): boolean {
  return eventMs - entry.updatedMs > 2 * limits.maxMs;
}

/** The entry after one more start. The first restart is immediate, because there is no entry before it. */
export function nextBackOff(
  entry: RestartBackOff | undefined,
  finishedMs: number,
  nowMs: number,
  limits: BackOffLimits = crashLoopLimits,
): RestartBackOff {
  if (!entry || isForgotten(entry, finishedMs, limits)) return { delayMs: limits.initialMs, updatedMs: nowMs };
  return { delayMs: Math.min(entry.delayMs * 2, limits.maxMs), updatedMs: nowMs };
}

/** Milliseconds until a container that finished at `finishedMs` may start again; 0 when it may now. */
export function backOffRemaining(
  entry: RestartBackOff | undefined,
  finishedMs: number,
  nowMs: number,
  limits: BackOffLimits = crashLoopLimits,
): number {
  if (!entry || isForgotten(entry, finishedMs, limits)) return 0;
  return Math.max(0, finishedMs + entry.delayMs - nowMs);
}

/** Go's notation of a duration, as messages show it: `10s`, `2m40s`, `5m0s`. */
export function formatDuration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m${seconds % 60}s`;
  return `${Math.floor(seconds / 3600)}h${Math.floor((seconds % 3600) / 60)}m${seconds % 60}s`;
}
