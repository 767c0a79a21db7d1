import type { ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { JsonValue } from '@hypershift-ts/kube-apimachinery';
import { type ApiError, problemBody } from '../errors/index.ts';
import { instantFromMs, wireTime } from '../instant.ts';

/** What a handler answers. */
export interface ApiResponse {
  readonly status: number;
  readonly body?: JsonValue;
  /** Instead of JSON. */
  readonly text?: { readonly contentType: string; readonly content: string };
  readonly headers?: Readonly<Record<string, string>>;
}

const compress = promisify(gzip);
/** Below this, compressing costs more than it saves. */
const compressFrom = 1024;

export function problemResponse(error: ApiError, path: string, traceId: string, nowMs: number): ApiResponse {
  const problem = problemBody(error, { path, traceId, now: wireTime(instantFromMs(nowMs)) });
  return {
    status: error.status,
    text: { contentType: 'application/problem+json', content: JSON.stringify(problem) },
    headers: error.headers,
  };
}

export interface SendOptions {
  readonly acceptEncoding: string;
  readonly traceId: string;
  readonly headOnly: boolean;
}

/** Writes an answer, compressed when the client takes it and it is worth it. */
export async function send(outgoing: ServerResponse, response: ApiResponse, options: SendOptions): Promise<void> {
  const { contentType, content } =
    response.text ??
    (response.body === undefined
      ? { contentType: undefined, content: '' }
      : { contentType: 'application/json', content: JSON.stringify(response.body) });
  outgoing.statusCode = response.status;
  outgoing.setHeader('vary', 'Authorization, Accept-Encoding');
  outgoing.setHeader('x-request-id', options.traceId);
  outgoing.setHeader('x-content-type-options', 'nosniff');
  for (const [name, value] of Object.entries(response.headers ?? {})) outgoing.setHeader(name, value);
  if (contentType === undefined) {
    outgoing.end();
    return;
  }
  outgoing.setHeader('content-type', contentType);
  const wantsGzip = /\bgzip\b(?!\s*;\s*q=0(\.0+)?(,|$))/.test(options.acceptEncoding);
  const isWorth = wantsGzip && content.length >= compressFrom;
  const payload = isWorth ? await compress(content) : Buffer.from(content);
  if (isWorth) outgoing.setHeader('content-encoding', 'gzip');
  outgoing.setHeader('content-length', payload.length);
  outgoing.end(options.headOnly ? undefined : payload);
}
