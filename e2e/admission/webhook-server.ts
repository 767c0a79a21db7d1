import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createAuthority, issue } from '@hypershift-ts/kube-pki';

/** The request half of an AdmissionReview or ConversionReview, as the server sent it. */
// oxlint-disable-next-line typescript/no-explicit-any -- tests read whatever the server sends
export type Review = Record<string, any>;

/** What a handler answers: the response half, a raw answer, or nothing at all (the request hangs). */
export type Answer =
  | { readonly response: object }
  | { readonly status: number; readonly body: string }
  | { readonly hang: true };

export interface WebhookServer {
  readonly url: string;
  readonly port: number;
  /** Base64, as clientConfig wants it. */
  readonly caBundle: string;
  /** Paths called, in order. */
  readonly calls: string[];
  connections: number;
  stop(): Promise<void>;
}

/** An HTTPS server that answers reviews by path, with a certificate for loopback and for one service name. */
export async function startWebhookServer(
  handlers: Readonly<Record<string, (request: Review) => Answer>>,
  serviceName = 'hooks.default.svc',
): Promise<WebhookServer> {
  const now = Date.now();
  const authority = await createAuthority({ subject: { commonName: 'webhook-ca' }, now });
  const serving = await issue(authority, {
    subject: { commonName: serviceName },
    role: 'server',
    dnsNames: [serviceName],
    ipAddresses: ['127.0.0.1'],
    now,
  });
  const calls: string[] = [];
  const server = createServer({ cert: serving.certificatePem, key: serving.keyPem }, (request, response) => {
    void respond(handlers, calls, request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const started: WebhookServer = {
    url: `https://127.0.0.1:${port}`,
    port,
    caBundle: Buffer.from(authority.certificatePem).toString('base64'),
    calls,
    connections: 0,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  server.on('secureConnection', () => started.connections++);
  return started;
}

async function respond(
  handlers: Readonly<Record<string, (request: Review) => Answer>>,
  calls: string[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const path = (request.url ?? '').split('?')[0]!;
  calls.push(path);
  const review = JSON.parse(Buffer.concat(chunks).toString()) as Review;
  const answer = handlers[path]?.(review['request'] as Review) ?? { status: 404, body: 'no such hook' };
  if ('hang' in answer) return;
  if ('status' in answer) {
    response.writeHead(answer.status).end(answer.body);
    return;
  }
  const { kind, apiVersion } = review;
  const uid = (review['request'] as Review)['uid'] as string;
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ kind, apiVersion, response: { uid, ...answer.response } }));
}

/** A JSON patch as a mutating webhook returns it. */
export function patchAnswer(patch: readonly object[]): Answer {
  return {
    response: { allowed: true, patchType: 'JSONPatch', patch: Buffer.from(JSON.stringify(patch)).toString('base64') },
  };
}
