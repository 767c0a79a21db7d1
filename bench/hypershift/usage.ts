/** Time and CPU since it was made. */
export class Usage {
  private readonly began = performance.now();
  private readonly cpu = process.cpuUsage();

  seconds(): number {
    return (performance.now() - this.began) / 1000;
  }

  /** Of all threads of this process. */
  cpuSeconds(): number {
    const { user, system } = process.cpuUsage(this.cpu);
    return (user + system) / 1e6;
  }
}

/** Memory that is really held: after collections, with time for finalizers between them. */
export async function settledMemory(): Promise<NodeJS.MemoryUsage> {
  for (let i = 0; i < 4; i++) {
    globalThis.gc?.();
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return process.memoryUsage();
}
