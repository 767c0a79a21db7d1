import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { type Clock, errorMessage } from '@hypershift-ts/kube-apimachinery';
import { type Authenticate, requireIdentity, systemIdentity, type TenantConfig, tenantOf } from '../auth/index.ts';
import { ApiError } from '../errors/index.ts';
import type { ApiMetrics, Logger } from '../observability/index.ts';
import type { Caller } from '../service/index.ts';
import { failureOf } from './failure.ts';
import { type HandlerContext, handleResources } from './handlers.ts';
import { addressOf, type ApiRequest, readBody } from './request.ts';
import { type ApiResponse, problemResponse, send } from './response.ts';
import { isPage, methodsOf, metricPath, type PageRoute, type Route, routeOf } from './routes.ts';

interface ApiListenerOptions {
  readonly context: HandlerContext;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: ApiMetrics;
  /** Undefined: anybody may do anything, as the system. */
  readonly authenticate?: Authenticate;
  readonly tenant: TenantConfig;
  /** Documents that need no credentials. */
  readonly pages: Readonly<Record<PageRoute['to'], ApiResponse>>;
  readonly requestTimeoutMs: number;
}

const traceForm = /^[A-Za-z0-9._-]{1,128}$/;

/** Answers the requests of one API: name it, time it, find the caller, do it, log it. */
export function apiListener(options: ApiListenerOptions): RequestListener {
  const { clock, log, metrics, context } = options;
  return (incoming, outgoing) => {
    const start = clock.now();
    const traceId = traceIdOf(incoming);
    void serve(options, incoming, traceId)
      .then(({ response, route, error }) => {
        const seconds = (clock.now() - start) / 1000;
        const method = incoming.method ?? '';
        metrics.requestServed(method, metricPath(context.registry, route), response.status, seconds);
        logRequest(log, incoming, response.status, seconds, traceId, error);
        return send(outgoing, response, {
          acceptEncoding: incoming.headers['accept-encoding'] ?? '',
          traceId,
          headOnly: method === 'HEAD',
        });
      })
      .catch((error: unknown) => abandon(log, outgoing, traceId, error));
  };
}

function traceIdOf(incoming: IncomingMessage): string {
  const given = incoming.headers['x-request-id'];
  return typeof given === 'string' && traceForm.test(given) ? given : randomUUID();
}

interface Served {
  readonly response: ApiResponse;
  readonly route?: Route;
  readonly error?: ApiError;
}

async function serve(options: ApiListenerOptions, incoming: IncomingMessage, traceId: string): Promise<Served> {
  const { clock, context } = options;
  let path = incoming.url?.split('?')[0] ?? '/';
  let route: Route | undefined;
  try {
    const address = addressOf(incoming.url ?? '/');
    path = address.path;
    route = routeOf(context.registry, path);
    const method = incoming.method === 'HEAD' ? 'GET' : (incoming.method ?? 'GET');
    if (!route) throw new ApiError('NTF-000', `The requested endpoint '${path.slice(0, 500)}' doesn't exist`);
    const allowed = methodsOf(route);
    if (!allowed.includes(method)) throw wrongMethod(method, allowed);
    const request = { ...address, method, headers: incoming.headers, traceId, body: () => readBody(incoming) };
    const response = await withTimeout(clock, options.requestTimeoutMs, answer(options, route, request));
    return { response, route };
  } catch (thrown) {
    const error = failureOf(thrown);
    return { response: problemResponse(error, path, traceId, clock.now()), error, ...(route ? { route } : {}) };
  }
}

function wrongMethod(method: string, allowed: readonly string[]): ApiError {
  const detail = `${method} is not allowed here; allowed are ${allowed.join(', ')}`;
  return new ApiError('VAL-005', detail, { status: 405, headers: { allow: allowed.join(', ') } });
}

async function answer(options: ApiListenerOptions, route: Route, request: ApiRequest): Promise<ApiResponse> {
  if (isPage(route)) return options.pages[route.to];
  const caller = await callerOf(options, request);
  return handleResources(options.context, caller, route, request);
}

async function callerOf({ authenticate, tenant }: ApiListenerOptions, request: ApiRequest): Promise<Caller> {
  const identity = authenticate ? await authenticate(request.headers) : systemIdentity;
  if (request.method !== 'GET') requireIdentity(identity);
  return { identity, ...tenantOf(tenant, request.headers) };
}

/** Gives up waiting; the work itself ends with the database's own limit. */
async function withTimeout<T>(clock: Clock, ms: number, work: Promise<T>): Promise<T> {
  let cancel = () => {};
  const late = new Promise<never>((_, reject) => {
    cancel = clock.after(ms, () => reject(new ApiError('SVC-002')));
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    cancel();
    work.catch(() => {});
  }
}

function logRequest(
  log: Logger,
  incoming: IncomingMessage,
  status: number,
  seconds: number,
  traceId: string,
  error: ApiError | undefined,
): void {
  // Queries may hold names and searches, bodies hold specs: neither is logged.
  const fields = {
    trace_id: traceId,
    method: incoming.method,
    path: incoming.url?.split('?')[0],
    status,
    duration_ms: Math.round(seconds * 1000),
    ...(error ? { code: `HYPERFLEET-${error.code}`, reason: error.message } : {}),
  };
  if (status < 500) log.info(fields, 'request served');
  else log.error({ ...fields, cause: errorMessage(error?.cause ?? error) }, 'request failed');
}

function abandon(log: Logger, outgoing: ServerResponse, traceId: string, error: unknown): void {
  log.error({ trace_id: traceId, cause: errorMessage(error) }, 'the answer could not be sent');
  outgoing.destroy();
}
