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
    expr: /\b(?:NestedTestAllTypes|TestAllTypes|TestAnyTypes|TestRequired|GlobalEnum|NestedEnum|NullValue|proto\.(?:has|get)Ext|U?Int(?:32|64)Value|FloatValue)\b|google\.protobuf\.(?:\w*Value|Struct|Any|Empty|FieldMask|Duration\{|Timestamp\{)/,
    reason: 'protobuf messages and enums: Kubernetes has JSON objects only',
  },
  {
    id: /^(?:dynamic\/.*\/var|enums\/|proto[23]\/(?:singular_bind|extensions_))/,
    reason: 'variables of protobuf message types',
  },
  { id: /^type_deductions\/wrappers\//, reason: 'protobuf wrapper messages' },
  { id: /^block_ext\//, reason: 'cel.block is an optimizer artefact, not a language feature' },
  { id: /^math_ext\//, reason: 'Kubernetes does not enable the math extension' },
  { id: /^encoders_ext\//, reason: 'Kubernetes does not enable the encoders extension' },
  { id: /^namespace\/.*container/, reason: 'Kubernetes evaluates in the empty container' },
  { unchecked: true, reason: 'expressions are always type-checked; these only make sense without' },
  {
    id: /^fields\/qualified_identifier_resolution\/map_value_repeat_key/,
    reason: 'cel-go, and so Kubernetes, lets the last of equal keys win',
  },
  {
    id: /^optionals\/optionals\/map_(?:null_entry_no_such_key|present_key_invalid_field)/,
    reason: 'Kubernetes leaves errors on bad presence tests switched off',
  },
  {
    id: /^string_ext\/format\/(?:.*scientific notation.*|.*support for decimal|(?:positive|negative) infinity support for fixed-point|list support for string|map support.*|dyntype (?:NaN\/infinity support|support for (?:lists|maps)))$/,
    reason: 'Kubernetes enables version 2 of the string extension; these show what version 4 changed',
  },
  {
    id: /^string_ext\/value_errors\/(?:last)?indexof_out_of_range/,
    reason: 'cel-go returns -1 since it follows the revised specification',
  },
  { expr: /\bmsg\b/, id: /^type_deductions\//, reason: 'a variable of a protobuf message type' },
  {
    expr: /\b(?:fn|tuple)\(/,
    id: /^type_deductions\//,
    reason: 'functions declared by the test: environments here take libraries, not ad hoc functions',
  },
  {
    id: /^timestamps\/duration_converters\/get_milliseconds$/,
    reason: 'cel-go, and so Kubernetes, returns the whole duration in milliseconds',
  },
];

/** Type-check vectors, by expression. */
export const checkingExclusions: readonly Exclusion[] = [
  {
    expr: /^optional\.none\(\)\.optMap/,
    reason: 'optMap shares its operand instead of copying it, so both places get the more precise type',
  },
  { expr: /== optional_type$/, reason: 'the type value is printed with its parameter' },
  { expr: /^"%d"\.format\(\[double/, reason: 'version 2 of the string extension rejects doubles for %d' },
];
