/** Sets of completion indexes as Jobs write them: `1,3-5,7`. */

const maxText = 1_000_000;

export function parseIndexes(text: string | undefined, limit: number): Set<number> {
  const indexes = new Set<number>();
  if (!text || text.length > maxText) return indexes;
  for (const part of text.split(',')) {
    const match = /^(\d+)(?:-(\d+))?$/.exec(part.trim());
    if (!match) continue;
    const first = Number(match[1]);
    const last = Math.min(Number(match[2] ?? first), limit - 1);
    for (let index = first; index <= last; index++) indexes.add(index);
  }
  return indexes;
}

/** Three or more in a row become a range. */
export function formatIndexes(indexes: Iterable<number>): string {
  const sorted = [...indexes].sort((a, b) => a - b);
  const parts: string[] = [];
  for (let i = 0; i < sorted.length; ) {
    let end = i;
    while (end + 1 < sorted.length && sorted[end + 1] === (sorted[end] ?? 0) + 1) end++;
    if (end === i) parts.push(`${sorted[i]}`);
    else if (end === i + 1) parts.push(`${sorted[i]},${sorted[end]}`);
    else parts.push(`${sorted[i]}-${sorted[end]}`);
    i = end + 1;
  }
  return parts.join(',');
}
