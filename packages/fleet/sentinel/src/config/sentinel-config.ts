import type { JsonObject, JsonValue } from '@hypershift-ts/kube-apimachinery';
import { isJsonObject, jsonClone } from '@hypershift-ts/kube-apimachinery';
import type { ConfigPath, EnvironmentVariables } from '@hypershift-ts/fleet-settings';
import {
  assignSetting,
  compact,
  ConfigError,
  ConfigSource,
  firstSet,
  MapReader,
  Origins,
  Problems,
} from '@hypershift-ts/fleet-settings';

export interface DecisionConfig {
  /** Evaluated in order; each sees those before it. */
  readonly params: readonly { readonly name: string; readonly expr: string }[];
  /** Whether to publish. */
  readonly result: string;
}

export interface SentinelConfig {
  readonly sentinel: { readonly name: string };
  /** The plural of the kind to watch, e.g. `clusters`. */
  readonly resource_type: string;
  readonly poll_interval: string;
  /** All must match. */
  readonly resource_selector: readonly { readonly label: string; readonly value: string }[];
  readonly message_decision: DecisionConfig;
  /** Texts are expressions; numbers and booleans stand for themselves. */
  readonly message_data: JsonObject;
  readonly clients: {
    readonly hyperfleet_api: {
      readonly base_url: string;
      readonly version: string;
      readonly timeout: string;
      readonly page_size: number;
      readonly auth?: { readonly token_path: string; readonly token_cache_ttl?: string };
    };
    readonly broker: { readonly topic: string };
  };
  readonly log?: { readonly level?: string; readonly format?: string; readonly output?: string };
  readonly debug_config: boolean;
  readonly tracing_enabled: boolean;
}

/** Publish what is new or changed, what is reconciled but not looked at for long, and what is not reconciled yet. */
export const defaultDecision: DecisionConfig = {
  params: [
    { name: 'ref_time', expr: 'condition("Reconciled").last_updated_time' },
    { name: 'is_reconciled', expr: 'condition("Reconciled").status == "True"' },
    { name: 'has_ref_time', expr: 'ref_time != ""' },
    { name: 'is_new_resource', expr: 'resource.generation == 1 && !has_ref_time' },
    { name: 'generation_mismatch', expr: 'resource.generation > condition("Reconciled").observed_generation' },
    {
      name: 'reconciled_and_stale',
      expr: 'is_reconciled && has_ref_time && now - timestamp(ref_time) > duration("30m")',
    },
    {
      name: 'not_reconciled_and_debounced',
      expr: '!is_reconciled && has_ref_time && now - timestamp(ref_time) > duration("10s")',
    },
  ],
  result: 'is_new_resource || generation_mismatch || reconciled_and_stale || not_reconciled_and_debounced',
};

const API = 'clients.hyperfleet_api';

const VARIABLES: Readonly<Record<string, string>> = {
  'sentinel.name': 'HYPERFLEET_SENTINEL_NAME',
  'log.level': 'HYPERFLEET_LOG_LEVEL',
  'log.format': 'HYPERFLEET_LOG_FORMAT',
  'log.output': 'HYPERFLEET_LOG_OUTPUT',
  [`${API}.base_url`]: 'HYPERFLEET_API_BASE_URL',
  [`${API}.version`]: 'HYPERFLEET_API_VERSION',
  [`${API}.timeout`]: 'HYPERFLEET_API_TIMEOUT',
  [`${API}.page_size`]: 'HYPERFLEET_API_PAGE_SIZE',
  [`${API}.auth.token_path`]: 'HYPERFLEET_API_AUTH_TOKEN_PATH',
  [`${API}.auth.token_cache_ttl`]: 'HYPERFLEET_API_AUTH_TOKEN_CACHE_TTL',
  'clients.broker.topic': 'HYPERFLEET_BROKER_TOPIC',
  resource_type: 'HYPERFLEET_RESOURCE_TYPE',
  poll_interval: 'HYPERFLEET_POLL_INTERVAL',
  tracing_enabled: 'HYPERFLEET_TRACING_ENABLED',
  debug_config: 'HYPERFLEET_DEBUG_CONFIG',
};

/** Reads a Sentinel file with the overrides of the environment. Throws `ConfigError`. */
export function loadSentinelConfig(
  { file, text }: { readonly file: string; readonly text: string },
  env: EnvironmentVariables = process.env,
): SentinelConfig {
  const origins = new Origins();
  const source = new ConfigSource(file, text, origins);
  const overrides = Object.entries(VARIABLES).flatMap(([setting, name]) => {
    const value = firstSet(env, [name]);
    return value === undefined ? [] : [[setting, typed(setting, value)] as const];
  });
  const tree = overrides.length === 0 ? source.root : jsonClone(source.root);
  for (const [setting, value] of overrides) assignSetting(tree as { [key: string]: JsonValue }, setting, value);
  const problems = new Problems(origins, tree, file);
  const config = readSentinel(new MapReader(tree, [], problems));
  if (problems.found.length > 0) throw new ConfigError(problems.found);
  return config;
}

