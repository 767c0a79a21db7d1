import { Agent, type RequestOptions, request as httpsRequest } from 'node:https';
import type { Clock } from '@hypershift-ts/kube-apimachinery';
import type { Lookup } from '../lookup.ts';
import { type ClientConfig, type Endpoint, endpointOf, webhookUrl } from './endpoint.ts';
import { failureText } from './failure-text.ts';

export type { ClientConfig } from './endpoint.ts';

/** Answers larger than this are an attack or a mistake: an object has at most 3 MiB, a patch of it not much more. */
const maxAnswerBytes = 8 * 1024 * 1024;
const maxErrorText = 1024;

export interface WebhookCall {
  readonly body: object;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** Posts reviews to webhooks over TLS and keeps the connections for the next ones. */
export class WebhookClient {
  private readonly lookup: Lookup;
  private readonly clock: Clock;
  private readonly random: () => number;
  private readonly agents = new Map<string, Agent>();

  constructor({ lookup, clock, random }: { lookup: Lookup; clock: Clock; random: () => number }) {
    this.lookup = lookup;
    this.clock = clock;
    this.random = random;
  }

  /** The parsed answer. Fails with a message in kube-apiserver's words. */
  async post(config: ClientConfig, { body, timeoutMs, signal }: WebhookCall): Promise<unknown> {
    const url = webhookUrl(config);
    url.searchParams.set('timeout', `${timeoutMs / 1000}s`);
    const deadline = new AbortController();
    const cancel = this.clock.after(timeoutMs, () => deadline.abort());
    const stop = signal ? AbortSignal.any([deadline.signal, signal]) : deadline.signal;
    let at: Endpoint | undefined;
    try {
      at = await endpointOf(config, this.lookup, this.random);
      const answer = await this.exchange(at, url, config, JSON.stringify(body), stop);
      return parseAnswer(answer);
    } catch (error) {
      if (error instanceof AnswerError) throw new Error(error.message, { cause: error });
      const why = stop.aborted
        ? deadline.signal.aborted
          ? 'context deadline exceeded'
          : 'context canceled'
        : failureText(error, { host: at?.host ?? '', port: at?.port ?? 0, serverName: url.hostname });
      throw new Error(`Post ${JSON.stringify(shown(url, config))}: ${why}`, { cause: error });
    } finally {
      cancel();
    }
  }

  /** Closes the connections that are kept. */
  close(): void {
    for (const agent of this.agents.values()) agent.destroy();
    this.agents.clear();
  }

  private async exchange(
    at: Endpoint,
    url: URL,
    config: ClientConfig,
    body: string,
    signal: AbortSignal,
  ): Promise<Answer> {
    try {
      return await this.send(at, url, config, body, signal);
    } catch (error) {
      // The other side may close a kept connection just as we use it; that says nothing about the webhook.
      if (!(error instanceof StaleConnection)) throw error;
      return this.send(at, url, config, body, signal);
    }
  }

  private send(at: Endpoint, url: URL, config: ClientConfig, body: string, signal: AbortSignal): Promise<Answer> {
    const options: RequestOptions = {
      agent: this.agentFor(config.caBundle ?? ''),
      host: at.host,
      port: at.port,
      path: url.pathname + url.search,
      method: 'POST',
      headers: {
        host: url.host,
        'content-type': 'application/json',
        accept: 'application/json',
        'content-length': Buffer.byteLength(body),
        'user-agent': 'kube-apiserver-admission',
      },
      signal,
      ...(at.serverName ? { servername: at.serverName } : {}),
      ...(config.caBundle ? { ca: Buffer.from(config.caBundle, 'base64') } : {}),
    };
    return new Promise((resolve, reject) => {
      const request = httpsRequest(options, (response) => {
        const chunks: Buffer[] = [];
        let size = 0;
        response.on('data', (chunk: Buffer) => {
          size += chunk.length;
          if (size > maxAnswerBytes) request.destroy(new AnswerError('the answer of the webhook is too large'));
          else chunks.push(chunk);
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }));
        response.on('error', reject);
      });
      request.on('error', (error: NodeJS.ErrnoException) => {
        const stale = request.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
        reject(stale ? new StaleConnection() : error);
      });
      request.end(body);
    });
  }

  private agentFor(caBundle: string): Agent {
    let agent = this.agents.get(caBundle);
    if (!agent) {
      // Bundles change with rotation; agents of old ones must not pile up.
      if (this.agents.size >= 256) this.close();
      agent = new Agent({ keepAlive: true, maxFreeSockets: 4, timeout: 60_000, scheduling: 'lifo' });
      this.agents.set(caBundle, agent);
    }
    return agent;
  }
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

class StaleConnection extends Error {}
/** The webhook answered, but not with what was asked for. */
class AnswerError extends Error {}

function parseAnswer({ status, text }: Answer): unknown {
  if (status === 404) throw new AnswerError('the server could not find the requested resource');
  if (status < 200 || status >= 300)
    throw new AnswerError(
      `an error on the server (${JSON.stringify(text.slice(0, maxErrorText).trim() || 'unknown')}) has prevented the request from succeeding`,
    );
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new AnswerError(`couldn't get version/kind; json parse error: ${(error as Error).message}`);
  }
}

/** Services are always named with their port, also when it is the usual one. */
function shown(url: URL, { service }: ClientConfig): string {
  return service && url.port === '' ? url.href.replace(url.host, `${url.host}:443`) : url.href;
}
