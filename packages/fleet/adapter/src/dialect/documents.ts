import type { JsonObject, JsonValue } from '@hypershift-ts/kube-apimachinery';
import { isJsonObject } from '@hypershift-ts/kube-apimachinery';
import type { Draft, Rewriter } from './draft.ts';

/** The two halves of a configuration, whichever files they came from. */
export interface Halves {
  readonly adapter: JsonObject;
  readonly task: JsonObject;
}

const TASK_KEYS = new Set(['params', 'preconditions', 'resources', 'post', 'event_filter']);
const CLIENT_KEYS = new Set(['hyperfleet_api', 'kubernetes', 'broker', 'maestro']);

/** Takes a Kubernetes-like envelope away; the name in its metadata names the adapter. */
export function unwrapEnvelope(root: JsonObject, rewriter: Rewriter): JsonObject {
  const { apiVersion, kind, metadata, spec } = root;
  const isEnvelope = typeof apiVersion === 'string' && typeof kind === 'string' && isJsonObject(spec);
  if (!isEnvelope || !/^Adapter\w*Config$/.test(kind)) return root;
  const name = isJsonObject(metadata) && typeof metadata['name'] === 'string' ? metadata['name'] : undefined;
  const adapter = isJsonObject(spec['adapter']) ? spec['adapter'] : {};
  const named = name === undefined || adapter['name'] !== undefined ? adapter : { name, ...adapter };
  return rewriter.made(Object.keys(named).length > 0 ? { ...spec, adapter: named } : spec, spec);
}

/** Sorts the keys of one document into the half they belong to. Unknown keys stay where they were written. */
export function splitDocument(root: JsonObject, isTaskFile: boolean, rewriter: Rewriter): Halves {
  const adapter: Draft = {};
  const task: Draft = {};
  const clients: Draft = {};
  for (const [key, value] of Object.entries(root)) {
    if (TASK_KEYS.has(key) || (isTaskFile && !isAdapterKey(key))) task[key] = value;
    else if (CLIENT_KEYS.has(key)) clients[key] = value;
    else adapter[key] = value;
  }
  if (Object.keys(clients).length > 0) adapter['clients'] = { ...clients, ...objectOf(adapter['clients']) };
  const isMixed = Object.keys(adapter).length > 0 && Object.keys(task).length > 0;
  if (isMixed || Object.keys(clients).length > 0) rewriter.older = true;
  return { adapter: rewriter.edit(adapter as JsonObject, () => {}), task: task as JsonObject };
}

function isAdapterKey(key: string): boolean {
  return CLIENT_KEYS.has(key) || key === 'adapter' || key === 'clients' || key === 'log' || key === 'debug_config';
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
