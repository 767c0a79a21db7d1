const windowMs = 60 * 60_000;
const skewMs = 10_000;
/** Pending requests beyond one for each machine or node that are still believed. */
const tolerance = 100;

/** More machines may ask at once than there are, but not many more: whoever floods us gets nothing approved. */
export function isFlooded(
  pendingCreatedMs: readonly number[],
  machines: number,
  nodes: number,
  nowMs: number,
): boolean {
  const recent = pendingCreatedMs.filter((at) => at > nowMs - windowMs && at < nowMs + skewMs);
  return recent.length > Math.max(machines, nodes) + tolerance;
}

/** So few requests that counting them could not find a flood. */
export const cannotFlood = (requests: number, machines: number): boolean => requests <= machines + tolerance;
