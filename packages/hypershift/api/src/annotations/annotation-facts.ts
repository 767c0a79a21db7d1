/** What is known about one annotation. */
export interface AnnotationFacts {
  readonly key: string;
  /** Kinds that carry it. */
  readonly on: readonly string[];
  readonly meaning: string;
  /** Copied from the HostedCluster to the HostedControlPlane on every reconcile, removals included. */
  readonly mirrored?: true;
}

/** A family of annotations: the part after the prefix names something. */
export interface AnnotationPrefixFacts extends Omit<AnnotationFacts, 'key'> {
  readonly prefix: string;
  readonly suffix: string;
}
