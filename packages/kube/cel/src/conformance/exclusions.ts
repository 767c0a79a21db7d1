/**
 * Vectors we do not pass, and why. Reviewed by hand: every entry is something Kubernetes does not offer to
 * expressions, or a difference we accept on purpose. The tests fail when an entry is no longer needed.
 */
export interface Exclusion {
  /** Matched against `suite/group/name`. */
  readonly id?: RegExp;
  /** Matched against the expression. */
  readonly expr?: RegExp;
  /** Only vectors that ask for evaluation without type checking. */
  readonly unchecked?: boolean;
  readonly reason: string;
}

export const conformanceExclusions: readonly Exclusion[] = [
  {
    expr: /\b(?:NestedTestAllTypes|TestAllTypes|TestAnyTypes|GlobalEnum|NestedEnum|proto\.(?:has|get)Ext)\b|google\.protobuf\.(?:\w*Value|Struct|Any|Empty|FieldMask|Duration\{|Timestamp\{)/,
    reason: 'protobuf messages and enums: Kubernetes has JSON objects only',
  },
  { id: /^(?:block_ext)\//, reason: 'cel.block is an optimizer artefact, not a language feature' },
  { id: /^math_ext\//, reason: 'Kubernetes does not enable the math extension' },
  { id: /^encoders_ext\//, reason: 'Kubernetes does not enable the encoders extension' },
  { unchecked: true, reason: 'expressions are always type-checked; these only make sense without' },
];
