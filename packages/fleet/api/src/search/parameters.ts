/** Collects the values of a statement; SQL texts get only their places. */
export class Parameters {
  readonly values: unknown[] = [];

  /** The place of a value, `$3`. */
  add(value: unknown): string {
    return `$${this.values.push(value)}`;
  }
}
