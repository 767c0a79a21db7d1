import type { MapReader } from '@hypershift-ts/fleet-settings';
import type { RetryBackoff } from '@hypershift-ts/fleet-http-client';
import { compact } from '@hypershift-ts/fleet-settings';

export const RETRY_BACKOFFS: readonly RetryBackoff[] = ['exponential', 'linear', 'constant'];

export interface ApiClientConfig {
  readonly base_url?: string;
  readonly version: string;
  readonly timeout: string;
  readonly retry_attempts: number;
  readonly retry_backoff: RetryBackoff;
  readonly base_delay: string;
  readonly max_delay: string;
  readonly default_headers?: Readonly<Record<string, string>>;
  readonly auth?: { readonly token_path: string; readonly token_cache_ttl?: string };
}

export interface MaestroClientConfig {
  readonly grpc_server_address?: string;
  readonly http_server_address?: string;
  readonly source_id?: string;
  readonly client_id?: string;
  readonly auth?: {
    readonly type?: 'tls' | 'none';
    readonly tls_config?: {
      readonly ca_file?: string;
      readonly cert_file?: string;
      readonly key_file?: string;
      readonly http_ca_file?: string;
      readonly server_name?: string;
    };
  };
  readonly timeout: string;
  readonly server_healthiness_timeout: string;
  readonly retry_attempts?: number;
  readonly keepalive?: { readonly time?: string; readonly timeout?: string };
  readonly insecure?: boolean;
}

/** The deployment half of an adapter's configuration: who it is and how it reaches others. */
export interface AdapterConfig {
  readonly adapter: { readonly name: string; readonly version?: string };
  readonly log?: { readonly level?: string; readonly format?: string; readonly output?: string };
  readonly debug_config?: boolean;
  readonly clients: {
    readonly hyperfleet_api: ApiClientConfig;
    readonly broker?: { readonly subscription_id?: string; readonly topic?: string };
    readonly kubernetes: {
      readonly api_version?: string;
      readonly kube_config_path?: string;
      readonly qps: number;
      readonly burst: number;
    };
    readonly maestro?: MaestroClientConfig;
  };
}

/** Reads today's form; everything wrong is reported to the reader's problems. */
export function readAdapterConfig(root: MapReader): AdapterConfig {
  const adapter = root.section('adapter');
  if (!adapter) root.problem('adapter', 'is required');
  const clients = root.section('clients');
  const config: AdapterConfig = compact({
    adapter: compact({ name: adapter?.required('name') ?? '', version: adapter?.string('version') }),
    log: readLog(root.section('log')),
    debug_config: root.bool('debug_config'),
    clients: compact({
      hyperfleet_api: readApi(clients?.section('hyperfleet_api')),
      broker: readBroker(clients?.section('broker')),
      kubernetes: readKubernetes(clients?.section('kubernetes')),
      maestro: readMaestro(clients?.section('maestro')),
    }),
  }) as AdapterConfig;
  adapter?.end();
  clients?.end();
  root.end();
  return config;
}

function readLog(log: MapReader | undefined): AdapterConfig['log'] {
  if (!log) return undefined;
  const read = compact({
    level: log.choice('level', ['debug', 'info', 'warn', 'warning', 'error']),
    format: log.choice('format', ['text', 'json']),
    output: log.string('output'),
  });
  log.end();
  return read as AdapterConfig['log'];
}

function readApi(api: MapReader | undefined): ApiClientConfig {
  const config = compact({
    base_url: api?.string('base_url'),
    version: api?.string('version') ?? 'v1',
    timeout: api?.duration('timeout') ?? '10s',
    retry_attempts: api?.integer('retry_attempts', { max: 100 }) ?? 3,
    retry_backoff: api?.choice('retry_backoff', RETRY_BACKOFFS) ?? 'exponential',
    base_delay: api?.duration('base_delay') ?? '1s',
    max_delay: api?.duration('max_delay') ?? '30s',
    default_headers: api?.texts('default_headers'),
    auth: readAuth(api?.section('auth')),
  });
  if (api && config.base_url !== undefined && !isHttpUrl(config.base_url))
    api.problem('base_url', 'an http or https URL is expected');
  api?.end();
  return config as ApiClientConfig;
}

function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

function readAuth(auth: MapReader | undefined): ApiClientConfig['auth'] {
  if (!auth) return undefined;
  const token_path = auth.required('token_path');
  if (token_path !== '' && !token_path.startsWith('/')) auth.problem('token_path', 'must be an absolute path');
  const read = compact({ token_path, token_cache_ttl: auth.duration('token_cache_ttl') });
  auth.end();
  return read as ApiClientConfig['auth'];
}

function readBroker(broker: MapReader | undefined): AdapterConfig['clients']['broker'] {
  if (!broker) return undefined;
  const read = compact({ subscription_id: broker.string('subscription_id'), topic: broker.string('topic') });
  broker.end();
  return read as AdapterConfig['clients']['broker'];
}

function readKubernetes(kubernetes: MapReader | undefined): AdapterConfig['clients']['kubernetes'] {
  const read = compact({
    api_version: kubernetes?.string('api_version'),
    kube_config_path: kubernetes?.string('kube_config_path'),
    // 0 stands for the default, as upstream has it.
    qps: kubernetes?.integer('qps') || 100,
    burst: kubernetes?.integer('burst') || 200,
  });
  kubernetes?.end();
  return read as AdapterConfig['clients']['kubernetes'];
}

function readMaestro(maestro: MapReader | undefined): MaestroClientConfig | undefined {
  if (!maestro) return undefined;
  const auth = maestro.section('auth');
  const tls = auth?.section('tls_config');
  const keepalive = maestro.section('keepalive');
  const read = compact({
    grpc_server_address: maestro.string('grpc_server_address'),
    http_server_address: maestro.string('http_server_address'),
    source_id: maestro.string('source_id'),
    client_id: maestro.string('client_id') ?? maestro.string('source_id'),
    auth:
      auth &&
      compact({
        type: auth.choice('type', ['tls', 'none']),
        tls_config:
          tls &&
          compact({
            ca_file: tls.string('ca_file'),
            cert_file: tls.string('cert_file'),
            key_file: tls.string('key_file'),
            http_ca_file: tls.string('http_ca_file'),
            server_name: tls.string('server_name'),
          }),
      }),
    timeout: maestro.duration('timeout') ?? '10s',
    server_healthiness_timeout: maestro.duration('server_healthiness_timeout') ?? '20s',
    retry_attempts: maestro.integer('retry_attempts', { max: 100 }),
    keepalive: keepalive && compact({ time: keepalive.duration('time'), timeout: keepalive.duration('timeout') }),
    insecure: maestro.bool('insecure'),
  });
  for (const section of [tls, auth, keepalive, maestro]) section?.end();
  return read as MaestroClientConfig;
}

/** Versions agree when major and minor are the same; undefined when they do, otherwise what is wrong. */
export function versionMismatch(configured: string | undefined, binary: string): string | undefined {
  if (configured === undefined || configured === '') return undefined;
  const series = (version: string): string | undefined => /^v?(\d+\.\d+)(?:\.|$)/.exec(version)?.[1];
  const [wanted, actual] = [series(configured), series(binary)];
  if (wanted === undefined) return `${JSON.stringify(configured)} is not a version`;
  if (wanted === actual) return undefined;
  return `version ${configured} is configured but this adapter is ${binary}; major and minor must be the same`;
}
