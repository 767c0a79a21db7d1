import { isJsonObject } from '@hypershift-ts/kube-apimachinery';
import type { ReleaseError } from '../errors.ts';
import type { RegistryCredential } from '../image/pull-secret.ts';
import type { Challenge } from './challenge.ts';

export interface TokenExchange {
  /** Asked for when the challenge names no scope. */
  readonly defaultScope: string;
  /** Whether credentials may travel without TLS; only where the registry itself is spoken to that way. */
  readonly allowPlainHttp: boolean;
  refuse(why: string): ReleaseError;
  send(
    method: 'GET' | 'POST',
    url: URL,
    headers: Readonly<Record<string, string>>,
    body?: string,
  ): Promise<{ readonly status: number; readonly bytes: Buffer }>;
}

/** The `Authorization` header that answers a challenge; undefined when the credential cannot answer it. */
export async function authorize(
  challenges: readonly Challenge[],
  credential: RegistryCredential | undefined,
  exchange: TokenExchange,
): Promise<string | undefined> {
  const bearer = challenges.find(({ scheme }) => scheme === 'bearer');
  if (bearer) {
    if (credential?.registryToken) return `Bearer ${credential.registryToken}`;
    const token = await fetchToken(bearer, credential, exchange);
    return token === undefined ? undefined : `Bearer ${token}`;
  }
  const wantsBasic = challenges.some(({ scheme }) => scheme === 'basic');
  return wantsBasic ? basic(credential) : undefined;
}

function basic(credential: RegistryCredential | undefined): string | undefined {
  if (!credential?.username) return undefined;
  return `Basic ${Buffer.from(`${credential.username}:${credential.password ?? ''}`).toString('base64')}`;
}

/** The token flow of registries: a bearer token for one scope, from the place the challenge names. */
async function fetchToken(
  { parameters }: Challenge,
  credential: RegistryCredential | undefined,
  exchange: TokenExchange,
): Promise<string | undefined> {
  const realm = parameters['realm'] ?? '';
  if (!URL.canParse(realm)) throw exchange.refuse('its challenge names no place to get a token from');
  const url = new URL(realm);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && exchange.allowPlainHttp))
    throw exchange.refuse(`it wants credentials sent to ${url.origin}, which is not HTTPS`);
  const scopes = (parameters['scope'] || exchange.defaultScope).split(' ');
  const service = parameters['service'];

  const answer = credential?.identityToken
    ? await exchange.send(
        'POST',
        url,
        { 'content-type': 'application/x-www-form-urlencoded' },
        new URLSearchParams({
          grant_type: 'refresh_token',
          refresh_token: credential.identityToken,
          client_id: 'hypershift-ts',
          scope: scopes.join(' '),
          ...(service ? { service } : {}),
        }).toString(),
      )
    : await exchange.send('GET', withQuery(url, scopes, service), headersFor(credential));
  if (answer.status === 401 || answer.status === 403 || answer.status === 400) return undefined;
  if (answer.status !== 200) throw new Error(`${url.host} answered ${answer.status} to the request for a token`);
  return readToken(answer.bytes, exchange);
}

function withQuery(url: URL, scopes: readonly string[], service: string | undefined): URL {
  const full = new URL(url);
  if (service) full.searchParams.set('service', service);
  for (const scope of scopes) full.searchParams.append('scope', scope);
  return full;
}

function headersFor(credential: RegistryCredential | undefined): Record<string, string> {
  const authorization = basic(credential);
  return authorization ? { authorization } : {};
}

function readToken(bytes: Buffer, exchange: TokenExchange): string {
  let document: unknown;
  try {
    document = JSON.parse(bytes.toString('utf8'));
  } catch {
    throw exchange.refuse('its token service answered with something that is not JSON');
  }
  const token = isJsonObject(document) ? (document['token'] ?? document['access_token']) : undefined;
  if (typeof token !== 'string' || token === '' || /[\r\n]/.test(token))
    throw exchange.refuse('its token service answered without a token');
  return token;
}
