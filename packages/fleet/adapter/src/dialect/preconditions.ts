import type { JsonObject, JsonValue } from '@hypershift-ts/kube-apimachinery';
import { isJsonObject } from '@hypershift-ts/kube-apimachinery';
import { canonicalExpression, conditionsExpression } from './conditions.ts';
import type { Draft, Rewriter } from './draft.ts';
import { rewriteExpression } from './rewrite-expression.ts';

/** A parameter in canonical form. */
export function canonicalParam(param: JsonObject, rewriter: Rewriter): JsonObject {
  const { source } = param;
  if (!isJsonObject(source)) return param;
  return rewriter.edit(param, (draft) => {
    draft['source'] = canonicalExpression(source, rewriter);
  });
}

/** A precondition in canonical form. */
export function canonicalPrecondition(precondition: JsonObject, index: number, rewriter: Rewriter): JsonObject {
  return rewriter.edit(canonicalExpression(precondition, rewriter), (draft, rename) => {
    rename('extract', 'capture');
    if (Array.isArray(draft['capture']))
      draft['capture'] = captures(draft['capture'] as readonly JsonValue[], rewriter);
    storeResponse(draft, index, rewriter);
    flattenWhen(draft, rewriter);
    ruleEngine(draft, rewriter);
    if (rewriter.older) draft['name'] ??= `precondition${index}`;
  });
}

function captures(list: readonly JsonValue[], rewriter: Rewriter): readonly JsonValue[] {
  return rewriter.editEach(list, (capture) =>
    isJsonObject(capture)
      ? rewriter.edit(canonicalExpression(capture, rewriter), (_draft, rename) => {
          rename('as', 'name');
          rename('path', 'field');
        })
      : capture,
  );
}

/** The oldest form names the parameter that takes the answer; today it has the precondition's name. */
function storeResponse(draft: Draft, index: number, rewriter: Rewriter): void {
  const name = draft['store_response_as'];
  if (typeof name !== 'string') return;
  rewriter.older = true;
  delete draft['store_response_as'];
  draft['name'] ??= name;
  if (draft['name'] === name) return;
  const list = Array.isArray(draft['capture']) ? (draft['capture'] as readonly JsonValue[]) : [];
  const stored = typeof draft['name'] === 'string' ? draft['name'] : `precondition${index}`;
  draft['capture'] = [...list, { name, expression: stored }];
}

function flattenWhen(draft: Draft, rewriter: Rewriter): void {
  const { when } = draft;
  if (!isJsonObject(when)) return;
  rewriter.older = true;
  delete draft['when'];
  if (Array.isArray(when['conditions'])) draft['conditions'] ??= when['conditions'];
  if (typeof when['expression'] === 'string') draft['expression'] ??= rewriteExpression(when['expression']);
}

function ruleEngine(draft: Draft, rewriter: Rewriter): void {
  const rules = draft['rule_engine'];
  if (!isJsonObject(rules)) return;
  const expression = rules['expr'] ?? rules['expression'];
  if (typeof expression !== 'string') return;
  rewriter.older = true;
  delete draft['rule_engine'];
  draft['expression'] ??= rewriteExpression(expression);
}

/** An event filter is a precondition that looks at the event before anything else does. */
export function eventFilterPrecondition(filter: JsonValue): JsonObject {
  const name = 'event_filter';
  if (!isJsonObject(filter))
    return { name, expression: typeof filter === 'string' ? rewriteExpression(filter) : 'true' };
  if (typeof filter['expression'] === 'string') return { name, expression: rewriteExpression(filter['expression']) };
  if (Array.isArray(filter['conditions']))
    return { name, expression: conditionsExpression(filter['conditions'] as readonly JsonValue[]) };
  const conditions = Object.entries(filter).map(([field, value]) =>
    Array.isArray(value)
      ? { field: `event.${field}`, operator: 'in', value: value as readonly JsonValue[] }
      : { field: `event.${field}`, operator: 'equals', value: value ?? null },
  );
  return { name, expression: conditionsExpression(conditions) };
}
