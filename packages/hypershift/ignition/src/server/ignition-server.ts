import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Clock } from '@hypershift-ts/kube-apimachinery';
import { corev1, systemClock } from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';
import type { EventRecorder, Logger } from '@hypershift-ts/kube-controller';
import { silentLogger } from '@hypershift-ts/kube-controller';
import type { ServedRollout, TokenIndex } from '../payload-cache/token-index.ts';
import { tokenAnnotation } from '../token/names.ts';
import { answer } from './answer.ts';
import type { IgnitionMetrics } from './metrics.ts';
import { RefusalBudget } from './refusal-budget.ts';

/** PEM of the serving certificate and its key. */
export interface ServingCertificate {
  readonly cert: string;
  readonly key: string;
}

export interface IgnitionServerOptions {
  readonly host?: string;
  /** 9090 when absent; 0: a free port. */
  readonly port?: number;
  readonly certificate: ServingCertificate;
  readonly index: TokenIndex;
  readonly client: Client;
  readonly events: EventRecorder;
  readonly metrics: IgnitionMetrics;
  readonly clock?: Clock;
  readonly log?: Logger;
  readonly maxConnections?: number;
  readonly refusalsPerSecond?: number;
}

const readTimeoutMs = 5000;
const writeTimeoutMs = 10_000;
const drainMs = 5000;
const ciphers = [
  'TLS_AES_128_GCM_SHA256',
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
].join(':');

/** Gives machines their payload over HTTPS (1.1 only, TLS 1.2 and up). */
export class IgnitionServer {
  private readonly options: IgnitionServerOptions;
  private readonly server: Server;
  private readonly clock: Clock;
  private readonly log: Logger;
  private readonly budget: RefusalBudget;
  /** Rollouts whose first success is being written: one write each, not one for every machine. */
  private readonly reaching = new WeakSet<ServedRollout>();
  private readonly background = new Set<Promise<void>>();

  constructor(options: IgnitionServerOptions) {
    this.options = options;
    this.clock = options.clock ?? systemClock;
    this.log = options.log ?? silentLogger;
    const rate = options.refusalsPerSecond ?? 100;
    this.budget = new RefusalBudget(this.clock, rate, rate * 2);
    this.server = createServer(
      {
        ...options.certificate,
        minVersion: 'TLSv1.2',
        ciphers,
        ALPNProtocols: ['http/1.1'],
        handshakeTimeout: readTimeoutMs,
        requestTimeout: readTimeoutMs,
        headersTimeout: readTimeoutMs,
        keepAliveTimeout: readTimeoutMs,
        // Node looks for slow clients only every 30 s by itself.
        connectionsCheckingInterval: 1000,
        maxHeaderSize: 16 * 1024,
      },
      (request, response) => this.handle(request, response),
    );
    this.server.maxConnections = options.maxConnections ?? 2048;
    // Whoever connects may send anything; their broken handshakes are not our errors.
    this.server.on('tlsClientError', (error) => this.log.debug({ err: error }, 'TLS handshake failed'));
  }

  /** Resolves with the port once machines can connect. */
  listen(): Promise<number> {
    return new Promise((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(this.options.port ?? 9090, this.options.host ?? '0.0.0.0', () => {
        this.server.off('error', reject);
        resolve((this.server.address() as AddressInfo).port);
      });
    });
  }

  /** New connections use this certificate. */
  renewCertificate(certificate: ServingCertificate): void {
    this.server.setSecureContext({ ...certificate, minVersion: 'TLSv1.2', ciphers });
  }

  /** Takes no new connections, lets running answers finish, then ends the rest. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    this.server.closeIdleConnections();
    const cancel = this.clock.after(drainMs, () => this.server.closeAllConnections());
    await closed;
    cancel();
    await Promise.all(this.background);
  }

  private handle(request: IncomingMessage, response: ServerResponse): void {
    // Nobody needs to send a body here; not reading it is the limit on its size.
    if (request.headers['content-length'] ?? request.headers['transfer-encoding'])
      response.setHeader('Connection', 'close');
    // The whole answer must be taken in time, not only begun.
    const cancel = this.clock.after(writeTimeoutMs, () => response.destroy());
    response.once('close', cancel);
    const path = (request.url ?? '/').split('?')[0] ?? '/';
    if (path === '/healthz') return void response.writeHead(200).end();
    const { authorization } = request.headers;
    const result = answer(decoded(path), authorization, this.options.index, this.clock.now());
    const { status, text, refused, rollout } = result;
    if (refused) this.refuse(response, status, text, refused, rollout);
    else if (rollout?.payload) this.serve(response, rollout, rollout.payload);
  }

  private serve(response: ServerResponse, rollout: ServedRollout, payload: Buffer): void {
    response.writeHead(200, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': payload.length });
    response.end(payload);
    this.options.metrics.requests.inc({ nodePool: rollout.nodePool });
    this.options.events.normal(secretRef(rollout), 'GetPayload', '');
    if (rollout.reached || this.reaching.has(rollout)) return;
    this.reaching.add(rollout);
    const task = this.markReached(rollout).finally(() => this.background.delete(task));
    this.background.add(task);
  }

  private refuse(
    response: ServerResponse,
    status: number,
    text: string,
    reason: string,
    rollout: ServedRollout | undefined,
  ): void {
    this.options.metrics.refusals.inc({ reason });
    // Only holders of a token are worth an Event; anybody else could fill the cluster with them.
    if (rollout) {
      const message = status === 500 ? 'Invalid ignition payload' : 'Token not found in cache';
      this.options.events.warning(secretRef(rollout), 'GetPayloadFailed', message);
    } else if (!this.budget.take()) {
      return void response.writeHead(503, { 'Retry-After': '1', Connection: 'close' }).end();
    }
    response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', 'X-Content-Type-Options': 'nosniff' });
    response.end(text);
  }

  /** Tells the pool that a machine of this rollout got through. */
  private async markReached(rollout: ServedRollout): Promise<void> {
    const { namespace, secret } = rollout;
    const body = { metadata: { annotations: { [tokenAnnotation.ignitionReached]: 'True' } } };
    try {
      await this.options.client.patch(corev1.secrets, { namespace, name: secret }, { type: 'merge', body });
    } catch (error) {
      // The next machine tries again.
      this.reaching.delete(rollout);
      this.log.warn({ err: error, secret }, 'the token Secret could not be marked as reached');
    }
  }
}

const secretRef = ({ namespace, secret, uid }: ServedRollout) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { namespace, name: secret, uid },
});

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return '';
  }
}
