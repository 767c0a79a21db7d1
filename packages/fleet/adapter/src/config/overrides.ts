import type { JsonValue } from '@hypershift-ts/kube-apimachinery';
import type { EnvironmentVariables } from '@hypershift-ts/fleet-settings';
import { assignSetting, firstSet } from '@hypershift-ts/fleet-settings';

const API = 'clients.hyperfleet_api';
const MAESTRO = 'clients.maestro';
const TLS = `${MAESTRO}.auth.tls_config`;

/** Setting -> environment variables that override it, the strongest first. */
const VARIABLES: Readonly<Record<string, readonly string[]>> = {
  debug_config: ['HYPERFLEET_DEBUG_CONFIG'],
  'log.level': ['HYPERFLEET_LOG_LEVEL', 'LOG_LEVEL'],
  'log.format': ['HYPERFLEET_LOG_FORMAT', 'LOG_FORMAT'],
  'log.output': ['HYPERFLEET_LOG_OUTPUT', 'LOG_OUTPUT'],
  [`${API}.base_url`]: ['HYPERFLEET_API_BASE_URL'],
  [`${API}.version`]: ['HYPERFLEET_API_VERSION'],
  [`${API}.timeout`]: ['HYPERFLEET_API_TIMEOUT'],
  [`${API}.retry_attempts`]: ['HYPERFLEET_API_RETRY_ATTEMPTS'],
  [`${API}.retry_backoff`]: ['HYPERFLEET_API_RETRY_BACKOFF'],
  [`${API}.base_delay`]: ['HYPERFLEET_API_BASE_DELAY'],
  [`${API}.max_delay`]: ['HYPERFLEET_API_MAX_DELAY'],
  [`${API}.auth.token_path`]: ['HYPERFLEET_API_AUTH_TOKEN_PATH'],
  [`${API}.auth.token_cache_ttl`]: ['HYPERFLEET_API_AUTH_TOKEN_CACHE_TTL'],
  'clients.broker.subscription_id': ['HYPERFLEET_BROKER_SUBSCRIPTION_ID', 'BROKER_SUBSCRIPTION_ID'],
  'clients.broker.topic': ['HYPERFLEET_BROKER_TOPIC', 'BROKER_TOPIC'],
  'clients.kubernetes.kube_config_path': ['HYPERFLEET_KUBERNETES_KUBE_CONFIG_PATH'],
  'clients.kubernetes.api_version': ['HYPERFLEET_KUBERNETES_API_VERSION'],
  'clients.kubernetes.qps': ['HYPERFLEET_KUBERNETES_QPS'],
  'clients.kubernetes.burst': ['HYPERFLEET_KUBERNETES_BURST'],
  [`${MAESTRO}.grpc_server_address`]: ['HYPERFLEET_MAESTRO_GRPC_SERVER_ADDRESS'],
  [`${MAESTRO}.http_server_address`]: ['HYPERFLEET_MAESTRO_HTTP_SERVER_ADDRESS'],
  [`${MAESTRO}.source_id`]: ['HYPERFLEET_MAESTRO_SOURCE_ID'],
  [`${MAESTRO}.client_id`]: ['HYPERFLEET_MAESTRO_CLIENT_ID'],
  [`${MAESTRO}.auth.type`]: ['HYPERFLEET_MAESTRO_AUTH_TYPE'],
  [`${TLS}.ca_file`]: ['HYPERFLEET_MAESTRO_CA_FILE'],
  [`${TLS}.cert_file`]: ['HYPERFLEET_MAESTRO_CERT_FILE'],
  [`${TLS}.key_file`]: ['HYPERFLEET_MAESTRO_KEY_FILE'],
  [`${TLS}.http_ca_file`]: ['HYPERFLEET_MAESTRO_HTTP_CA_FILE'],
  [`${MAESTRO}.timeout`]: ['HYPERFLEET_MAESTRO_TIMEOUT'],
  [`${MAESTRO}.server_healthiness_timeout`]: ['HYPERFLEET_MAESTRO_SERVER_HEALTHINESS_TIMEOUT'],
  [`${MAESTRO}.retry_attempts`]: ['HYPERFLEET_MAESTRO_RETRY_ATTEMPTS'],
  [`${MAESTRO}.keepalive.time`]: ['HYPERFLEET_MAESTRO_KEEPALIVE_TIME'],
  [`${MAESTRO}.keepalive.timeout`]: ['HYPERFLEET_MAESTRO_KEEPALIVE_TIMEOUT'],
  [`${MAESTRO}.insecure`]: ['HYPERFLEET_MAESTRO_INSECURE'],
};

const NUMBERS = new Set([
  `${API}.retry_attempts`,
  `${MAESTRO}.retry_attempts`,
  'clients.kubernetes.qps',
  'clients.kubernetes.burst',
]);
const BOOLEANS = new Set(['debug_config', `${MAESTRO}.insecure`]);

/** The settings that flags of the command line may override: the same as environment variables may. */
export const OVERRIDABLE: readonly string[] = Object.keys(VARIABLES);

type Tree = { [key: string]: JsonValue | undefined };

/** Puts environment variables, and over them flags (by setting path), into a configuration tree in place. */
export function applyOverrides(root: Tree, env: EnvironmentVariables, flags: EnvironmentVariables = {}): void {
  for (const [setting, names] of Object.entries(VARIABLES)) {
    const value = flags[setting] ?? firstSet(env, names);
    if (value !== undefined) assignSetting(root, setting, typed(setting, value));
  }
}

/** A text that does not fit is left as it is, so that reading the setting reports it. */
function typed(setting: string, text: string): JsonValue {
  if (NUMBERS.has(setting)) return /^\d+$/.test(text) ? Number(text) : text;
  if (!BOOLEANS.has(setting)) return text;
  const lower = text.toLowerCase();
  if (lower === 'true' || lower === '1') return true;
  return lower === 'false' || lower === '0' ? false : text;
}
