/** Numbers that look random and are the same for the same seed. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A whole number below `limit`. */
  below(limit: number): number {
    // The generator known as mulberry32.
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  }

  boolean(): boolean {
    return this.below(2) === 1;
  }

  pick<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)]!;
  }

  /** A name as people give them, sometimes with characters that JSON writers treat in a special way. */
  word(): string {
    const letters = 'abcdefghijklmnopqrstuvwxyz0123456789';
    const length = 1 + this.below(9);
    return Array.from({ length }, () => letters[this.below(letters.length)]).join('');
  }

  /** Up to three things, sometimes none. */
  some<T>(make: () => T): T[] {
    return Array.from({ length: this.below(4) }, make);
  }

  map(): { [key: string]: string } {
    return Object.fromEntries(this.some(() => [this.word(), this.word()] as const));
  }
}
