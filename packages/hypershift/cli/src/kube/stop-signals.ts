/** Resolves on the first SIGINT or SIGTERM; a second one ends the process at once. */
export function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    // Keeps the process alive even when nothing else does.
    const keepAlive = setInterval(() => {}, 0x7fffffff);
    let asked = false;
    const onSignal = (): void => {
      if (asked) process.exit(130);
      asked = true;
      clearInterval(keepAlive);
      resolve();
    };
    process.on('SIGINT', onSignal);
    process.on('SIGTERM', onSignal);
  });
}
