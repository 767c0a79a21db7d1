import type { Clock } from '@hypershift-ts/kube-apimachinery';
import { delay, parseGoDuration, systemClock } from '@hypershift-ts/kube-apimachinery';
import type { Fetch } from '@hypershift-ts/fleet-http-client';
import { exchange, isRetryable, retryDelay, TokenFile } from '@hypershift-ts/fleet-http-client';
import type { ApiClientConfig } from '../config/adapter-config.ts';
import type { ApiAnswer, ApiClient, ApiRequest } from './client.ts';
import { ApiCallError } from './client.ts';
import { apiUrl } from './url.ts';

export interface HttpApiClientOptions {
  readonly config: ApiClientConfig;
  /** `hyperfleet-adapter/<version>` unless `HYPERFLEET_USER_AGENT` says otherwise. */
  readonly userAgent: string;
  readonly clock?: Clock;
  readonly random?: () => number;
  readonly fetch?: Fetch;
}

/** Calls the API over HTTP, with retries where they can help. */
export class HttpApiClient implements ApiClient {
  private readonly options: HttpApiClientOptions;
  private readonly clock: Clock;
  private readonly token: TokenFile | undefined;

  constructor(options: HttpApiClientOptions) {
    this.options = options;
    this.clock = options.clock ?? systemClock;
    const { auth } = options.config;
    this.token = auth && new TokenFile(auth.token_path, parseGoDuration(auth.token_cache_ttl) ?? 0, this.clock);
  }

  async call(request: ApiRequest, signal?: AbortSignal): Promise<ApiAnswer> {
    const { config, random = Math.random } = this.options;
    const rule = {
      kind: request.backoff ?? config.retry_backoff,
      baseMs: parseGoDuration(config.base_delay) ?? 1000,
      maxMs: parseGoDuration(config.max_delay) ?? 30_000,
    };
    const most = Math.max(1, request.attempts ?? config.retry_attempts);
    for (let attempt = 1; ; attempt++) {
      const outcome = await this.attempt(request, attempt, signal);
      if (!(outcome instanceof ApiCallError)) return outcome;
      if (attempt >= most || !isRetryable(outcome.status) || signal?.aborted) throw outcome;
      await delay(this.clock, retryDelay(rule, attempt, random), signal);
      if (signal?.aborted) throw outcome;
    }
  }

  private async attempt(request: ApiRequest, attempt: number, signal?: AbortSignal): Promise<ApiAnswer | ApiCallError> {
    const { method } = request;
    const { url, isOwn } = this.address(request.url);
    const fail = (status: number, body?: string, cause?: unknown): ApiCallError =>
      new ApiCallError({ method, url, status, attempts: attempt, ...(body === undefined ? {} : { body }), cause });
    try {
      const { fetch, config } = this.options;
      const { status, body } = await exchange({
        method,
        url,
        headers: await this.headers(request, isOwn),
        timeoutMs: request.timeoutMs ?? parseGoDuration(config.timeout) ?? 10_000,
        ...(request.body === undefined ? {} : { body: request.body }),
        ...(signal ? { signal } : {}),
        ...(fetch ? { fetch } : {}),
      });
      return status >= 200 && status < 300 ? { status, body, attempts: attempt } : fail(status, body);
    } catch (error) {
      return fail(0, undefined, error);
    }
  }

  private address(url: string): { readonly url: string; readonly isOwn: boolean } {
    const { base_url: baseUrl, version } = this.options.config;
    const path = apiUrl(url, { version, ...(baseUrl === undefined ? {} : { baseUrl }) });
    if (!path.startsWith('/')) return { url: path, isOwn: false };
    if (baseUrl === undefined)
      throw new Error('clients.hyperfleet_api.base_url is not set; set it or HYPERFLEET_API_BASE_URL');
    return { url: `${baseUrl.replace(/\/+$/, '')}${path}`, isOwn: true };
  }

  /** The token and the default headers are for the API only: another host must not see them. */
  private async headers(request: ApiRequest, isOwn: boolean): Promise<Record<string, string>> {
    const headers = new Headers({ accept: 'application/json', 'user-agent': this.options.userAgent });
    if (request.body !== undefined) headers.set('content-type', 'application/json');
    if (isOwn) {
      for (const [name, value] of Object.entries(this.options.config.default_headers ?? {})) headers.set(name, value);
      if (this.token) headers.set('authorization', `Bearer ${await this.token.token()}`);
    }
    for (const [name, value] of Object.entries(request.headers ?? {})) headers.set(name, value);
    return Object.fromEntries(headers);
  }
}
