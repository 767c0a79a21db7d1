import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { StatusError } from '@hypershift-ts/kube-apimachinery';
import type { WireResponse } from './wire.ts';
import { WireError } from './wire.ts';

const gunzipped = promisify(gunzip);

/** The whole body as text; refuses more than `limit` bytes, compressed or not. */
export async function readText(response: WireResponse, limit: number): Promise<string> {
  const bytes = await readAll(response.body, limit);
  if (response.headers['content-encoding'] !== 'gzip') return bytes.toString('utf8');
  try {
    return (await gunzipped(bytes, { maxOutputLength: limit })).toString('utf8');
  } catch (error) {
    throw new WireError('the compressed answer could not be read', { cause: error });
  }
}

function readAll(body: Readable, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let ended = false;
    body.on('data', (chunk: Buffer) => {
      size += chunk.length;
      chunks.push(chunk);
      if (size <= limit) return;
      body.destroy();
      reject(new StatusError(500, 'InternalError', `the answer is larger than ${limit} bytes`));
    });
    body.once('end', () => {
      ended = true;
      if (wasCut(body)) return reject(new WireError('the connection was lost in the middle of the answer'));
      resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, size));
    });
    body.once('error', (error) => reject(new WireError(error.message, { cause: error })));
    body.once('close', () => {
      if (!ended) reject(new WireError('the connection was lost in the middle of the answer'));
    });
  });
}

/** HTTP/2 streams report a normal end even when they were reset. */
export function wasCut(body: Readable): boolean {
  const { rstCode, aborted } = body as Readable & { rstCode?: number; aborted?: boolean };
  return aborted === true || (rstCode !== undefined && rstCode !== 0);
}

/** Turns an answer of 400 and above into the StatusError it describes. */
export function errorFrom(response: WireResponse, text: string, what: string): StatusError {
  const retryAfter = Number(response.headers['retry-after']);
  try {
    const parsed = JSON.parse(text);
    if (parsed?.kind === 'Status') return StatusError.fromStatus(parsed, response.status);
  } catch {
    // Not from an API server (a proxy, a load balancer): described below.
  }
  const details = Number.isFinite(retryAfter) && retryAfter > 0 ? { retryAfterSeconds: retryAfter } : undefined;
  const shown = text.trim().slice(0, 200);
  return new StatusError(
    response.status,
    reasons[response.status] ?? (response.status >= 500 ? 'InternalError' : ''),
    `${what}: the server answered ${response.status}${shown === '' ? '' : `: ${shown}`}`,
    details,
  );
}

const reasons: Readonly<Record<number, StatusError['reason']>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  406: 'NotAcceptable',
  409: 'Conflict',
  410: 'Gone',
  413: 'RequestEntityTooLarge',
  415: 'UnsupportedMediaType',
  422: 'Invalid',
  429: 'TooManyRequests',
  503: 'ServiceUnavailable',
  504: 'Timeout',
};
