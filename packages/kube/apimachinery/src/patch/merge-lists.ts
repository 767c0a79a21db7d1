import type { JsonObject, JsonValue } from '../json.ts';
import { isJsonObject } from '../json.ts';
import { goValue, patchDoesNotApply, unclassified } from './errors.ts';

type List = readonly JsonValue[];

/** How the items of one list are told apart and merged. An empty merge key means a list of scalars. */
export interface ListContext {
  readonly mergeKey: string;
  mergeItem(original: JsonObject, patch: JsonObject): JsonObject;
}

function elementKind(...lists: readonly List[]): 'object' | 'scalar' {
  let kind: string | undefined;
  for (const list of lists) {
    for (const item of list) {
      if (Array.isArray(item)) throw patchDoesNotApply('lists of lists are not supported');
      const current = isJsonObject(item) ? 'object' : typeof item;
      if (kind !== undefined && kind !== current) {
        throw unclassified(`list element types are not identical: ${goValue(lists)}`);
      }
      kind = current;
    }
  }
  return kind === 'object' ? 'object' : 'scalar';
}

function keyOf(item: JsonValue, mergeKey: string): JsonValue {
  if (mergeKey === '') return item;
  if (!isJsonObject(item)) throw unclassified('value for key is not a map');
  const key = item[mergeKey];
  if (key === undefined) throw unclassified(`map: ${goValue(item)} does not contain declared merge key: ${mergeKey}`);
  return key;
}

function positions(list: List, mergeKey: string): Map<JsonValue, number> {
  const found = new Map<JsonValue, number>();
  list.forEach((item, index) => {
    const key = mergeKey === '' ? item : isJsonObject(item) ? item[mergeKey] : undefined;
    if (key !== undefined && !found.has(key)) found.set(key, index);
  });
  return found;
}

const last = Number.MAX_SAFE_INTEGER;

/**
 * Items the patch speaks of come in the patch's order, items only the server knows in the server's, and the two are
 * woven so that a server-only item stays before whatever it stood before.
 */
function weave(merged: List, patchOrder: List, serverOrder: List, mergeKey: string): List {
  const inPatch = positions(patchOrder, mergeKey);
  const inServer = positions(serverOrder, mergeKey);
  const place = (item: JsonValue, order: Map<JsonValue, number>) => order.get(keyOf(item, mergeKey)) ?? last;
  const fromPatch: JsonValue[] = [];
  const serverOnly: JsonValue[] = [];
  for (const item of merged) (inPatch.has(keyOf(item, mergeKey)) ? fromPatch : serverOnly).push(item);
  fromPatch.sort((a, b) => place(a, inPatch) - place(b, inPatch));
  serverOnly.sort((a, b) => place(a, inServer) - place(b, inServer));
  const result: JsonValue[] = [];
  let next = 0;
  for (const item of serverOnly) {
    const position = inServer.get(keyOf(item, mergeKey));
    for (; next < fromPatch.length; next++) {
      const other = inServer.get(keyOf(fromPatch[next] as JsonValue, mergeKey));
      if (position !== undefined && other !== undefined && position < other) break;
      result.push(fromPatch[next] as JsonValue);
    }
    result.push(item);
  }
  for (; next < fromPatch.length; next++) result.push(fromPatch[next] as JsonValue);
  return result;
}

interface Split {
  readonly original: List;
  readonly patch: List;
}

/** Carries out the `$patch` items of a list patch and takes them out of it. */
function withoutDirectives(original: List, patch: List, mergeKey: string): Split {
  if (!patch.some((item) => isJsonObject(item) && item['$patch'] !== undefined)) return { original, patch };
  const rest: JsonValue[] = [];
  const deleted = new Set<JsonValue>();
  let replace = false;
  for (const item of patch) {
    const directive = isJsonObject(item) ? item['$patch'] : undefined;
    if (directive === undefined) rest.push(item);
    else if (directive === 'delete') deleted.add(keyOf(item, mergeKey));
    else if (directive === 'replace') replace = true;
    else if (directive === 'merge') throw unclassified('merging lists cannot yet be specified in the patch');
    else throw unclassified(`unknown patch type: ${goValue(directive)} in map: ${goValue(item)}`);
  }
  if (replace) return { original: rest, patch: [] };
  if (deleted.size === 0) return { original, patch: rest };
  const kept = original.filter((item) => !(isJsonObject(item) && deleted.has(item[mergeKey] as JsonValue)));
  return { original: kept, patch: rest };
}

function mergeItems(original: List, patch: List, context: ListContext): List {
  const merged = [...original];
  const at = positions(original, context.mergeKey);
  for (const item of patch) {
    const key = keyOf(item, context.mergeKey);
    const index = at.get(key);
    if (index === undefined) {
      at.set(key, merged.length);
      merged.push(context.mergeItem({}, item as JsonObject));
    } else merged[index] = context.mergeItem(merged[index] as JsonObject, item as JsonObject);
  }
  return merged;
}

/** Merges a list patch into a list whose strategy is `merge`. */
export function mergeLists(original: List, patch: List, context: ListContext, field: string): List {
  if (original.length === 0 && patch.length === 0) return original;
  if (elementKind(original, patch) === 'scalar') {
    return weave([...new Set([...original, ...patch])], patch, original, '');
  }
  const { mergeKey } = context;
  if (mergeKey === '') throw unclassified(`cannot merge lists without merge key for ${field}`);
  const split = withoutDirectives(original, patch, mergeKey);
  return weave(mergeItems(split.original, split.patch, context), split.patch, split.original, mergeKey);
}

/** Applies `$setElementOrder` to a merged list; the patch must not contradict that order. */
export function orderList(merged: List, order: List, server: List, patch: List, mergeKey: string): List {
  checkOrder(patch, order, mergeKey);
  return weave(merged, order, server, mergeKey);
}

function checkOrder(patch: List, order: List, mergeKey: string): void {
  if (order.length === 0) return;
  let next = 0;
  for (const item of patch) {
    if (isJsonObject(item) && item['$patch'] !== undefined) continue;
    const key = keyOf(item, mergeKey);
    while (next < order.length && keyOf(order[next] as JsonValue, mergeKey) !== key) next++;
    if (next++ < order.length) continue;
    throw unclassified(
      `The order in patch list:\n${goValue(patch)}\n doesn't match $setElementOrder list:\n${goValue(order)}\n`,
    );
  }
}
