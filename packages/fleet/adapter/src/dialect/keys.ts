import type { JsonObject, JsonValue } from '@hypershift-ts/kube-apimachinery';
import { isJsonObject } from '@hypershift-ts/kube-apimachinery';
import type { Rewriter } from './draft.ts';

/** Keys that older configurations wrote in camel case. */
const SNAKE: Readonly<Record<string, string>> = Object.fromEntries(
  [
    'apiCall',
    'recreateOnChange',
    'byName',
    'bySelectors',
    'labelSelector',
    'nestedDiscoveries',
    'postActions',
    'buildRef',
    'retryAttempts',
    'retryBackoff',
    'targetCluster',
    'hyperfleetApi',
    'baseUrl',
    'baseDelay',
    'maxDelay',
    'defaultHeaders',
    'tokenPath',
    'tokenCacheTtl',
    'subscriptionId',
    'kubeConfigPath',
    'grpcServerAddress',
    'httpServerAddress',
    'serverHealthinessTimeout',
    'sourceId',
    'clientId',
    'tlsConfig',
    'caFile',
    'certFile',
    'keyFile',
    'httpCaFile',
    'serverName',
    'debugConfig',
    'eventFilter',
    'ruleEngine',
    'storeResponseAs',
  ].map((key) => [key, key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)]),
);

/** What stands under these keys belongs to the user and keeps its spelling. */
const OPAQUE = new Set([
  'manifest',
  'spec',
  'build',
  'data',
  'labels',
  'label_selector',
  'default_headers',
  'default',
  'value',
  'values',
  'metadata',
]);

/** Spells every key of a configuration as today's files do. */
export function canonicalKeys(value: JsonObject, rewriter: Rewriter): JsonObject {
  return rewriter.edit(value, (draft, rename) => {
    for (const key of Object.keys(draft)) if (Object.hasOwn(SNAKE, key)) rename(key, SNAKE[key]!);
    if (typeof draft['method'] === 'string') rename('endpoint', 'url');
    for (const [key, child] of Object.entries(draft)) {
      if (!OPAQUE.has(key)) draft[key] = inner(key, child, rewriter);
    }
  });
}

function inner(key: string, value: JsonValue | undefined, rewriter: Rewriter): JsonValue | undefined {
  if (Array.isArray(value))
    return rewriter.editEach(value as readonly JsonValue[], (item) => inner(key, item, rewriter)!);
  if (!isJsonObject(value)) return value;
  const canonical = canonicalKeys(value, rewriter);
  // Elsewhere `apiVersion` names the kind of an object.
  if (key !== 'kubernetes') return canonical;
  return rewriter.edit(canonical, (_draft, rename) => rename('apiVersion', 'api_version'));
}
