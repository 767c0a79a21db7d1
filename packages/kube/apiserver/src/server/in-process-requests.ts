import { StatusError, statusErrors } from '@hypershift-ts/kube-apimachinery';
import { type AuditSink, auditEvent } from '../audit/audit.ts';
import type { Authorizer } from '../authorization/index.ts';
import { toStatusError } from '../http/errors.ts';
import type { RequestMetrics } from '../metrics/request-metrics.ts';
import type { Registry } from '../registry/registry.ts';
import type { RequestContext, UserInfo } from '../request/context.ts';
import type { RequestInfo } from '../request/request-info.ts';
import type { Resource } from '../resource/resource.ts';
import { authorizeRequest } from './pipeline.ts';

export interface InProcessRequestOptions {
  readonly registry: Registry;
  readonly authorizer: Authorizer;
  readonly metrics: RequestMetrics;
  readonly audit?: AuditSink;
  /** Takes note of a request under way; returns how to say that it is over. */
  readonly enter: () => () => void;
  readonly onFault: (error: unknown, info: RequestInfo | undefined) => void;
}

/** Runs one in-process request under the rules HTTP requests run under: authorization, audit, metrics. */
export async function performInProcess<T>(
  options: InProcessRequestOptions,
  user: UserInfo,
  userAgent: string,
  info: RequestInfo,
  work: (context: RequestContext, resource: Resource) => Promise<T>,
  onWarning?: (text: string) => void,
): Promise<T> {
  const { registry, audit } = options;
  const receivedMs = registry.clock.now();
  const annotations: Record<string, string> = {};
  const context: RequestContext = {
    user,
    now: receivedMs,
    userAgent,
    warn: (text) => onWarning?.(text),
    auditAnnotation: (key, value) => {
      annotations[key] = value;
    },
  };
  const leave = options.enter();
  let code = info.verb === 'create' ? 201 : 200;
  let reason = '';
  try {
    const resource = registry.catalogue.find(info.group, info.version, info.resource);
    if (!resource) throw statusErrors.unknownPath();
    const authorizing = authorizeRequest(options.authorizer, info, context);
    if (authorizing) await authorizing;
    return await work(context, resource);
  } catch (error) {
    const status = toStatusError(error, (fault) => options.onFault(fault, info));
    code = status.code;
    reason = status.reason;
    throw error instanceof StatusError ? error : status;
  } finally {
    leave();
    const completedMs = registry.clock.now();
    options.metrics.observe(info, code, completedMs - receivedMs);
    if (audit)
      audit(
        auditEvent({
          id: registry.newUid(),
          uri: uriOf(info),
          info,
          user,
          impersonated: undefined,
          sourceIp: '',
          userAgent,
          code,
          reason,
          receivedMs,
          completedMs,
          annotations,
        }),
      );
  }
}

/** The path the same request would have over HTTP. */
function uriOf(info: RequestInfo): string {
  const root = info.group === '' ? `/api/${info.version}` : `/apis/${info.group}/${info.version}`;
  const namespace = info.namespace !== '' && info.resource !== 'namespaces' ? `/namespaces/${info.namespace}` : '';
  const rest = [info.resource, info.name, info.subresource].filter((part) => part !== '').join('/');
  return `${root}${namespace}/${rest}`;
}
