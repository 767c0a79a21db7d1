import { createHash, createHmac } from 'node:crypto';

export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

interface SignedRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();

/** The headers of a request to a service of AWS, signed by version 4 of its signature. */
export function signedHeaders(
  { method, url, headers, body }: SignedRequest,
  credentials: AwsCredentials,
  { region, service, now }: { readonly region: string; readonly service: string; readonly now: Date },
): Record<string, string> {
  const time = now.toISOString().replace(/[-:]|\.\d{3}/g, '');
  const day = time.slice(0, 8);
  const all: Record<string, string> = {
    ...headers,
    host: url.host,
    'x-amz-content-sha256': sha256(body),
    'x-amz-date': time,
    ...(credentials.sessionToken ? { 'x-amz-security-token': credentials.sessionToken } : {}),
  };
  const names = Object.keys(all).sort();
  const canonical = [
    method,
    url.pathname,
    url.searchParams.toString(),
    ...names.map((name) => `${name}:${all[name]}`),
    '',
    names.join(';'),
    sha256(body),
  ].join('\n');
  const scope = `${day}/${region}/${service}/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n');
  const key = [day, region, service, 'aws4_request'].reduce<string | Buffer>(
    hmac,
    `AWS4${credentials.secretAccessKey}`,
  );
  const signature = createHmac('sha256', key).update(text).digest('hex');
  const { host: _, ...sent } = all;
  return {
    ...sent,
    authorization: `AWS4-HMAC-SHA256 Credential=${credentials.accessKeyId}/${scope}, SignedHeaders=${names.join(';')}, Signature=${signature}`,
  };
}

/** The keys of the default profile of a credentials file, as AWS's tools write it. */
export function parseAwsCredentials(text: string): AwsCredentials {
  const settings = new Map<string, string>();
  let profile = 'default';
  for (const line of text.split('\n').slice(0, 1000)) {
    const section = /^\s*\[\s*([^\]\s]+)\s*\]\s*$/.exec(line);
    if (section) profile = section[1] ?? '';
    const setting = /^\s*([a-z_]+)\s*=\s*(\S+)\s*$/.exec(line);
    if (setting && profile === 'default') settings.set(setting[1] ?? '', setting[2] ?? '');
  }
  const [accessKeyId, secretAccessKey, sessionToken] = [
    'aws_access_key_id',
    'aws_secret_access_key',
    'aws_session_token',
  ].map((name) => settings.get(name));
  if (!accessKeyId || !secretAccessKey)
    throw new Error('the credentials file has no aws_access_key_id and aws_secret_access_key under [default]');
  return { accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}) };
}
