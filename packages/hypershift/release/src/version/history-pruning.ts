interface Entry {
  readonly state: 'Completed' | 'Partial';
  readonly version: string;
}

const mostEntries = 100;
const newestKept = 5;
const weights = { mostImportant: 1000, edgeOfMinor: 30, partialOfMinor: 20, partialOfZStream: -20, perIndex: -1.01 };

/** Cuts a newest-first history to its limit, dropping what tells least: old partial z-stream attempts first. */
export function keepMostTelling<T extends Entry>(history: readonly T[], limit = mostEntries): readonly T[] {
  let kept = history;
  while (kept.length > limit) {
    const victim = leastTelling(kept, limit);
    kept = kept.filter((_, index) => index !== victim);
  }
  return kept;
}

function leastTelling(history: readonly Entry[], limit: number): number {
  const newestCompleted = history.findIndex(({ state }) => state === 'Completed');
  let lowest = Number.POSITIVE_INFINITY;
  let victim = history.length - 1;
  history.forEach((_, index) => {
    const important = index === limit || index < newestKept || index === newestCompleted;
    const rank = (important ? weights.mostImportant : interest(history, index)) + weights.perIndex * index;
    if (rank < lowest) {
      lowest = rank;
      victim = index;
    }
  });
  return victim;
}

/** Never called for the newest and the oldest entry, which are always important. */
function interest(history: readonly Entry[], index: number): number {
  const entry = history[index] as Entry;
  const older = history.slice(index + 1).find(({ state }) => state === 'Completed');
  const newer = history.slice(0, index).findLast(({ state }) => state === 'Completed');
  if (entry.state === 'Completed') {
    const inside = older && newer && minorOf(older) === minorOf(entry) && minorOf(newer) === minorOf(entry);
    return inside ? 0 : weights.edgeOfMinor;
  }
  if (!older || !newer) return 0;
  if (minorOf(older) !== minorOf(newer)) return weights.partialOfMinor;
  return patchOf(older) === patchOf(newer) ? 0 : weights.partialOfZStream;
}

const minorOf = ({ version }: Entry) => version.split('.')[1] ?? '';
const patchOf = ({ version }: Entry) => version.split('.')[2] ?? '';
