/**
 * Runs work to its end. Waiting alone (for a clock, for an idle connection) does not keep a process alive: it would end
 * in the middle of the work and look as if all were done.
 */
export async function stayAlive<T>(work: () => Promise<T>): Promise<T> {
  const alive = setInterval(() => {}, 0x7fffffff);
  try {
    return await work();
  } finally {
    clearInterval(alive);
  }
}
