import type { JsonObject, JsonValue } from '@hypershift-ts/kube-apimachinery';
import { isJsonObject } from '@hypershift-ts/kube-apimachinery';
import { Template } from '../template/index.ts';
import type { Rewriter } from './draft.ts';
import { textOf } from './text.ts';

/** The contents of a referenced file, or undefined when it cannot be read. */
export type ReadReference = (ref: string) => string | undefined;

/** Where older configurations expect a value from that they never declared: the environment first, then this. */
const FALLBACKS: Readonly<Record<string, string>> = {
  hyperfleetApiBaseUrl: 'config.?clients.?hyperfleet_api.?base_url.orValue("")',
  hyperfleetApiVersion: 'config.?clients.?hyperfleet_api.?version.orValue("v1")',
  hyperfleetApiToken: '""',
  clusterId: 'event.?owner_references.?id.orValue(event.?id.orValue(""))',
  generationId: 'event.?generation.orValue("")',
  managementClusterName: 'env.?MANAGEMENT_CLUSTER_CONSUMER.orValue("")',
  managementClusterConsumer: 'env.?MANAGEMENT_CLUSTER_NAME.orValue("")',
  maestroApiUrl: 'config.?clients.?maestro.?http_server_address.orValue("")',
  maestroGrpcUrl: 'config.?clients.?maestro.?grpc_server_address.orValue("")',
  registry: '""',
  version: 'config.?adapter.?version.orValue("")',
  reporterVersion: 'config.?adapter.?version.orValue("")',
  imageTag: '""',
};

/** What comes with the cluster: captured by the first precondition that asks the API for it. */
const CAPTURES: Readonly<Record<string, JsonObject>> = {
  spec: { field: 'spec' },
  clusterName: { field: 'name' },
  pullSecretName: { expression: adapterData('pullsecret', ['pull_secret_name', 'pullSecretName'], 'pull_secret_name') },
  publicZoneId: { expression: adapterData('dns', ['public_zone_id', 'publicZoneID'], 'public_zone_id') },
};

/** From the report of an adapter, else from the cluster's specification. */
function adapterData(adapter: string, keys: readonly string[], specField: string): string {
  const data = `status.?adapters.orValue([]).filter(a, a.name == "${adapter}")[?0].?data`;
  const found = keys.map((key) => `.or(${data}.?${key})`).join('');
  return `optional.none()${found}.or(spec.?${specField}).orValue("")`;
}

/** The cluster itself, where no precondition asks for it. */
const CLUSTER: JsonObject = {
  name: 'cluster',
  source: { api_call: { method: 'GET', url: '/clusters/{{ .clusterId }}' } },
  required: true,
};

function clusterParam(name: string): JsonObject {
  const { field, expression } = CAPTURES[name]!;
  if (typeof field === 'string') return { name, source: `cluster.${field}` };
  return { name, source: { expression: (expression as string).replace(/\b(status|spec)\.\?/g, 'cluster.$1.?') } };
}

/** Declares what templates of an older configuration use without saying where it comes from. */
export function declareImplicitParams(task: JsonObject, rewriter: Rewriter, contents: ReadReference): JsonObject {
  const missing = undeclared(task, contents);
  if (missing.size === 0) return task;
  return rewriter.edit(task, (draft) => {
    const captured = [...missing].filter((name) => Object.hasOwn(CAPTURES, name));
    const preconditions = listOf(draft['preconditions']);
    const asks = preconditions.findIndex((one) => isJsonObject(one) && isJsonObject(one['api_call']));
    if (captured.length > 0 && asks >= 0) {
      draft['preconditions'] = rewriter.editEach(preconditions, (one, i) =>
        i === asks ? withCaptures(one as JsonObject, captured, rewriter) : one,
      );
    }
    const fetched = asks < 0 && captured.length > 0 ? [CLUSTER, ...captured.map(clusterParam)] : [];
    if (fetched.length > 0) missing.add('clusterId');
    const params = [...missing].filter((name) => Object.hasOwn(FALLBACKS, name)).map(paramOf);
    if (params.length + fetched.length > 0) draft['params'] = [...params, ...listOf(draft['params']), ...fetched];
  });
}

function withCaptures(precondition: JsonObject, names: readonly string[], rewriter: Rewriter): JsonObject {
  return rewriter.edit(precondition, (draft) => {
    draft['capture'] = [...listOf(draft['capture']), ...names.map((name) => ({ name, ...CAPTURES[name] }))];
  });
}

function paramOf(name: string): JsonObject {
  const variable = name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
  return { name, source: { expression: `env.?${variable}.orValue(${FALLBACKS[name] ?? '""'})` } };
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]) : [];
}

function undeclared(task: JsonObject, contents: ReadReference): Set<string> {
  const names = new Set<string>();
  collect(task, names);
  for (const resource of listOf(task['resources'])) {
    const manifest = isJsonObject(resource) ? resource['manifest'] : undefined;
    const ref = isJsonObject(manifest) ? manifest['ref'] : undefined;
    if (typeof ref === 'string') collect(contents(ref), names);
  }
  for (const param of listOf(task['params'])) if (isJsonObject(param)) names.delete(textOf(param['name']));
  for (const precondition of listOf(task['preconditions'])) {
    if (!isJsonObject(precondition)) continue;
    names.delete(textOf(precondition['name']));
    for (const capture of listOf(precondition['capture']))
      if (isJsonObject(capture)) names.delete(textOf(capture['name']));
  }
  return names;
}

function collect(value: JsonValue | undefined, names: Set<string>): void {
  if (typeof value === 'string') {
    if (!value.includes('{{')) return;
    try {
      for (const { name } of new Template(value).references()) names.add(name);
    } catch {
      // A template that does not parse is reported when the configuration is checked.
    }
  } else if (Array.isArray(value)) for (const item of value as readonly JsonValue[]) collect(item, names);
  else if (isJsonObject(value)) for (const item of Object.values(value)) collect(item, names);
}
