import { createSign } from 'node:crypto';
import { type AwsCredentials, signedHeaders } from './aws-signature.ts';
import { type OidcDocuments, oidcPaths } from './index.ts';

type Fetch = typeof fetch;
const timeoutMs = 30_000;

/** Sends one request; an answer that is no success is an error that tells what the store said. */
async function send(request: Fetch, url: URL, init: RequestInit, accepted: readonly number[] = []): Promise<Response> {
  const response = await request(url, { ...init, signal: AbortSignal.timeout(timeoutMs) });
  if (response.ok || accepted.includes(response.status)) return response;
  const said = (await response.text()).replace(/\s+/g, ' ').slice(0, 300);
  throw new Error(`${init.method} ${url.origin}${url.pathname}: ${response.status} ${said}`);
}

export interface S3Place {
  readonly bucket: string;
  readonly region: string;
  /** Read at every use, because they are rotated. */
  readonly credentials: () => Promise<AwsCredentials>;
  /** Another store with the same protocol (`AWS_ENDPOINT_URL_S3`). */
  readonly endpoint?: string;
  readonly now?: () => number;
  readonly fetch?: Fetch;
}

/** Documents in a bucket of S3, under `<infraID>/`. */
export function s3Documents(place: S3Place): OidcDocuments {
  const { bucket, region, endpoint, now = Date.now, fetch: request = fetch } = place;
  const urlOf = (infraID: string, path: string) =>
    endpoint
      ? new URL(`${endpoint.replace(/\/$/, '')}/${bucket}/${infraID}/${path}`)
      : new URL(`https://${bucket}.s3.${region}.amazonaws.com/${infraID}/${path}`);
  const call = async (method: string, url: URL, body: string, accepted: readonly number[] = []) => {
    const signing = { region, service: 's3', now: new Date(now()) };
    const type = body === '' ? {} : { 'content-type': 'application/json' };
    const headers = signedHeaders({ method, url, headers: type, body }, await place.credentials(), signing);
    await send(request, url, { method, headers, ...(body === '' ? {} : { body }) }, accepted);
  };
  return {
    async publish(infraID, documents) {
      for (const [path, text] of documents) await call('PUT', urlOf(infraID, path), text);
    },
    async remove(infraID) {
      for (const path of oidcPaths) await call('DELETE', urlOf(infraID, path), '', [404]);
    },
  };
}

export interface GcsPlace {
  readonly bucket: string;
  /** Content of a service account's key file; without one the machine's own account is used (workload identity). */
  readonly key?: () => Promise<string>;
  /** Another store with the same protocol (`STORAGE_EMULATOR_HOST`). */
  readonly endpoint?: string;
  readonly now?: () => number;
  readonly fetch?: Fetch;
}

/** Documents in a bucket of Google Cloud Storage, under `<infraID>/`. */
export function gcsDocuments(place: GcsPlace): OidcDocuments {
  const { bucket, fetch: request = fetch, endpoint = 'https://storage.googleapis.com' } = place;
  const authorization = async () => ({ authorization: `Bearer ${await googleToken(place, request)}` });
  return {
    async publish(infraID, documents) {
      for (const [path, body] of documents) {
        const url = new URL(`${endpoint}/upload/storage/v1/b/${encodeURIComponent(bucket)}/o`);
        url.search = new URLSearchParams({ uploadType: 'media', name: `${infraID}/${path}` }).toString();
        const headers = { ...(await authorization()), 'content-type': 'application/json' };
        await send(request, url, { method: 'POST', headers, body });
      }
    },
    async remove(infraID) {
      for (const path of oidcPaths) {
        const name = encodeURIComponent(`${infraID}/${path}`);
        const url = new URL(`${endpoint}/storage/v1/b/${encodeURIComponent(bucket)}/o/${name}`);
        await send(request, url, { method: 'DELETE', headers: await authorization() }, [404]);
      }
    },
  };
}

const machineToken = 'http://metadata.google.internal/computeMetadata/v1/instance/service-accounts/default/token';
const scope = 'https://www.googleapis.com/auth/devstorage.read_write';
const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

async function googleToken({ key, now = Date.now }: GcsPlace, request: Fetch): Promise<string> {
  const response = key
    ? await tokenByKey(await key(), Math.floor(now() / 1000), request)
    : await send(request, new URL(machineToken), { method: 'GET', headers: { 'metadata-flavor': 'Google' } });
  const { access_token: token } = (await response.json()) as { readonly access_token?: unknown };
  if (typeof token !== 'string') throw new Error('Google answered without an access token');
  return token;
}

function tokenByKey(text: string, seconds: number, request: Fetch): Promise<Response> {
  const key = JSON.parse(text) as Partial<Record<'type' | 'client_email' | 'private_key' | 'token_uri', string>>;
  if (key.type !== 'service_account' || !key.client_email || !key.private_key)
    throw new Error(
      'GOOGLE_APPLICATION_CREDENTIALS names no key of a service account; leave it out to use the own one',
    );
  const audience = key.token_uri ?? 'https://oauth2.googleapis.com/token';
  const claims = { iss: key.client_email, scope, aud: audience, iat: seconds, exp: seconds + 3600 };
  const unsigned = `${base64url({ alg: 'RS256', typ: 'JWT' })}.${base64url(claims)}`;
  const assertion = `${unsigned}.${createSign('RSA-SHA256').update(unsigned).sign(key.private_key, 'base64url')}`;
  const body = new URLSearchParams({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion });
  return send(request, new URL(audience), { method: 'POST', body });
}