function typed(setting: string, text: string): JsonValue {
  if (setting.endsWith('page_size') && /^\d+$/.test(text)) return Number(text);
  const isBoolean = setting === 'tracing_enabled' || setting === 'debug_config';
  return isBoolean && /^(?:true|false)$/i.test(text) ? text.toLowerCase() === 'true' : text;
}

function readSentinel(root: MapReader): SentinelConfig {
  const sentinel = root.section('sentinel');
  const name = sentinel?.string('name') || 'hyperfleet-sentinel';
  sentinel?.end();
  const resource_type = root.required('resource_type');
  if (resource_type !== '' && !/^[a-z][a-z0-9-]*$/.test(resource_type))
    root.problem('resource_type', `${JSON.stringify(resource_type)} is no plural such as clusters`);
  const config = compact({
    sentinel: { name },
    resource_type,
    poll_interval: root.duration('poll_interval') ?? '5s',
    resource_selector: root.maps('resource_selector', (one) => ({
      label: one.required('label'),
      value: one.required('value'),
    })),
    message_decision: readDecision(root.section('message_decision')),
    message_data: readData(root),
    clients: readClients(root),
    log: readLog(root.section('log')),
    debug_config: root.bool('debug_config') ?? false,
    tracing_enabled: root.bool('tracing_enabled') ?? true,
  });
  root.end();
  return config as SentinelConfig;
}

function readDecision(decision: MapReader | undefined): DecisionConfig {
  if (!decision) return defaultDecision;
  const params = decision.maps('params', (param) => {
    const name = param.required('name');
    if (name !== '' && !/^[a-zA-Z_]\w*$/.test(name)) param.problem('name', `${JSON.stringify(name)} is no name`);
    return { name, expr: param.required('expr') };
  });
  const result = decision.required('result');
  decision.end();
  return { params, result };
}

function readData(root: MapReader): JsonObject {
  const data = root.raw('message_data');
  if (!isJsonObject(data) || Object.keys(data).length === 0) {
    root.problem('message_data', 'is required: a map of expressions, e.g. id: "resource.id"');
    return {};
  }
  checkLeaves(data, ['message_data'], root.problems);
  return data;
}

function checkLeaves(value: JsonValue | undefined, path: ConfigPath, problems: Problems): void {
  if (isJsonObject(value)) {
    for (const [key, item] of Object.entries(value)) checkLeaves(item, [...path, key], problems);
    return;
  }
  const isBlank = value === null || value === undefined || (typeof value === 'string' && value.trim() === '');
  if (isBlank) problems.add(path, 'must not be empty: give an expression, a number or a boolean');
  else if (Array.isArray(value)) problems.add(path, 'lists are not supported; write an expression that gives one');
}

function readClients(root: MapReader): SentinelConfig['clients'] {
  const clients = root.section('clients');
  const api = clients?.section('hyperfleet_api');
  const auth = api?.section('auth');
  const broker = clients?.section('broker');
  if (!api) root.problems.add(['clients', 'hyperfleet_api', 'base_url'], 'is required');
  const token_path = auth?.required('token_path');
  if (token_path && !token_path.startsWith('/')) auth?.problem('token_path', 'must be an absolute path');
  const read = {
    hyperfleet_api: compact({
      base_url: api?.required('base_url') ?? '',
      version: api?.string('version') ?? 'v1',
      timeout: api?.duration('timeout') ?? '10s',
      page_size: api?.integer('page_size', { min: 1, max: 500 }) ?? 20,
      auth:
        token_path === undefined
          ? undefined
          : compact({ token_path, token_cache_ttl: auth?.duration('token_cache_ttl') }),
    }),
    broker: { topic: broker?.string('topic') ?? '' },
  };
  if (api && read.hyperfleet_api.base_url !== '' && !/^https?:\/\//.test(read.hyperfleet_api.base_url))
    api.problem('base_url', 'an http or https URL is expected');
  for (const section of [auth, api, broker, clients]) section?.end();
  return read as SentinelConfig['clients'];
}

function readLog(log: MapReader | undefined): SentinelConfig['log'] {
  if (!log) return undefined;
  const read = compact({
    level: log.choice('level', ['debug', 'info', 'warn', 'warning', 'error']),
    format: log.choice('format', ['text', 'json']),
    output: log.string('output'),
  });
  log.end();
  return read as SentinelConfig['log'];
}
