import { type Clock, statusErrors } from '@hypershift-ts/kube-apimachinery';
import { type AuditSink, auditEvent } from '../audit/audit.ts';
import { type Authorizer, type Decision, forbidden } from '../authorization/index.ts';
import { sendError, toStatusError } from '../http/errors.ts';
import { type AnyRequest, type AnyResponse, Exchange } from '../http/exchange.ts';
import type { RequestMetrics } from '../metrics/request-metrics.ts';
import type { RequestContext, UserInfo } from '../request/context.ts';
import { parseRequestInfo, type RequestInfo } from '../request/request-info.ts';
import { type InFlight, isLongRunning } from './in-flight.ts';

/** Who the request is from; the identity it acts as may differ (impersonation). */
export interface Identity {
  readonly user: UserInfo;
  readonly actingAs?: UserInfo;
}

export interface PipelineOptions {
  readonly clock: Clock;
  readonly newUid: () => string;
  readonly identify: (exchange: Exchange) => Promise<Identity>;
  readonly authorizer: Authorizer;
  readonly inFlight: InFlight;
  readonly requestTimeoutMs: number;
  readonly audit?: AuditSink;
  readonly metrics: RequestMetrics;
  /** Answers an authorized request. */
  readonly route: (exchange: Exchange, info: RequestInfo, context: RequestContext) => Promise<void>;
  /** A fault of ours, not of the client's. */
  readonly onFault: (error: unknown, info: RequestInfo | undefined) => void;
}

/** Every HTTP request goes this way: identify, admit, authorize, answer, account for. */
export async function handleRequest(
  options: PipelineOptions,
  request: AnyRequest,
  response: AnyResponse,
): Promise<void> {
  const { clock } = options;
  const exchange = new Exchange(request, response);
  const trace = new Trace(clock.now(), auditId(exchange, options.newUid));
  // Of an HTTP/2 stream that has ended nobody can tell any more where it came from.
  if (options.audit) trace.sourceIp = request.socket?.remoteAddress ?? '';
  response.setHeader('audit-id', trace.id);
  response.on('close', () => account(options, exchange, trace));
  // A reset by the client surfaces here; the handlers notice by the close event.
  response.on('error', () => {});
  try {
    const info = parseRequestInfo(exchange.method, exchange.path, {
      watch: exchange.query.has('watch') && exchange.flag('watch'),
      fieldSelector: exchange.param('fieldSelector'),
    });
    trace.info = info;
    const identity = await options.identify(exchange);
    trace.identity = identity;
    const context = contextOf(exchange, identity, trace);
    const authorizing = authorizeRequest(options.authorizer, info, context);
    if (authorizing) await authorizing;
    if (isLongRunning(info.verb, info.subresource)) return await options.route(exchange, info, context);
    const leave = options.inFlight.enter(info.verb);
    try {
      await withTimeout(options, options.route(exchange, info, context));
    } finally {
      leave();
    }
  } catch (error) {
    const status = toStatusError(error, (fault) => options.onFault(fault, trace.info));
    trace.reason = status.reason;
    await sendError(exchange, status).catch((fault) => options.onFault(fault, trace.info));
  }
}

/** Throws 403, at once or, when somebody else has to be asked, by the promise. */
export function authorizeRequest(
  authorizer: Authorizer,
  info: RequestInfo,
  context: RequestContext,
): void | Promise<void> {
  const attributes = { ...info, user: context.user };
  const settle = ({ decision, reason }: Decision): void => {
    context.auditAnnotation('authorization.k8s.io/decision', decision === 'allow' ? 'allow' : 'forbid');
    if (decision !== 'allow') throw forbidden(attributes, reason);
  };
  const answer = authorizer.authorize(attributes);
  return answer instanceof Promise ? answer.then(settle) : settle(answer);
}

/** A client or proxy may name the request itself. */
function auditId(exchange: Exchange, newUid: () => string): string {
  const given = exchange.header('audit-id') ?? '';
  return /^[\x21-\x7e]{1,64}$/.test(given) ? given : newUid();
}

class Trace {
  readonly receivedMs: number;
  readonly id: string;
  readonly annotations: Record<string, string> = {};
  info: RequestInfo | undefined;
  identity: Identity | undefined;
  reason = '';
  sourceIp = '';

  constructor(receivedMs: number, id: string) {
    this.receivedMs = receivedMs;
    this.id = id;
  }
}

function contextOf(exchange: Exchange, identity: Identity, trace: Trace): RequestContext {
  let abort: AbortController | undefined;
  return {
    user: identity.actingAs ?? identity.user,
    now: trace.receivedMs,
    // Made only when somebody looks: aborting costs more than most requests do.
    get signal() {
      if (!abort) {
        const controller = new AbortController();
        abort = controller;
        exchange.response.on('close', () => controller.abort());
      }
      return abort.signal;
    },
    userAgent: exchange.header('user-agent') ?? '',
    warn: (text) => exchange.warn(text),
    auditAnnotation: (key, value) => {
      trace.annotations[key] = value;
    },
  };
}

function account(options: PipelineOptions, exchange: Exchange, trace: Trace): void {
  const { info, identity } = trace;
  if (!info) return;
  const completedMs = options.clock.now();
  const code = exchange.response.statusCode;
  options.metrics.observe(info, code, completedMs - trace.receivedMs);
  options.audit?.(
    auditEvent({
      id: trace.id,
      uri: exchange.request.url ?? '',
      info,
      user: identity?.user,
      impersonated: identity?.actingAs,
      sourceIp: trace.sourceIp,
      userAgent: exchange.header('user-agent') ?? '',
      code,
      reason: trace.reason,
      receivedMs: trace.receivedMs,
      completedMs,
      annotations: trace.annotations,
    }),
  );
}

function withTimeout(options: PipelineOptions, work: Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancel = options.clock.after(options.requestTimeoutMs, () =>
      reject(statusErrors.timeout('request did not complete within the allotted timeout')),
    );
    work.then(resolve, reject).finally(cancel);
  });
}
