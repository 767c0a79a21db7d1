import type { IssuerConfig, TenantConfig } from '../auth/index.ts';
import type { Entity } from '../registry/index.ts';

interface TlsConfig {
  readonly enabled: boolean;
  readonly cert_file: string;
  readonly key_file: string;
}

/** The configuration, complete and of the right types. Durations are milliseconds. */
export interface Config {
  readonly server: {
    readonly hostname: string;
    readonly host: string;
    readonly port: number;
    readonly openapi_schema_path: string;
    readonly timeouts: { readonly read: number; readonly write: number };
    readonly tls: TlsConfig;
    readonly jwt: { readonly enabled: boolean; readonly configs: readonly IssuerConfig[] };
    readonly tenant: TenantConfig;
  };
  readonly database: {
    /** `pglite` is PostgreSQL inside this process. */
    readonly dialect: 'postgres' | 'pglite';
    /** Where PGlite keeps its data; empty is in memory. */
    readonly directory: string;
    readonly host: string;
    readonly port: number;
    readonly name: string;
    readonly username: string;
    readonly password: string;
    readonly debug: boolean;
    readonly ssl: {
      readonly mode: 'disable' | 'require' | 'verify-ca' | 'verify-full';
      readonly root_cert_file: string;
    };
    readonly pool: {
      readonly max_connections: number;
      readonly max_idle_connections: number;
      readonly conn_max_lifetime: number;
      readonly conn_max_idle_time: number;
      readonly request_timeout: number;
      readonly conn_retry_attempts: number;
      readonly conn_retry_interval: number;
    };
  };
  readonly logging: {
    readonly level: 'debug' | 'info' | 'warn' | 'error';
    readonly format: 'json' | 'text';
    readonly output: 'stdout' | 'stderr';
    readonly otel: { readonly enabled: boolean };
    readonly masking: {
      readonly enabled: boolean;
      readonly headers: readonly string[];
      readonly fields: readonly string[];
    };
  };
  readonly tracing: { readonly enabled: boolean };
  readonly metrics: {
    readonly host: string;
    readonly port: number;
    readonly tls: TlsConfig;
    readonly label_metrics_inclusion_duration: number;
    readonly reconciliation_stuck_threshold: number;
  };
  readonly health: {
    readonly host: string;
    readonly port: number;
    readonly tls: TlsConfig;
    readonly shutdown_timeout: number;
    readonly db_ping_timeout: number;
  };
  readonly entities: readonly Entity[];
}
