/** A subresource as discovery describes it; group and version are those of `kind`. */
export interface ServedSubresource {
  readonly name: string;
  readonly kind: string;
  readonly group: string;
  readonly version: string;
  readonly verbs: readonly string[];
}

/** What discovery needs to know of one version of one resource, built-in or custom. */
export interface ServedResource {
  readonly group: string;
  readonly version: string;
  /** The plural name. */
  readonly resource: string;
  readonly singular: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly verbs: readonly string[];
  readonly subresources: readonly ServedSubresource[];
  readonly custom: boolean;
}

/** A rendered answer. The same text always has the same ETag, so clients may revalidate across restarts. */
export interface Document {
  readonly contentType: string;
  readonly body: string;
  /** Quoted, ready for the header. */
  readonly etag: string;
}
