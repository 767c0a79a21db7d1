import type { Clock, JsonObject } from '@hypershift-ts/kube-apimachinery';
import { delay, errorMessage, isJsonObject, parseGoDuration, systemClock } from '@hypershift-ts/kube-apimachinery';
import type { Fetch } from '@hypershift-ts/fleet-http-client';
import { exchange, isRetryable, retryDelay, TokenFile } from '@hypershift-ts/fleet-http-client';
import type { SentinelConfig } from '../config/sentinel-config.ts';

/** The search that selects by labels; empty when everything is selected. */
export function selectorSearch(selector: SentinelConfig['resource_selector']): string {
  return selector.map(({ label, value }) => `labels.${label}='${value.replaceAll("'", "''")}'`).join(' and ');
}

/** A poll that failed. */
export class ListError extends Error {
  override readonly name = 'ListError';
  /** 0 when no answer came. */
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }

  get kind(): 'auth_error' | 'fetch_error' {
    return this.status === 401 || this.status === 403 ? 'auth_error' : 'fetch_error';
  }
}

export interface ResourceListOptions {
  readonly config: SentinelConfig;
  readonly userAgent: string;
  readonly clock?: Clock;
  readonly random?: () => number;
  readonly fetch?: Fetch;
}

const rule = { kind: 'exponential', baseMs: 500, maxMs: 8000 } as const;
const patienceMs = 30_000;
/** The API answers larger pages with 400, whatever configurations say. */
const largestPage = 100;
const mostPages = 100_000;

/** Lists the resources that a Sentinel is responsible for. */
export class ResourceList {
  private readonly options: ResourceListOptions;
  private readonly clock: Clock;
  private readonly token: TokenFile | undefined;

  constructor(options: ResourceListOptions) {
    this.options = options;
    this.clock = options.clock ?? systemClock;
    const { auth } = options.config.clients.hyperfleet_api;
    this.token = auth && new TokenFile(auth.token_path, parseGoDuration(auth.token_cache_ttl) ?? 0, this.clock);
  }

  /** Asks for nothing, to find out whether the API can be asked. Throws `ListError`. */
  async probe(signal?: AbortSignal): Promise<void> {
    await this.page(1, 1, "id='hyperfleet-sentinel-probe'", signal);
  }

  /** Every resource, page by page, oldest first, so that what is created meanwhile comes last. */
  async *resources(signal?: AbortSignal): AsyncGenerator<JsonObject> {
    const { config } = this.options;
    const size = Math.min(config.clients.hyperfleet_api.page_size, largestPage);
    const search = selectorSearch(config.resource_selector);
    let seen = 0;
    for (let page = 1; page <= mostPages; page++) {
      const { items, total } = await this.page(page, size, search, signal);
      yield* items;
      seen += items.length;
      if (items.length < size || seen >= total) return;
    }
  }

  private async page(
    page: number,
    size: number,
    search: string,
    signal: AbortSignal | undefined,
  ): Promise<{ readonly items: readonly JsonObject[]; readonly total: number }> {
    const { resource_type: type, clients } = this.options.config;
    const { base_url: base, version } = clients.hyperfleet_api;
    const query = new URLSearchParams({ page: String(page), size: String(size), order: 'id asc' });
    if (search !== '') query.set('search', search);
    const url = `${base.replace(/\/+$/, '')}/api/hyperfleet/${version}/${type}?${query.toString()}`;
    const body = await this.get(url, signal);
    const list = parsed(body);
    const items = list?.['items'];
    if (!list || !Array.isArray(items)) throw new ListError(`GET ${url}: the answer is no list`, 200);
    const total = typeof list['total'] === 'number' ? list['total'] : Number.POSITIVE_INFINITY;
    return { items: (items as readonly unknown[]).filter(isJsonObject), total };
  }

  /** Repeats what may pass, for at most half a minute. */
  private async get(url: string, signal: AbortSignal | undefined): Promise<string> {
    const until = this.clock.now() + patienceMs;
    for (let attempt = 1; ; attempt++) {
      const outcome = await this.attempt(url, signal);
      if (typeof outcome === 'string') return outcome;
      const wait = retryDelay(rule, attempt, this.options.random ?? Math.random);
      if (!isRetryable(outcome.status) || signal?.aborted || this.clock.now() + wait > until) throw outcome;
      await delay(this.clock, wait, signal);
    }
  }

  private async attempt(url: string, signal: AbortSignal | undefined): Promise<string | ListError> {
    const { fetch, userAgent, config } = this.options;
    try {
      const token = await this.token?.token();
      const { status, body } = await exchange({
        method: 'GET',
        url,
        headers: {
          accept: 'application/json',
          'user-agent': userAgent,
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        },
        timeoutMs: parseGoDuration(config.clients.hyperfleet_api.timeout) ?? 10_000,
        ...(signal ? { signal } : {}),
        ...(fetch ? { fetch } : {}),
      });
      if (status >= 200 && status < 300) return body;
      return new ListError(`GET ${url}: HTTP ${status}: ${body.slice(0, 512)}`, status);
    } catch (error) {
      return new ListError(`GET ${url}: no answer (${errorMessage(error)})`, 0);
    }
  }
}

function parsed(body: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
