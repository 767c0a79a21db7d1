export type Literal =
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'number'; readonly value: string }
  | { readonly kind: 'boolean'; readonly value: boolean };

export type Comparison = '=' | '!=' | '<' | '<=' | '>' | '>=' | 'like' | 'ilike';

/** A search expression as it was written; what its names mean is decided when it becomes SQL. */
export type SearchNode =
  | { readonly op: 'and' | 'or'; readonly left: SearchNode; readonly right: SearchNode }
  | { readonly op: 'not'; readonly operand: SearchNode }
  | { readonly op: 'compare'; readonly field: string; readonly comparison: Comparison; readonly value: Literal }
  | { readonly op: 'in'; readonly field: string; readonly values: readonly Literal[] }
  | { readonly op: 'between'; readonly field: string; readonly low: Literal; readonly high: Literal }
  | { readonly op: 'null'; readonly field: string };
