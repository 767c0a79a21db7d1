import { StatusError, statusErrors } from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';
import { readLog } from '../connect/read-log.ts';
import type { UserInfo } from '../request/context.ts';
import { parseRequestInfo } from '../request/request-info.ts';
import { InProcessClient } from './in-process-client.ts';
import { performInProcess } from './in-process-requests.ts';
import type { ServerParts } from './parts.ts';
import type { RequestPath } from './request-path.ts';
import { versionInfo } from './routes.ts';
import type { ServerState } from './server-state.ts';

/** A client that calls straight into the request path, under the rules HTTP requests run under. */
export function inProcessClient(
  { api, registry, policy, options: { audit } }: ServerParts,
  path: RequestPath,
  state: ServerState,
  user: UserInfo,
  userAgent: string,
): Client {
  const { metrics, onFault } = path.pipeline;
  const enter = () => state.enter();
  const requests = { registry, authorizer: policy.authorizer, metrics, ...(audit ? { audit } : {}), enter, onFault };
  return new InProcessClient(
    {
      api,
      perform: (...args) => performInProcess(requests, ...args),
      raw: (method, rawPath, options) => {
        const [pathname = '', search = ''] = rawPath.split('?', 2);
        const info = parseRequestInfo(method, pathname, { watch: false, fieldSelector: '' });
        if (method !== 'GET' || info.resource !== 'pods' || info.subresource !== 'log')
          return rawInProcess(path, state, method, rawPath, options?.headers?.['accept']);
        const read = () => readLog(path.connections, info, new URLSearchParams(search), options?.signal);
        return performInProcess(requests, user, userAgent, info, read).then((body) => ({
          status: 200,
          headers: { 'content-type': 'text/plain' },
          body,
        }));
      },
      closed: state.closed,
    },
    user,
    userAgent,
  );
}

async function rawInProcess(
  { routes }: RequestPath,
  state: ServerState,
  method: string,
  path: string,
  accept = '',
): ReturnType<Client['raw']> {
  if (method === 'GET' && path.split('?')[0] === '/version')
    return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(versionInfo) };
  const health = /^\/(livez|readyz|healthz)/.exec(path);
  if (method === 'GET' && health) {
    if (!state.ready) throw new StatusError(500, 'InternalError', 'not ready');
    return { status: 200, headers: { 'content-type': 'text/plain' }, body: 'ok' };
  }
  const document = method === 'GET' ? routes.documents.find(path, accept, new URLSearchParams()) : undefined;
  if (!document) throw statusErrors.unknownPath();
  return { status: 200, headers: { 'content-type': document.contentType }, body: document.body.toString() };
}
