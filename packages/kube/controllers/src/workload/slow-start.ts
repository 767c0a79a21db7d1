/**
 * Runs `count` calls in batches of 1, 2, 4, ... and stops after the first batch with a failure, so that a quota or an
 * admission webhook that refuses everything is asked a few times only.
 */
export async function slowStart(
  count: number,
  call: (index: number) => Promise<void>,
): Promise<{ readonly succeeded: number; readonly error: unknown }> {
  let succeeded = 0;
  for (let size = 1, next = 0; next < count; size *= 2) {
    const batch = Math.min(size, count - next);
    const results = await Promise.allSettled(Array.from({ length: batch }, (_, i) => call(next + i)));
    next += batch;
    const failure = results.find((result) => result.status === 'rejected');
    succeeded += results.filter((result) => result.status === 'fulfilled').length;
    if (failure) return { succeeded, error: failure.reason };
  }
  return { succeeded, error: undefined };
}
