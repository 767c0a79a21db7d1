/** What the store and the database worker say to each other. */

/** revision, key, value (null for a deletion), createRevision, when to vanish in milliseconds since the epoch. */
export type VersionRow = readonly [
  revision: number,
  key: string,
  value: string | null,
  createRevision: number,
  dueMs: number | null,
];

export type Request =
  /** Answered by any number of `rows` messages in revision order, then by the compacted revision. */
  | { readonly op: 'open'; readonly file: string }
  /** One durable transaction. Once one has failed, later ones of its epoch are refused: they were built on it. */
  | { readonly op: 'write'; readonly file: string; readonly rows: readonly VersionRow[]; readonly epoch?: number }
  /** Deletes the rows named and raises the compacted revision, in one transaction. */
  | { readonly op: 'compact'; readonly file: string; readonly compacted: number; readonly gone: readonly number[] }
  | { readonly op: 'close'; readonly file: string };

export type Reply =
  | { readonly id: number; readonly kind: 'rows'; readonly rows: readonly VersionRow[] }
  | { readonly id: number; readonly kind: 'done'; readonly compacted: number }
  | { readonly id: number; readonly kind: 'failed'; readonly failure: Failure };

export interface Failure {
  readonly message: string;
  /** SQLite's name of the error, such as SQLITE_BUSY, or one of ours. */
  readonly code: string;
  /** Whether it is certain that nothing changed and the database can be used further. */
  readonly harmless: boolean;
}
