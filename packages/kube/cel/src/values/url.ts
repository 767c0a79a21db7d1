import { parseIP } from '@hypershift-ts/kube-apimachinery';
import { OpaqueValue } from './value.ts';

/** Why a text is not an absolute URL, in Go's words. */
export class UrlFailure {
  readonly message: string;
  constructor(text: string, reason: string) {
    this.message = `parse ${JSON.stringify(text)}: ${reason}`;
  }
}

const UNRESERVED = /[A-Za-z0-9\-_.~]/;

/** A URL as Go's net/url reads it; browsers' rules would accept and rewrite more. */
export class CelUrl extends OpaqueValue {
  readonly typeName = 'kubernetes.URL';
  readonly scheme: string;
  readonly host: string;
  readonly escapedPath: string;
  readonly query: string;
  private readonly text: string;

  constructor(text: string, parts: { scheme: string; host: string; escapedPath: string; query: string }) {
    super();
    this.text = text;
    this.scheme = parts.scheme;
    this.host = parts.host;
    this.escapedPath = parts.escapedPath;
    this.query = parts.query;
  }

  get hostname(): string {
    const bare = this.host.replace(/:\d*$/, (port) =>
      this.host.startsWith('[') && !this.host.includes(']:') ? port : '',
    );
    return bare.startsWith('[') && bare.endsWith(']') ? bare.slice(1, -1) : bare;
  }

  get port(): string {
    return /^(?:\[[^\]]*\]|[^:]*):(\d*)$/.exec(this.host)?.[1] ?? '';
  }

  equals(other: OpaqueValue): boolean {
    return other instanceof CelUrl && this.text === other.text;
  }
}

/** Why a text is neither an absolute URL nor an absolute path, if so. Fragments are not known here, as in requests. */
export function requestUrlProblem(text: string): UrlFailure | undefined {
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  if (/[\u0000-\u001f\u007f]/.test(text)) return new UrlFailure(text, 'net/url: invalid control character in URL');
  if (text === '') return new UrlFailure(text, 'empty url');
  if (text === '*') return undefined;
  const scheme = schemeOf(text);
  if (scheme === undefined) return new UrlFailure(text, 'missing protocol scheme');
  const rest = withoutScheme(text, scheme);
  if (!rest.startsWith('/')) return scheme === '' ? new UrlFailure(text, 'invalid URI for request') : undefined;
  const { authority, path } = pathOf(rest, scheme !== '');
  const host = hostOf(authority);
  if (typeof host !== 'string') return new UrlFailure(text, host.reason);
  return badEscape(text, cut(path, '?')[0]);
}

/** Parses an absolute URL or absolute path. Returns why not when it is neither. */
export function parseRequestUrl(text: string): CelUrl | UrlFailure {
  const problem = requestUrlProblem(text);
  if (problem) return problem;
  if (text === '*') return new CelUrl(text, { scheme: '', host: '', escapedPath: '*', query: '' });
  const scheme = schemeOf(text)!;
  const [rest, fragment] = cut(withoutScheme(text, scheme), '#');
  const broken = badEscape(text, fragment);
  if (broken) return broken;
  const lowerScheme = scheme.toLowerCase();
  if (!rest.startsWith('/'))
    return new CelUrl(text, { scheme: lowerScheme, host: '', escapedPath: '', query: cut(rest, '?')[1] });
  const { authority, path } = pathOf(rest, scheme !== '' || !rest.startsWith('///'));
  const host = hostOf(authority);
  if (typeof host !== 'string') return new UrlFailure(text, host.reason);
  const [pathPart, query] = cut(path, '?');
  return new CelUrl(text, { scheme: lowerScheme, host, escapedPath: escapedPath(pathPart), query });
}

function withoutScheme(text: string, scheme: string): string {
  return scheme === '' ? text : text.slice(scheme.length + 1);
}

function badEscape(text: string, part: string): UrlFailure | undefined {
  const found = /%(?![0-9A-Fa-f]{2}).{0,2}/.exec(part);
  return found ? new UrlFailure(text, `invalid URL escape ${JSON.stringify(found[0])}`) : undefined;
}

