import { request as httpsRequest } from 'node:https';
import { pipeline } from 'node:stream';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { statusErrors } from '@hypershift-ts/kube-apimachinery';
import type { Lookup } from '../admission/lookup.ts';
import type { Exchange } from '../http/exchange.ts';
import type { RequestContext } from '../request/context.ts';
import type { RequestInfo } from '../request/request-info.ts';
import type { Resource } from '../resource/resource.ts';
import type { Egress } from './http-connect.ts';
import { nodeEndpointOf } from './node-endpoint.ts';

/** How the server talks to kubelets. */
export interface ConnectOptions {
  readonly lookup: Lookup;
  readonly kubeletClient?: { readonly certificate: string; readonly key: string; readonly ca?: string };
  /** The way to nodes; absent: straight. */
  readonly egress?: Egress;
}

const podConnections = new Set(['log', 'exec', 'attach', 'portforward', 'proxy']);

/** Requests that are passed on to a kubelet. */
export function isConnect(resource: Resource, info: RequestInfo): boolean {
  if (resource.group !== '' || info.name === '') return false;
  return (
    (resource.resource === 'pods' && podConnections.has(info.subresource)) ||
    (resource.resource === 'nodes' && info.subresource === 'proxy')
  );
}

/** TLS settings for a kubelet: our client certificate, and its CA when one is configured. */
export function kubeletTls({ kubeletClient }: ConnectOptions) {
  return {
    ...(kubeletClient ? { cert: kubeletClient.certificate, key: kubeletClient.key } : {}),
    ...(kubeletClient?.ca ? { ca: kubeletClient.ca } : {}),
    // Without --kubelet-certificate-authority kube-apiserver does not verify kubelets either.
    rejectUnauthorized: kubeletClient?.ca !== undefined,
    // Kubelets are reached by address; their certificates name the node.
    checkServerIdentity: () => undefined,
  };
}

/** A TLS connection to a kubelet, through the egress proxy when there is one. */
export async function kubeletConnection(
  options: ConnectOptions,
  { host, port }: { readonly host: string; readonly port: number },
  signal?: AbortSignal,
): Promise<TLSSocket> {
  const way = options.egress ? { socket: await options.egress(host, port, signal) } : { host, port };
  return connectTls({ ...way, ALPNProtocols: ['http/1.1'], ...kubeletTls(options) });
}

/** Streams a kubelet's answer (logs, node proxy) to the client. */
export async function handleConnect(
  options: ConnectOptions,
  exchange: Exchange,
  info: RequestInfo,
  context: RequestContext,
): Promise<void> {
  if (info.subresource !== 'log' && info.resource === 'pods') throw statusErrors.badRequest('Upgrade request required');
  const { host, port, path } = await nodeEndpointOf(options.lookup, info, exchange.query);
  const unreachable = (error: Error) =>
    statusErrors.internal(`the kubelet at ${host}:${port} cannot be reached: ${error.message}`);
  const socket = await kubeletConnection(options, { host, port }, context.signal).catch((error: Error) => {
    throw unreachable(error);
  });
  await new Promise<void>((resolve, reject) => {
    const upstream = httpsRequest(
      {
        host,
        port,
        path,
        method: exchange.method,
        createConnection: () => socket,
        ...(context.signal ? { signal: context.signal } : {}),
      },
      (answer) => {
        if (info.subresource === 'log' && answer.statusCode !== 200) {
          collect(answer).then(
            (text) => reject(statusErrors.badRequest(text.trim() || `the kubelet answered ${answer.statusCode}`)),
            reject,
          );
          return;
        }
        exchange.begin(answer.statusCode ?? 502, { 'content-type': answer.headers['content-type'] ?? 'text/plain' });
        (exchange.response as { flushHeaders?: () => void }).flushHeaders?.();
        pipeline(answer, exchange.response as NodeJS.WritableStream, () => resolve());
      },
    );
    upstream.on('error', (error) => {
      if (context.signal?.aborted) resolve();
      else reject(unreachable(error));
    });
    upstream.end();
  });
}

async function collect(stream: AsyncIterable<Buffer>): Promise<string> {
  let text = '';
  for await (const chunk of stream) if (text.length < 64 * 1024) text += chunk.toString('utf8');
  return text;
}
