import { createServer, type Server } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type AdmissionRequest,
  type AdmissionReview,
  type WebhookContext,
  webhooks,
} from '@hypershift-ts/hypershift-api';
import { decodeJson } from '@hypershift-ts/kube-apimachinery';

export interface WebhookServerOptions {
  readonly certificate: string;
  readonly key: string;
  readonly host: string;
  readonly port: number;
  readonly context: WebhookContext;
}

const maxBodyBytes = 6 * 1024 * 1024;
const patienceMs = 10_000;

/** Serves the optional admission webhooks of HostedCluster and NodePool over HTTPS. */
export async function serveWebhooks(
  options: WebhookServerOptions,
): Promise<{ readonly port: number; stop(): Promise<void> }> {
  const server = createServer(
    { cert: options.certificate, key: options.key, minVersion: 'TLSv1.2', requestTimeout: patienceMs },
    (request, response) => {
      answer(options.context, request, response).catch((error: unknown) => {
        response.statusCode = 400;
        response.end(`${error instanceof Error ? error.message : 'the review cannot be read'}\n`);
      });
    },
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  return { port: (server.address() as AddressInfo).port, stop: () => stop(server) };
}

async function answer(context: WebhookContext, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = (request.url ?? '').split('?')[0];
  if (path === '/healthz' || path === '/readyz') return void response.end('ok');
  const webhook = webhooks.find((one) => one.path === path);
  if (!webhook || request.method !== 'POST') {
    response.statusCode = 404;
    return void response.end('no webhook is served here\n');
  }
  const review = decodeJson(await read(request), { maxLength: maxBodyBytes })
    .value as unknown as AdmissionReview<AdmissionRequest>;
  if (!review?.request?.uid) throw new Error('the body is not an AdmissionReview with a request');
  const body = {
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    response: await webhook.review(review.request, context),
  };
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(body));
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBodyBytes) throw new Error(`the review is larger than ${maxBodyBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
