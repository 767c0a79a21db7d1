import { readFileSync } from 'node:fs';
import { type Clock, errorMessage, systemClock } from '@hypershift-ts/kube-apimachinery';
import { issuerProblems, jwtAuthentication, tenantProblems } from './auth/index.ts';
import { type Config, ConfigError } from './config/index.ts';
import { conditionMapper } from './conditions/index.ts';
import { type Database, migrate, openPglite, openPostgres } from '@hypershift-ts/fleet-database';
import { migrations } from './store/migrations.ts';
import { apiListener, healthListener, type Listening, listen, metricsListener } from './http/index.ts';
import { type ApiMetrics, createMetrics, type Logger, measuredDatabase, silentLogger } from './observability/index.ts';
import { openapiDocument, openapiPage } from './openapi/index.ts';
import { createRegistry, type Registry } from './registry/index.ts';
import type { ServiceContext } from './service/index.ts';
import {
  builtinSchemaDocument,
  parseSchemaDocument,
  type SchemaDocument,
  SchemaDocumentError,
  specValidator,
} from './spec-schema/index.ts';

export interface FleetApiOptions {
  readonly config: Config;
  readonly version: string;
  readonly buildTime?: string;
  readonly clock?: Clock;
  readonly log?: Logger;
  /** Instead of opening the configured one; stays open when the server stops. */
  readonly database?: Database;
}

/** A running API server. */
export interface FleetApi {
  readonly url: string;
  readonly healthUrl: string;
  readonly metricsUrl: string;
  /** Answers what is under way, then gives everything back. */
  stop(): Promise<void>;
}

/** Opens the database a configuration names. */
export async function openDatabase({ database }: Config, clock: Clock, signal?: AbortSignal): Promise<Database> {
  const { dialect, directory, host, port, name, username, password, ssl, pool } = database;
  if (dialect === 'pglite') return openPglite(directory === '' ? {} : { directory });
  return openPostgres({
    host,
    port,
    name,
    username,
    ...(password === '' ? {} : { password }),
    ssl: { mode: ssl.mode, ...(ssl.root_cert_file === '' ? {} : { rootCertFile: ssl.root_cert_file }) },
    maxConnections: pool.max_connections,
    connMaxLifetimeMs: pool.conn_max_lifetime,
    connMaxIdleMs: pool.conn_max_idle_time,
    requestTimeoutMs: pool.request_timeout,
    retry: { attempts: pool.conn_retry_attempts, intervalMs: pool.conn_retry_interval },
    clock,
    ...(signal ? { signal } : {}),
  });
}

function checkServable({ server }: Config): void {
  const problems = [
    ...(server.jwt.enabled ? issuerProblems(server.jwt.configs) : []),
    ...tenantProblems(server.tenant),
    ...(server.tls.enabled && (server.tls.cert_file === '' || server.tls.key_file === '')
      ? ['server.tls needs cert_file and key_file while server.tls.enabled is true']
      : []),
  ];
  if (problems.length > 0) throw new ConfigError(`the API cannot be served: ${problems.join('; ')}`);
}

function loadSchemas(path: string): SchemaDocument {
  if (path === '') return parseSchemaDocument(JSON.stringify(builtinSchemaDocument), 'the built-in provider schema');
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw new SchemaDocumentError(
      `the provider schema ${path} cannot be read: ${errorMessage(cause)}; check server.openapi_schema_path`,
      { cause },
    );
  }
  return parseSchemaDocument(text, path);
}

