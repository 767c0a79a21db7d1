/** How long to wait before the next attempt: the interval after a success, half as much again after each failure. */
export function reconnectDelays({
  firstMs,
  capMs,
  random,
}: {
  readonly firstMs: number;
  readonly capMs: number;
  readonly random: () => number;
}) {
  let next = firstMs;
  const jittered = (ms: number) => ms * (1 + 0.1 * random());
  return {
    afterSuccess(): number {
      next = firstMs;
      return jittered(firstMs);
    },
    afterFailure(): number {
      const now = next;
      next = Math.min(next * 1.5, capMs);
      return jittered(Math.min(now, capMs));
    },
  };
}
