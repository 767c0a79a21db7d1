import type { AuthenticationRequest } from './authenticator.ts';

/** Every value of a header, in order. `name` is lower case. */
export function headerValues(request: AuthenticationRequest, name: string): readonly string[] {
  const value = request.headers[name];
  if (value === undefined) return [];
  const { rawHeaders } = request;
  if (!rawHeaders) return typeof value === 'string' ? [value] : value;
  const values: string[] = [];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    if ((rawHeaders[i] as string).toLowerCase() === name) values.push(rawHeaders[i + 1] as string);
  }
  return values.length > 0 ? values : typeof value === 'string' ? [value] : value;
}

/** Headers whose lower-case name starts with the prefix, as unescaped rest-of-name and values. */
export function prefixedHeaders(request: AuthenticationRequest, prefix: string): [string, readonly string[]][] {
  const found: [string, readonly string[]][] = [];
  for (const name in request.headers) {
    if (name.startsWith(prefix)) found.push([unescapeKey(name.slice(prefix.length)), headerValues(request, name)]);
  }
  return found;
}

function unescapeKey(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    // Written unescaped by older clients; the name itself is the best reading.
    return key;
  }
}

/** More than this is not a token anybody issued. */
const maxTokenLength = 64 * 1024;
const webSocketPrefix = 'base64url.bearer.authorization.k8s.io.';

/** The bearer token of `Authorization`, or of a WebSocket subprotocol (browsers cannot set headers there). */
export function bearerToken(request: AuthenticationRequest): string | undefined {
  const header = request.headers.authorization;
  if (typeof header === 'string') {
    if (header.length > maxTokenLength || header.slice(0, 7).toLowerCase() !== 'bearer ') return undefined;
    const token = header.slice(7).trim();
    return token === '' ? undefined : token;
  }
  const protocols = request.headers['sec-websocket-protocol'];
  if (typeof protocols !== 'string' || protocols.length > maxTokenLength) return undefined;
  const protocol = protocols.split(',').find((one) => one.trim().startsWith(webSocketPrefix));
  if (!protocol) return undefined;
  const token = Buffer.from(protocol.trim().slice(webSocketPrefix.length), 'base64url').toString('utf8');
  return token === '' ? undefined : token;
}
