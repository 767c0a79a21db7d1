import { randomUUID } from 'node:crypto';
import { statusErrors } from '@hypershift-ts/kube-apimachinery';
import type { Registry as MetricsRegistry } from 'prom-client';
import { type ConnectOptions, handleConnect, isConnect } from '../connect/connect.ts';
import { checkRoute } from '../http/allowed-method.ts';
import type { Exchange } from '../http/exchange.ts';
import { handleResource } from '../http/resource-handler.ts';
import { RequestMetrics } from '../metrics/request-metrics.ts';
import type { RequestContext } from '../request/context.ts';
import type { RequestInfo } from '../request/request-info.ts';
import { Documents } from './documents.ts';
import { identify } from './identify.ts';
import { InFlight } from './in-flight.ts';
import type { ServerParts } from './parts.ts';
import type { PipelineOptions } from './pipeline.ts';
import { handlePath, type RouteOptions } from './routes.ts';
import type { ServerState } from './server-state.ts';

/** How requests travel through one server. */
export interface RequestPath {
  readonly pipeline: PipelineOptions;
  readonly routes: RouteOptions;
  /** How kubelets are reached. */
  readonly connections: ConnectOptions;
}

export function requestPathOf(parts: ServerParts, state: ServerState, metrics: MetricsRegistry): RequestPath {
  const routes = routesOf(parts, state, metrics);
  const connections = connectionsOf(parts);
  const route = routerOf(parts, routes, connections, state.closed);
  return { routes, connections, pipeline: pipelineOf(parts, metrics, route) };
}

function pipelineOf(parts: ServerParts, metrics: MetricsRegistry, route: PipelineOptions['route']): PipelineOptions {
  const { options, catalogue, policy, identification, clock, log } = parts;
  const { limits = {}, audit } = options;
  const { authorizer } = policy;
  const isServed = ({ group, version, resource }: RequestInfo): boolean =>
    catalogue.find(group, version, resource) !== undefined;
  return {
    clock,
    newUid: randomUUID,
    identify: (exchange) => identify(identification.authentication, authorizer, exchange),
    authorizer,
    inFlight: new InFlight({
      reading: limits.requestsInFlight ?? 400,
      mutating: limits.mutatingRequestsInFlight ?? 200,
    }),
    requestTimeoutMs: limits.requestTimeoutMs ?? 60_000,
    ...(audit ? { audit } : {}),
    metrics: new RequestMetrics(metrics, isServed),
    route,
    onFault: (error, info) =>
      log(`${info?.verb ?? 'request'} ${info?.path || info?.resource || ''} failed inside the server`, error),
  };
}

function routerOf(
  { api, catalogue, options }: ServerParts,
  routes: RouteOptions,
  connections: ConnectOptions,
  closed: AbortSignal,
): PipelineOptions['route'] {
  const { limits = {} } = options;
  const resources = {
    api,
    maxBodyBytes: limits.bodyBytes ?? 3 * 1024 * 1024,
    minWatchSeconds: limits.minWatchSeconds ?? 1800,
    closed,
  };
  return (exchange: Exchange, info: RequestInfo, context: RequestContext): Promise<void> => {
    if (!info.isResource) return handlePath(routes, exchange);
    const resource = catalogue.find(info.group, info.version, info.resource);
    if (!resource) throw statusErrors.unknownPath();
    checkRoute(resource, info, exchange.method);
    if (isConnect(resource, info)) return handleConnect(connections, exchange, info, context);
    return handleResource(resources, exchange, info, context, resource);
  };
}

function connectionsOf({ lookup, options: { kubeletClient, egress } }: ServerParts): ConnectOptions {
  return { lookup, ...(kubeletClient ? { kubeletClient } : {}), ...(egress ? { egress } : {}) };
}

function routesOf(parts: ServerParts, state: ServerState, metrics: MetricsRegistry): RouteOptions {
  const { options, catalogue, identification } = parts;
  const advertised = (): string => {
    const at = state.advertised();
    return at ? `${at.address}:${at.port}` : '';
  };
  return {
    checks: healthChecks(options.store, state),
    documents: new Documents(catalogue, advertised),
    metrics,
    issuer: options.serviceAccounts.issuers[0] ?? '',
    advertised,
    keys: identification.keys,
  };
}

function healthChecks(store: ServerParts['options']['store'], state: ServerState): RouteOptions['checks'] {
  return [
    { name: 'ping', check: () => {} },
    { name: 'etcd', check: async () => void (await store.currentRevision()) },
    {
      name: 'poststarthook/start-apiserver',
      readyOnly: true,
      check: () => {
        if (!state.ready) throw new Error('still starting');
      },
    },
    {
      name: 'shutdown',
      readyOnly: true,
      check: () => {
        if (state.closed.aborted) throw new Error('shutting down');
      },
    },
  ];
}
