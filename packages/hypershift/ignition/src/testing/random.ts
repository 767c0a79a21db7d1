/** Numbers that look random and are the same in every run. */
export function aRandom(seed: number) {
  let state = seed;
  const next = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return { next, below, pick: <T>(values: readonly T[]): T => values[below(values.length)] as T };
}
