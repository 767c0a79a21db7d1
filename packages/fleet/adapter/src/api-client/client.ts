import type { RetryBackoff } from '@hypershift-ts/fleet-http-client';
import { isRetryable } from '@hypershift-ts/fleet-http-client';
import type { HttpMethod } from '../config/task-config.ts';

/** A call with everything rendered. */
export interface ApiRequest {
  readonly method: HttpMethod;
  /** Absolute, or relative to the API. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly timeoutMs?: number;
  /** Attempts in all; at least one is made. */
  readonly attempts?: number;
  readonly backoff?: RetryBackoff;
}

export interface ApiAnswer {
  readonly status: number;
  readonly body: string;
  readonly attempts: number;
}

/** How a run reaches the HyperFleet API and other HTTP services. Throws `ApiCallError` unless the answer is 2xx. */
export interface ApiClient {
  call(request: ApiRequest, signal?: AbortSignal): Promise<ApiAnswer>;
}

export interface ApiFailure {
  readonly method: string;
  readonly url: string;
  /** 0 when no answer came. */
  readonly status: number;
  readonly body?: string;
  readonly attempts: number;
  readonly cause?: unknown;
}

const mostOfBody = 512;

/** A call that was refused or got no answer. */
export class ApiCallError extends Error {
  override readonly name = 'ApiCallError';
  readonly method: string;
  readonly url: string;
  readonly status: number;
  readonly body: string;
  readonly attempts: number;
  /** The `code` of an RFC 9457 problem, e.g. `HYPERFLEET-NTF-001`. */
  readonly code: string | undefined;

  constructor({ method, url, status, body = '', attempts, cause }: ApiFailure) {
    const { code, detail } = problemOf(body);
    const said = detail ?? (body === '' ? undefined : body.slice(0, mostOfBody));
    const what =
      status === 0 ? `no answer (${cause instanceof Error ? cause.message : 'unknown cause'})` : `HTTP ${status}`;
    const many = attempts > 1 ? ` after ${attempts} attempts` : '';
    super(`${method} ${url}: ${what}${many}${said === undefined ? '' : `: ${said}`}`, { cause });
    this.method = method;
    this.url = url;
    this.status = status;
    this.body = body;
    this.attempts = attempts;
    this.code = code;
  }

  /** The resource is gone. A 404 for a path that the API does not have is a mistake instead. */
  get isResourceGone(): boolean {
    return this.status === 404 && this.code !== 'HYPERFLEET-NTF-000';
  }

  /** Trying later may help. */
  get isTransient(): boolean {
    return isRetryable(this.status);
  }
}

function problemOf(body: string): { readonly code?: string; readonly detail?: string } {
  try {
    const problem = JSON.parse(body) as { code?: unknown; detail?: unknown } | null;
    return {
      ...(typeof problem?.code === 'string' ? { code: problem.code } : {}),
      ...(typeof problem?.detail === 'string' ? { detail: problem.detail } : {}),
    };
  } catch {
    return {};
  }
}