/** Checks everything that can be wrong before anything is opened, then migrates the database and listens. */
export async function startFleetApi(options: FleetApiOptions): Promise<FleetApi> {
  const { config, clock = systemClock, log = silentLogger, version } = options;
  checkServable(config);
  const registry = createRegistry(config.entities);
  const mappers = new Map(
    registry.entities.flatMap((entity) => {
      const mapper = conditionMapper(entity);
      return mapper ? [[entity.kind, mapper] as const] : [];
    }),
  );
  const schemas = loadSchemas(config.server.openapi_schema_path);
  const validateSpec = specValidator(registry, schemas);
  const opened = options.database ?? (await openDatabase(config, clock));
  const listening: Listening[] = [];
  const giveBack = async (graceMs: number) => {
    // The API first: probes go on saying that it is stopping.
    for (const server of listening.toReversed()) await server.close(graceMs);
    if (!options.database) await opened.close();
  };
  try {
    const steps = await migrate(opened, migrations);
    if (steps.length > 0) log.info({ migrations: steps }, 'database migrated');
    const metrics = await createMetrics({
      version,
      database: opened,
      now: () => clock.now(),
      stuckAfterMs: config.metrics.reconciliation_stuck_threshold,
    });
    const database = measuredDatabase(
      opened,
      (sql, seconds, failed) => {
        metrics.queryServed(seconds, failed);
        // Statements hold no values, only their places.
        if (config.database.debug) log.debug({ sql, seconds, failed }, 'statement');
      },
      () => clock.now(),
    );
    const context = { database, registry, mappers, clock, observer: observerOf(metrics, log), validateSpec };
    return await serveAll(options, { context, metrics, schemas, listening, giveBack });
  } catch (error) {
    await giveBack(0);
    throw error;
  }
}

function observerOf(metrics: ApiMetrics, log: Logger): ServiceContext['observer'] {
  return {
    reconciliationStarted: (kind, deleting) => metrics.reconciliationStarted(kind, deleting),
    forceDeleted: (event) => log.warn({ audit: true, ...event }, 'resource removed by force'),
  };
}

interface Parts {
  readonly context: Parameters<typeof apiListener>[0]['context'];
  readonly metrics: ApiMetrics;
  readonly schemas: SchemaDocument;
  readonly listening: Listening[];
  readonly giveBack: (graceMs: number) => Promise<void>;
}

async function serveAll(options: FleetApiOptions, parts: Parts): Promise<FleetApi> {
  const { config, clock = systemClock, log = silentLogger } = options;
  const { context, metrics, listening, giveBack } = parts;
  const { server } = config;
  let stopping: Promise<void> | undefined;
  const start = async (listener: Parameters<typeof listen>[0], where: Place) => {
    const one = await listen(listener, { ...placeOptions(where), readTimeoutMs: server.timeouts.read });
    listening.push(one);
    return one;
  };
  const health = await start(
    healthListener({
      database: context.database,
      clock,
      pingTimeoutMs: config.health.db_ping_timeout,
      isStopping: () => stopping !== undefined,
    }),
    config.health,
  );
  const scrape = await start(metricsListener(metrics, log), config.metrics);
  const api = await start(
    apiListener({
      context,
      clock,
      log,
      metrics,
      ...(server.jwt.enabled ? { authenticate: jwtAuthentication(server.jwt.configs, clock) } : {}),
      tenant: server.tenant,
      pages: pagesOf(options, context.registry, parts.schemas),
      requestTimeoutMs: server.timeouts.write,
    }),
    server,
  );
  log.info({ url: api.url, health: health.url, metrics: scrape.url }, 'HyperFleet API is listening');
  return {
    url: api.url,
    healthUrl: health.url,
    metricsUrl: scrape.url,
    stop: () => (stopping ??= giveBack(config.health.shutdown_timeout)),
  };
}

interface Place {
  readonly host: string;
  readonly port: number;
  readonly tls: Config['server']['tls'];
}

function placeOptions({ host, port, tls }: Place) {
  return { host, port, ...(tls.enabled ? { tls: { certFile: tls.cert_file, keyFile: tls.key_file } } : {}) };
}

function pagesOf({ config, version, buildTime }: FleetApiOptions, registry: Registry, schemas: SchemaDocument) {
  const { hostname } = config.server;
  const document = openapiDocument(registry, schemas.document, version, hostname === '' ? '/' : `https://${hostname}`);
  return {
    metadata: {
      status: 200,
      body: { id: 'hyperfleet', kind: 'API', href: '/api/hyperfleet', version, build_time: buildTime ?? 'unknown' },
    },
    openapi: { status: 200, text: { contentType: 'application/json', content: JSON.stringify(document) } },
    'openapi-page': { status: 200, text: { contentType: 'text/html; charset=utf-8', content: openapiPage } },
  };
}
