/** What is known about one label. */
export interface LabelFacts {
  readonly key: string;
  /** Kinds that carry it. */
  readonly on: readonly string[];
  readonly meaning: string;
}
