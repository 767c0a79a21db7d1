/** Resolves on the first SIGINT or SIGTERM; a second one ends the process at once. */
export function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    let asked = false;
    const onSignal = (): void => {
      if (asked) process.exit(130);
      asked = true;
      resolve();
    };
    process.on('SIGINT', onSignal);
    process.on('SIGTERM', onSignal);
    // Keeps the process alive even when nothing else does.
    const keepAlive = setInterval(() => {}, 1 << 30);
    void Promise.resolve().then(() => keepAlive.ref());
  });
}