function cut(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

/** The scheme, empty when there is none, undefined when the text starts with a colon. */
function schemeOf(text: string): string | undefined {
  if (text.startsWith(':')) return undefined;
  return /^([A-Za-z][A-Za-z0-9+\-.]*):/.exec(text)?.[1] ?? '';
}

function pathOf(text: string, mayHaveAuthority: boolean): { authority: string; path: string } {
  if (!mayHaveAuthority || !text.startsWith('//')) return { authority: '', path: text };
  const end = /[/?]/.exec(text.slice(2))?.index;
  if (end === undefined) return { authority: text.slice(2), path: '' };
  return { authority: text.slice(2, end + 2), path: text.slice(end + 2) };
}

/** The host of an authority, after checking it and the user info before it. */
function hostOf(authority: string): string | { reason: string } {
  const at = authority.lastIndexOf('@');
  if (at !== -1 && !/^(?:[A-Za-z0-9\-._:~!$&'()*+,;=@]|%[0-9A-Fa-f]{2})*$/.test(authority.slice(0, at))) {
    return { reason: 'net/url: invalid userinfo' };
  }
  const host = authority.slice(at + 1);
  if (host.startsWith('[')) {
    const end = host.lastIndexOf(']');
    if (end === -1) return { reason: "missing ']' in host" };
    if (!isIpv6Literal(host.slice(1, end))) return { reason: 'invalid IP-literal' };
    if (!/^(?::\d*)?$/.test(host.slice(end + 1)))
      return { reason: `invalid port ${JSON.stringify(host.slice(end + 1))} after host` };
    return host.replace('%25', '%');
  }
  if (host.includes('[')) return { reason: 'invalid IP-literal' };
  const colon = host.lastIndexOf(':');
  if (colon !== -1 && !/^:\d*$/.test(host.slice(colon))) {
    return { reason: `invalid port ${JSON.stringify(host.slice(colon))} after host` };
  }
  const escape = /%(?![89A-Fa-f][0-9A-Fa-f]).{0,2}/.exec(host);
  if (escape) return { reason: `invalid URL escape ${JSON.stringify(escape[0])}` };
  const bad = /[ {}|\\^`/?#@]/.exec(host);
  if (bad) return { reason: `invalid character ${JSON.stringify(bad[0])} in host name` };
  return percentDecode(host);
}

function isIpv6Literal(text: string): boolean {
  return parseIP(cut(text, '%25')[0])?.family === 6;
}

function percentDecode(text: string): string {
  if (!text.includes('%')) return text;
  const bytes = Buffer.from(text, 'utf8')
    .toString('latin1')
    .replace(/%([0-9A-Fa-f]{2})/g, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

/** The path as written when that is a valid encoding, otherwise encoded afresh. */
function escapedPath(path: string): string {
  if (/^(?:[A-Za-z0-9\-_.~!$&'()*+,;=:@/[\]]|%[0-9A-Fa-f]{2})*$/.test(path)) return path;
  const bytes = Buffer.from(path, 'utf8')
    .toString('latin1')
    .replace(/%([0-9A-Fa-f]{2})/g, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  let out = '';
  for (const char of bytes) {
    const keep = UNRESERVED.test(char) || '$&+,/:;=@'.includes(char);
    out += keep ? char : `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return out;
}

/** Query parameters in order of appearance; malformed pairs are dropped. */
export function parseQuery(query: string): Map<string, string[]> {
  const result = new Map<string, string[]>();
  for (const pair of query.split('&')) {
    if (pair === '' || pair.includes(';')) continue;
    const [rawKey, rawValue] = cut(pair, '=');
    if (/%(?![0-9A-Fa-f]{2})/.test(pair)) continue;
    const key = percentDecode(rawKey.replaceAll('+', ' '));
    const values = result.get(key) ?? [];
    values.push(percentDecode(rawValue.replaceAll('+', ' ')));
    result.set(key, values);
  }
  return result;
}
