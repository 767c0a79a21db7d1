/** One HTTP exchange; the global `fetch` fits. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface ExchangeRequest {
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  readonly fetch?: Fetch;
}

export interface ExchangeAnswer {
  readonly status: number;
  readonly body: string;
}

const longestAnswer = 16 * 1024 * 1024;

/** Sends a request and reads the whole answer, within limits of time and size. Throws the cause when none came. */
export async function exchange(request: ExchangeRequest): Promise<ExchangeAnswer> {
  const { method, url, headers = {}, body, timeoutMs, signal } = request;
  const limit = AbortSignal.timeout(timeoutMs);
  try {
    const response = await (request.fetch ?? fetch)(url, {
      method,
      headers,
      redirect: 'error',
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
      ...(body === undefined ? {} : { body }),
    });
    return { status: response.status, body: await limitedText(response) };
  } catch (error) {
    throw causeOf(error);
  }
}

/** Whether another attempt may do better: no answer (0), a timeout, too many requests, or trouble at the other end. */
export function isRetryable(status: number): boolean {
  return status === 0 || status === 408 || status === 429 || status >= 500;
}

async function limitedText(response: Response): Promise<string> {
  if (Number(response.headers.get('content-length') ?? 0) > longestAnswer) throw new Error('the answer is too long');
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    if (text.length > longestAnswer) throw new Error('the answer is too long');
  }
  return text + decoder.decode();
}

/** `fetch failed` says nothing; its cause does. */
function causeOf(error: unknown): unknown {
  return error instanceof TypeError && error.cause instanceof Error ? error.cause : error;
}
