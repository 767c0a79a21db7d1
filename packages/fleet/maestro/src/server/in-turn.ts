/** Runs work of the same key one after the other, and work asked for while some waits only once. */
export class InTurn {
  private readonly waiting = new Map<string, Promise<void>>();
  private readonly running = new Map<string, Promise<void>>();

  run(key: string, work: () => Promise<void>): Promise<void> {
    const known = this.waiting.get(key);
    if (known) return known;
    const turn = (this.running.get(key) ?? Promise.resolve()).then(async () => {
      this.waiting.delete(key);
      this.running.set(key, turn);
      try {
        await work();
      } finally {
        if (this.running.get(key) === turn) this.running.delete(key);
      }
    });
    this.waiting.set(key, turn);
    return turn;
  }

  /** Resolves when nothing runs or waits any more. */
  async idle(): Promise<void> {
    while (this.waiting.size + this.running.size > 0)
      await Promise.allSettled([...this.waiting.values(), ...this.running.values()]);
  }
}
