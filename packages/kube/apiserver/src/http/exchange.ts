import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { statusErrors } from '@hypershift-ts/kube-apimachinery';

export type AnyRequest = IncomingMessage | Http2ServerRequest;
export type AnyResponse = ServerResponse | Http2ServerResponse;

const compress = promisify(gzip);
/** Upstream compresses answers from this size on. */
const gzipThreshold = 128 * 1024;

/** One request and its answer, over HTTP/1.1 or HTTP/2. */
export class Exchange {
  readonly request: AnyRequest;
  readonly response: AnyResponse;
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  private readonly warnings = new Set<string>();

  constructor(request: AnyRequest, response: AnyResponse) {
    this.request = request;
    this.response = response;
    this.method = request.method ?? 'GET';
    const url = request.url ?? '/';
    const mark = url.indexOf('?');
    this.path = mark < 0 ? url : url.slice(0, mark);
    this.query = new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1));
  }

  header(name: string): string | undefined {
    const value = this.request.headers[name];
    return Array.isArray(value) ? value.join(',') : value;
  }

  /** Query parameter, '' when absent. */
  param(name: string): string {
    return this.query.get(name) ?? '';
  }

  flag(name: string): boolean {
    const value = this.query.get(name);
    // Upstream takes everything but these two for true.
    return value !== null && value !== 'false' && value !== '0';
  }

  warn(text: string): void {
    // Headers are ASCII; a warning must not be able to break out of its quotes.
    if (this.warnings.size < 100) this.warnings.add(text.slice(0, 1024));
  }

  /** True once an answer has begun; errors after that can only cut the connection. */
  get started(): boolean {
    return this.response.headersSent;
  }

  begin(status: number, headers: Record<string, string>): void {
    this.response.statusCode = status;
    for (const [name, value] of Object.entries(headers)) this.response.setHeader(name, value);
    this.response.setHeader('cache-control', headers['cache-control'] ?? 'no-cache, private');
    if (this.warnings.size > 0)
      this.response.setHeader(
        'warning',
        [...this.warnings].map((text) => `299 - ${quoted(text)}`),
      );
  }

  async send(
    status: number,
    contentType: string,
    body: string | Uint8Array,
    headers: Record<string, string> = {},
  ): Promise<void> {
    if (this.response.destroyed || this.response.writableEnded) return;
    let bytes =
      typeof body === 'string' ? Buffer.from(body, 'utf8') : Buffer.from(body.buffer, body.byteOffset, body.byteLength);
    this.begin(status, { 'content-type': contentType, ...headers });
    if (bytes.length >= gzipThreshold && /\bgzip\b/.test(this.header('accept-encoding') ?? '')) {
      bytes = await compress(bytes, { level: 1 });
      this.response.setHeader('content-encoding', 'gzip');
      this.response.setHeader('vary', 'Accept-Encoding');
    }
    this.response.setHeader('content-length', bytes.length);
    endResponse(this.response, this.method === 'HEAD' ? undefined : bytes);
  }

  json(status: number, value: unknown, headers: Record<string, string> = {}): Promise<void> {
    return this.send(status, 'application/json', JSON.stringify(value), headers);
  }

  /** The whole body; 413 when it is larger than `limit`. */
  readBody(limit: number): Promise<Buffer> {
    const declared = Number(this.header('content-length') ?? 0);
    if (declared > limit) return Promise.reject(statusErrors.tooLarge(limit));
    const { request } = this;
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      let size = 0;
      request.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size <= limit) chunks.push(chunk);
        else {
          request.pause();
          reject(statusErrors.tooLarge(limit));
        }
      });
      request.on('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
      request.on('error', () => reject(statusErrors.badRequest('the request body ended early')));
      request.on('aborted', () => reject(statusErrors.badRequest('the request was aborted by the client')));
    });
  }
}

function endResponse(response: AnyResponse, body: Buffer | undefined): void {
  if (body === undefined) response.end();
  else (response as ServerResponse).end(body);
}

/** A quoted-string of RFC 7234: printable ASCII, quotes and backslashes escaped, the rest dropped. */
function quoted(text: string): string {
  return `"${text.replace(/[^\x20-\x7e]/g, ' ').replace(/["\\]/g, '\\$&')}"`;
}
