import type { FieldError, UnstructuredObject } from '@hypershift-ts/kube-apimachinery';

/**
 * An object that one request is still shaping: fresh from the decoder, seen by nobody else, edited in place.
 * It is frozen when it is committed.
 */
// oxlint-disable-next-line typescript/no-explicit-any -- JSON before validation has no static type
export type Draft = Record<string, any>;

/** Who writes, when, and under which name; everything a strategy may ask about the request. */
export interface WriteScope {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly user: {
    readonly name: string;
    readonly uid?: string;
    readonly groups: readonly string[];
    readonly extra?: Readonly<Record<string, readonly string[]>>;
  };
  readonly namespace?: string;
  readonly dryRun: boolean;
}

/** One column of a Table answer. Cells come from KindBehaviour.cells in the same order. */
export interface Column {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  readonly format?: string;
  readonly description?: string;
  /** 0 is always shown, 1 with `-o wide`. */
  readonly priority: number;
}

/**
 * What is particular about one built-in kind. The generic request path does everything else: metadata, names,
 * resourceVersion, generation, finalizers, managedFields, field pruning and type checks against the schema.
 * All functions are pure apart from editing the draft they are given.
 */
export interface KindBehaviour {
  /** Fills in what the writer left out. Runs on every write before admission. */
  readonly defaults?: (draft: Draft) => void;
  /**
   * Drops or sets what a creator has no say in (status is already dropped when `status` is present).
   * metadata.name, uid and creationTimestamp are already there: a Job's selector is made of its uid.
   */
  readonly prepareForCreate?: (draft: Draft, scope: WriteScope) => void;
  /** The same for an update of the main resource (status already carried over from `old` when `status` is present). */
  readonly prepareForUpdate?: (draft: Draft, old: UnstructuredObject, scope: WriteScope) => void;
  readonly validate?: (object: UnstructuredObject) => readonly FieldError[];
  /** Checks that need both versions; `validate` runs as well. */
  readonly validateUpdate?: (object: UnstructuredObject, old: UnstructuredObject) => readonly FieldError[];
  /** Present when the kind has a /status subresource. The draft already has everything but status taken from `old`. */
  readonly status?: {
    /** True for nodes: a kubelet registers itself with its status in the same request. */
    readonly keepOnCreate?: boolean;
    readonly prepare?: (draft: Draft, old: UnstructuredObject, scope: WriteScope) => void;
    readonly validate?: (object: UnstructuredObject, old: UnstructuredObject) => readonly FieldError[];
  };
  /** True when metadata.generation counts changes outside metadata and status. */
  readonly generation?: boolean;
  /** Values for field selectors beyond metadata.name and metadata.namespace. */
  readonly selectableFields?: Readonly<Record<string, (object: UnstructuredObject) => string>>;
  /** What names may look like; `subdomain` when absent. `path` is RBAC's: any path segment. */
  readonly nameRule?: 'subdomain' | 'label' | 'dns1035' | 'path' | 'none';
  /** PUT without a resourceVersion is accepted (most built-in kinds). */
  readonly unconditionalUpdate?: boolean;
  /** PUT to a name that does not exist creates it (leases, endpoints, ...). */
  readonly createOnUpdate?: boolean;
  /** Seconds a deletion waits for somebody (the kubelet) to finish; undefined or 0 deletes at once. */
  readonly gracePeriod?: (object: UnstructuredObject, requested: number | undefined) => number;
  readonly columns?: readonly Column[];
  readonly cells?: (object: UnstructuredObject, now: number) => readonly unknown[];
  /** Texts for Warning headers. */
  readonly warnings?: (object: UnstructuredObject, old?: UnstructuredObject) => readonly string[];
}
