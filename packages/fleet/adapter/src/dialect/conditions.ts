import type { JsonObject, JsonValue } from '@hypershift-ts/kube-apimachinery';
import { isJsonObject } from '@hypershift-ts/kube-apimachinery';
import type { Rewriter } from './draft.ts';
import { rewriteExpression } from './rewrite-expression.ts';
import { textOf } from './text.ts';

/** Structured conditions as one expression, for places that take only expressions. */
export function conditionsExpression(conditions: readonly JsonValue[]): string {
  const terms = conditions.filter(isJsonObject).map(conditionTerm);
  return terms.length === 0 ? 'true' : terms.join(' && ');
}

function conditionTerm(condition: JsonObject): string {
  const [root = '', ...steps] = textOf(condition['field']).split('.');
  const chain = steps.reduce((text, step) => `${text}${/^\d+$/.test(step) ? `[?${step}]` : `.?${step}`}`, root);
  const value = steps.length > 0 ? `${chain}.orValue(null)` : root;
  const wanted = JSON.stringify(condition['value'] ?? condition['values'] ?? null);
  switch (condition['operator']) {
    case 'notEquals':
      return `${value} != ${wanted}`;
    case 'in':
      return `${value} in ${wanted}`;
    case 'notIn':
      return `!(${value} in ${wanted})`;
    case 'contains':
      return `(type(${value}) == string ? ${value}.contains(${wanted}) : ${wanted} in ${value})`;
    case 'greaterThan':
      return `${value} > ${wanted}`;
    case 'greaterThanOrEqual':
      return `${value} >= ${wanted}`;
    case 'lessThan':
      return `${value} < ${wanted}`;
    case 'lessThanOrEqual':
      return `${value} <= ${wanted}`;
    case 'exists':
      return steps.length > 0 ? `${chain}.hasValue()` : `${root} != null`;
    case 'notExists':
      return steps.length > 0 ? `!${chain}.hasValue()` : `${root} == null`;
    default:
      return `${value} == ${wanted}`;
  }
}

/** `when` in any of its forms as `{expression}`. */
export function canonicalWhen(when: JsonObject, rewriter: Rewriter): JsonObject {
  if (Array.isArray(when['conditions'])) {
    const { conditions, description: _, ...rest } = when;
    return rewriter.made({ ...rest, expression: conditionsExpression(conditions as readonly JsonValue[]) }, when);
  }
  return rewriter.edit(canonicalExpression(when, rewriter), (draft) => {
    if (draft['description'] !== undefined && draft['expression'] !== undefined) {
      delete draft['description'];
      rewriter.older = true;
    }
  });
}

/** The `expression` of a map, rewritten into CEL. */
export function canonicalExpression(holder: JsonObject, rewriter: Rewriter): JsonObject {
  const { expression } = holder;
  if (typeof expression !== 'string') return holder;
  const rewritten = rewriteExpression(expression);
  if (rewritten === expression) return holder;
  return rewriter.made({ ...holder, expression: rewritten }, holder);
}
