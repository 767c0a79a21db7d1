import type { JsonObject, JsonValue } from '@hypershift-ts/kube-apimachinery';
import { isJsonObject } from '@hypershift-ts/kube-apimachinery';
import { canonicalWhen } from './conditions.ts';
import type { Draft, Rewriter } from './draft.ts';
import { conditionList } from './report-conditions.ts';
import { rewriteExpression } from './rewrite-expression.ts';

const NOW = '{{ now | date "2006-01-02T15:04:05Z07:00" }}';

/** `post` in canonical form. */
export function canonicalPost(post: JsonObject, rewriter: Rewriter): JsonObject {
  return rewriter.edit(post, (draft, rename) => {
    rename('parameters', 'payloads');
    rename('params', 'payloads');
    each(draft, 'payloads', rewriter, (payload) => canonicalPayload(payload, rewriter));
    each(draft, 'post_actions', rewriter, (action, index) => canonicalAction(action, index, rewriter));
  });
}

function each(
  draft: Draft,
  key: string,
  rewriter: Rewriter,
  change: (item: JsonObject, index: number) => JsonObject,
): void {
  const list = draft[key];
  if (!Array.isArray(list)) return;
  draft[key] = rewriter.editEach(list as readonly JsonValue[], (item, index) =>
    isJsonObject(item) ? change(item, index) : item,
  );
}

function withWhen(draft: Draft, rewriter: Rewriter): void {
  if (isJsonObject(draft['when'])) draft['when'] = canonicalWhen(draft['when'], rewriter);
}

function canonicalPayload(payload: JsonObject, rewriter: Rewriter): JsonObject {
  return rewriter.edit(payload, (draft) => {
    withWhen(draft, rewriter);
    if (rewriter.older && isJsonObject(draft['build'])) draft['build'] = canonicalReport(draft['build'], rewriter);
    else if (draft['build'] !== undefined) draft['build'] = rewriteBuild(draft['build'], rewriter);
  });
}

/** `{type: api_call, method, url, body}` beside each other, or today's nested form. */
function canonicalAction(action: JsonObject, index: number, rewriter: Rewriter): JsonObject {
  return rewriter.edit(action, (draft) => {
    withWhen(draft, rewriter);
    const { type, name, when, api_call: call, log, ...rest } = draft;
    if (typeof type !== 'string') return;
    rewriter.older = true;
    for (const key of Object.keys(draft)) delete draft[key];
    draft['name'] = name ?? `postAction${index}`;
    if (when !== undefined) draft['when'] = when;
    if (type === 'log') draft['log'] = log ?? (rest as JsonObject);
    else if (type === 'api_call') draft['api_call'] = call ?? (rest as JsonObject);
    else Object.assign(draft, { type, ...rest });
  });
}

/** A status report of an older configuration: conditions as a list, and the fields the API asks for filled in. */
function canonicalReport(build: JsonObject, rewriter: Rewriter): JsonObject {
  const plain = rewriteBuild(build, rewriter) as JsonObject;
  if (plain['conditions'] === undefined) return plain;
  return rewriter.edit(plain, (draft) => {
    draft['adapter'] ??= '{{ .adapter.name }}';
    draft['observed_generation'] = generation(draft['observed_generation']);
    draft['observed_time'] ??= NOW;
    if (isJsonObject(draft['conditions'])) draft['conditions'] = conditionList(draft['conditions']);
  });
}

/** The API wants a number, which a template cannot give. */
function generation(value: JsonValue | undefined): JsonValue {
  if (value === undefined) return { expression: 'event.generation' };
  const variable = typeof value === 'string' ? /^\s*\{\{-?\s*\.([\w.]+)\s*-?\}\}\s*$/.exec(value)?.[1] : undefined;
  return variable === undefined ? value : { expression: variable };
}

/** Values of a build: expressions become CEL, `{value: template}` its template, descriptions go. */
function rewriteBuild(value: JsonValue, rewriter: Rewriter): JsonValue {
  if (Array.isArray(value))
    return rewriter.editEach(value as readonly JsonValue[], (item) => rewriteBuild(item, rewriter));
  if (!isJsonObject(value)) return value;
  if (rewriter.older && typeof value['value'] === 'string' && onlyHas(value, ['value', 'description']))
    return value['value'];
  return rewriter.edit(value, (draft) => {
    const { expression } = draft;
    if (typeof expression === 'string') {
      draft['expression'] = rewriteExpression(expression);
      if (rewriter.older) delete draft['description'];
      return;
    }
    for (const [key, item] of Object.entries(draft)) if (item !== undefined) draft[key] = rewriteBuild(item, rewriter);
  });
}

function onlyHas(value: JsonObject, keys: readonly string[]): boolean {
  return Object.keys(value).every((key) => keys.includes(key));
}
