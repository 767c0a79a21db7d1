import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { decodeJson, DecodeError, type JsonObject } from '@hypershift-ts/kube-apimachinery';
import { ApiError, malformed } from '../errors/index.ts';
import { objectBody } from '../resources/index.ts';

/** A request as handlers see it. */
export interface ApiRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly traceId: string;
  /** The JSON object of the body; a 400 problem when there is none. */
  body(): Promise<JsonObject>;
}

const maxBodyBytes = 1024 * 1024;
const maxUrl = 16 * 1024;

/** Splits the address of a request. */
export function addressOf(url: string): { path: string; query: URLSearchParams } {
  if (url.length > maxUrl)
    throw new ApiError('VAL-005', `the URL is longer than ${maxUrl} characters`, { status: 414 });
  const mark = url.indexOf('?');
  return mark < 0
    ? { path: url, query: new URLSearchParams() }
    : { path: url.slice(0, mark), query: new URLSearchParams(url.slice(mark + 1)) };
}

/** Reads the body of a request, within the limit, as a JSON object. */
export async function readBody(incoming: IncomingMessage): Promise<JsonObject> {
  const text = await readText(incoming);
  if (text.trim() === '') throw malformed('Request body is required but was empty');
  // The database keeps no NUL in texts; better a 400 here than a failed statement there.
  if (text.includes('\\u0000')) throw malformed('Invalid request format: texts must not contain NUL characters');
  try {
    return objectBody(decodeJson(text).value);
  } catch (error) {
    if (error instanceof DecodeError) throw malformed(`Invalid request format: ${error.message}`);
    throw error;
  }
}

async function readText(incoming: IncomingMessage): Promise<string> {
  const tooLarge = () =>
    new ApiError('VAL-006', `Request body must be at most ${maxBodyBytes} bytes`, {
      status: 413,
      headers: { connection: 'close' },
    });
  if (Number(incoming.headers['content-length'] ?? 0) > maxBodyBytes) throw tooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of incoming as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBodyBytes) break;
      chunks.push(chunk);
    }
  } catch (cause) {
    throw new ApiError('VAL-006', undefined, { cause });
  }
  if (size > maxBodyBytes) throw tooLarge();
  return Buffer.concat(chunks).toString('utf8');
}
