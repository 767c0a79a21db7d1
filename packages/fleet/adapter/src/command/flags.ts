import type { Flags } from '@hypershift-ts/fleet-serving';

/** Flag -> setting that it overrides. */
const SETTINGS: Readonly<Record<string, string>> = {
  'log-level': 'log.level',
  'log-format': 'log.format',
  'log-output': 'log.output',
  'hyperfleet-api-base-url': 'clients.hyperfleet_api.base_url',
  'hyperfleet-api-version': 'clients.hyperfleet_api.version',
  'hyperfleet-api-timeout': 'clients.hyperfleet_api.timeout',
  'hyperfleet-api-retry': 'clients.hyperfleet_api.retry_attempts',
  'hyperfleet-api-retry-backoff': 'clients.hyperfleet_api.retry_backoff',
  'hyperfleet-api-base-delay': 'clients.hyperfleet_api.base_delay',
  'hyperfleet-api-max-delay': 'clients.hyperfleet_api.max_delay',
  'broker-subscription-id': 'clients.broker.subscription_id',
  'broker-topic': 'clients.broker.topic',
  'kubernetes-kube-config-path': 'clients.kubernetes.kube_config_path',
  'kubernetes-api-version': 'clients.kubernetes.api_version',
  'kubernetes-qps': 'clients.kubernetes.qps',
  'kubernetes-burst': 'clients.kubernetes.burst',
  'maestro-grpc-server-address': 'clients.maestro.grpc_server_address',
  'maestro-http-server-address': 'clients.maestro.http_server_address',
  'maestro-source-id': 'clients.maestro.source_id',
  'maestro-client-id': 'clients.maestro.client_id',
  'maestro-auth-type': 'clients.maestro.auth.type',
  'maestro-ca-file': 'clients.maestro.auth.tls_config.ca_file',
  'maestro-cert-file': 'clients.maestro.auth.tls_config.cert_file',
  'maestro-key-file': 'clients.maestro.auth.tls_config.key_file',
  'maestro-http-ca-file': 'clients.maestro.auth.tls_config.http_ca_file',
  'maestro-timeout': 'clients.maestro.timeout',
  'maestro-server-healthiness-timeout': 'clients.maestro.server_healthiness_timeout',
  'maestro-retry-attempts': 'clients.maestro.retry_attempts',
  'maestro-keepalive-time': 'clients.maestro.keepalive.time',
  'maestro-keepalive-timeout': 'clients.maestro.keepalive.timeout',
};

const SWITCHES: Readonly<Record<string, string>> = {
  'debug-config': 'debug_config',
  'maestro-insecure': 'clients.maestro.insecure',
};

const DRY_RUN = ['dry-run-event', 'dry-run-api-responses', 'dry-run-discovery', 'dry-run-output'];

export const ADAPTER_FLAGS = {
  values: [
    'config',
    'task-config',
    'health-server-bindaddress',
    'metrics-server-bindaddress',
    ...DRY_RUN,
    ...Object.keys(SETTINGS),
  ],
  switches: ['dry-run-verbose', ...Object.keys(SWITCHES)],
  short: { c: 'config', t: 'task-config' },
};

/** The settings that flags override. */
export function flagOverrides(flags: Flags): Record<string, string> {
  const given = Object.entries({ ...SETTINGS, ...SWITCHES }).flatMap(([flag, setting]) => {
    const value = flags.value(flag);
    return value === undefined ? [] : [[setting, value] as const];
  });
  return Object.fromEntries(given);
}
