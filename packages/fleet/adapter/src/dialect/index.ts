/** Brings every form of adapter configuration that ever was into today's. */
import type { JsonObject, JsonValue } from '@hypershift-ts/kube-apimachinery';
import { isJsonObject } from '@hypershift-ts/kube-apimachinery';
import type { Origins } from '@hypershift-ts/fleet-settings';
import type { Halves } from './documents.ts';
import { splitDocument, unwrapEnvelope } from './documents.ts';
import type { Draft } from './draft.ts';
import { Rewriter } from './draft.ts';
import type { ReadReference } from './implicit-params.ts';
import { declareImplicitParams } from './implicit-params.ts';
import { canonicalKeys } from './keys.ts';
import { canonicalPost } from './post.ts';
import { canonicalParam, canonicalPrecondition, eventFilterPrecondition } from './preconditions.ts';
import { canonicalResource } from './resources.ts';

export { GENERATION_ANNOTATION } from './manifest-work.ts';

export interface Canonical extends Halves {
  /** Whether anything was written in an older form. */
  readonly older: boolean;
}

/** The canonical halves of one document with everything, or of an adapter file and a task file. */
export function canonicalConfig(
  documents: { readonly adapter?: JsonObject | undefined; readonly task?: JsonObject | undefined },
  origins: Origins,
  contents: ReadReference = () => undefined,
): Canonical {
  const rewriter = new Rewriter(origins);
  const halves = (root: JsonObject | undefined, isTaskFile: boolean): Halves =>
    root
      ? splitDocument(canonicalKeys(unwrapEnvelope(root, rewriter), rewriter), isTaskFile, rewriter)
      : { adapter: {}, task: {} };
  const first = halves(documents.adapter, false);
  const second = halves(documents.task, true);
  const adapter = merged(second.adapter, first.adapter, rewriter);
  const task = canonicalTask(merged(first.task, second.task, rewriter), rewriter, contents);
  return { adapter, task, older: rewriter.older };
}

/** What stands in one file only; where both have a key, the second wins. */
function merged(weaker: JsonObject, stronger: JsonObject, rewriter: Rewriter): JsonObject {
  if (Object.keys(weaker).length === 0) return stronger;
  return rewriter.edit(stronger, (draft) => {
    for (const [key, value] of Object.entries(weaker)) draft[key] ??= value;
  });
}

function canonicalTask(task: JsonObject, rewriter: Rewriter, contents: ReadReference): JsonObject {
  const canonical = rewriter.edit(task, (draft, rename) => {
    rename('parameters', 'params');
    eachObject(draft, 'params', rewriter, (param) => canonicalParam(param, rewriter));
    eachObject(draft, 'preconditions', rewriter, (one, i) => canonicalPrecondition(one, i, rewriter));
    eachObject(draft, 'resources', rewriter, (resource) => canonicalResource(resource, rewriter));
    if (draft['event_filter'] !== undefined) {
      const filter = eventFilterPrecondition(draft['event_filter']);
      draft['preconditions'] = [filter, ...((draft['preconditions'] ?? []) as readonly JsonValue[])];
      delete draft['event_filter'];
      rewriter.older = true;
    }
    if (isJsonObject(draft['post'])) draft['post'] = canonicalPost(draft['post'], rewriter);
  });
  return rewriter.older ? declareImplicitParams(canonical, rewriter, contents) : canonical;
}

function eachObject(
  draft: Draft,
  key: string,
  rewriter: Rewriter,
  change: (item: JsonObject, index: number) => JsonObject,
): void {
  const list = draft[key];
  if (!Array.isArray(list)) return;
  draft[key] = rewriter.editEach(list as readonly JsonValue[], (item, i) =>
    isJsonObject(item) ? change(item, i) : item,
  );
}
