/** A kind of resource as the configuration declares it; wire names as in the `entities` list. */
export interface Entity {
  readonly kind: string;
  readonly plural: string;
  readonly parent_kind?: string;
  readonly on_parent_delete?: 'restrict' | 'cascade';
  readonly spec_schema_name?: string;
  readonly require_spec_schema?: boolean;
  readonly required_adapters?: readonly string[];
  readonly references?: readonly EntityReference[];
  readonly conditions?: readonly ConditionRule[];
  readonly name_min_len?: number;
  readonly name_max_len?: number;
}

/** A named association to resources of another kind; `max` 0 or absent means any number. */
export interface EntityReference {
  readonly ref_type: string;
  readonly target_kind: string;
  readonly min?: number;
  readonly max?: number;
}

interface Expression {
  readonly expression: string;
}

/** A condition computed with CEL from the reports of adapters. */
export interface ConditionRule {
  readonly type: string;
  readonly when: Expression;
  readonly output: { readonly status: Expression; readonly reason: Expression; readonly message: Expression };
}
