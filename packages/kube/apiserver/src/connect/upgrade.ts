import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type StatusError, statusErrors } from '@hypershift-ts/kube-apimachinery';
import { toStatusError } from '../http/errors.ts';
import { Exchange, type AnyResponse } from '../http/exchange.ts';
import type { RequestContext } from '../request/context.ts';
import { parseRequestInfo } from '../request/request-info.ts';
import { authorizeRequest, type PipelineOptions } from '../server/pipeline.ts';
import { type ConnectOptions, kubeletConnection } from './connect.ts';
import { nodeEndpointOf } from './node-endpoint.ts';

/** Headers that belong to the client's connection with us and mean nothing to the kubelet. */
const hopHeaders = new Set(['host', 'authorization', 'content-length', 'transfer-encoding']);

/** Authorizes an exec, attach or port-forward, then joins the client's connection with the kubelet's. */
export async function handleUpgrade(
  pipeline: PipelineOptions,
  options: ConnectOptions,
  request: IncomingMessage,
  client: Duplex,
  head: Buffer,
): Promise<void> {
  client.on('error', () => client.destroy());
  const exchange = new Exchange(request, { statusCode: 101, headersSent: false } as unknown as AnyResponse);
  try {
    const info = parseRequestInfo(exchange.method, exchange.path, { watch: false, fieldSelector: '' });
    if (!info.isResource || info.subresource === '') throw statusErrors.unknownPath();
    const identity = await pipeline.identify(exchange);
    const context: RequestContext = {
      user: identity.actingAs ?? identity.user,
      now: pipeline.clock.now(),
      userAgent: exchange.header('user-agent') ?? '',
      warn: () => {},
      auditAnnotation: () => {},
    };
    await authorizeRequest(pipeline.authorizer, info, context);
    const endpoint = await nodeEndpointOf(options.lookup, info, exchange.query);
    await join(options, endpoint, request, client, head);
    pipeline.metrics.observe(info, 101, 0);
  } catch (error) {
    refuse(
      client,
      toStatusError(error, (fault) => pipeline.onFault(fault, undefined)),
    );
  }
}

async function join(
  options: ConnectOptions,
  endpoint: { readonly host: string; readonly port: number; readonly path: string },
  request: IncomingMessage,
  client: Duplex,
  head: Buffer,
): Promise<void> {
  const unreachable = (error: Error) =>
    statusErrors.internal(`the kubelet at ${endpoint.host}:${endpoint.port} cannot be reached: ${error.message}`);
  const kubelet = await kubeletConnection(options, endpoint).catch((error: Error) => {
    throw unreachable(error);
  });
  kubelet.once('secureConnect', () => {
    const lines = [`${request.method} ${endpoint.path} HTTP/1.1`, `host: ${endpoint.host}:${endpoint.port}`];
    for (let i = 0; i < request.rawHeaders.length; i += 2) {
      const name = request.rawHeaders[i]!;
      const value = request.rawHeaders[i + 1]!;
      if (hopHeaders.has(name.toLowerCase()) || name.toLowerCase().startsWith('impersonate-')) continue;
      // A bearer token offered as a subprotocol must not travel on.
      if (value.startsWith('base64url.bearer.authorization.k8s.io.')) continue;
      lines.push(`${name}: ${value}`);
    }
    kubelet.write(`${lines.join('\r\n')}\r\n\r\n`);
    if (head.length > 0) kubelet.write(head);
    kubelet.pipe(client).pipe(kubelet);
  });
  kubelet.on('error', (error) => refuse(client, unreachable(error)));
  client.on('close', () => kubelet.destroy());
  kubelet.on('close', () => client.destroy());
  // The client may have gone while the connection was being made.
  if (client.destroyed) kubelet.destroy();
}

function refuse(client: Duplex, error: StatusError): void {
  if (client.destroyed || !client.writable) return;
  const body = JSON.stringify(error.toStatus());
  client.end(
    `HTTP/1.1 ${error.code} ${error.reason || 'Error'}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}
