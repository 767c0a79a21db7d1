import { generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parseAwsCredentials, signedHeaders } from './aws-signature.ts';
import { gcsDocuments, s3Documents } from './buckets.ts';

/** A store that remembers what it was asked. */
let server: Server;
let endpoint: string;
const asked: { line: string; headers: IncomingMessage['headers']; body: string }[] = [];
let refuse = 0;
beforeAll(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      asked.push({ line: `${request.method} ${request.url}`, headers: request.headers, body });
      response.statusCode = refuse || 200;
      response.end(request.url === '/token' ? '{"access_token":"t0ken"}' : refuse ? '<Code>AccessDenied</Code>' : '{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));
beforeEach(() => {
  asked.length = 0;
  refuse = 0;
});

const documents = new Map([
  ['.well-known/openid-configuration', '{"issuer":"x"}'],
  ['openid/v1/jwks', '{"keys":[]}'],
]);
const credentials = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
};

describe('signedHeaders', () => {
  it("When AWS's own example is signed, it should have AWS's signature", () => {
    const url = new URL('https://examplebucket.s3.amazonaws.com/test%24file.text');
    const headers = { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' };
    const now = new Date('2013-05-24T00:00:00Z');
    const request = { method: 'PUT', url, headers, body: 'Welcome to Amazon S3.' };
    expect(signedHeaders(request, credentials, { region: 'us-east-1', service: 's3', now })['authorization']).toContain(
      'Signature=98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
    );
  });
});

describe('parseAwsCredentials', () => {
  it('When there are several profiles, it should take the default one', () => {
    const text = '[other]\naws_access_key_id = A\n[default]\naws_access_key_id = B\naws_secret_access_key=C\n';
    expect(parseAwsCredentials(text)).toEqual({ accessKeyId: 'B', secretAccessKey: 'C' });
  });

  it('When there are no keys, it should say which it wants', () => {
    expect(() => parseAwsCredentials('[default]\nrole_arn = x\n')).toThrow('aws_secret_access_key');
  });
});

describe('s3Documents', () => {
  const place = () =>
    s3Documents({ bucket: 'oidc', region: 'eu-west-1', credentials: async () => credentials, endpoint });

  it('When documents are published and removed, it should be under the infraID, signed', async () => {
    await place().publish('demo-abcde', documents);
    await place().remove('demo-abcde');
    expect(asked.map(({ line }) => line)).toEqual([
      'PUT /oidc/demo-abcde/.well-known/openid-configuration',
      'PUT /oidc/demo-abcde/openid/v1/jwks',
      'DELETE /oidc/demo-abcde/.well-known/openid-configuration',
      'DELETE /oidc/demo-abcde/openid/v1/jwks',
    ]);
    expect(asked[0]?.body).toBe('{"issuer":"x"}');
    for (const { headers } of asked) expect(headers.authorization).toContain('/eu-west-1/s3/aws4_request');
    expect(JSON.stringify(asked)).not.toContain(credentials.secretAccessKey);
  });

  it('When the store refuses, it should say what and why', async () => {
    refuse = 403;
    await expect(place().publish('demo', documents)).rejects.toThrow(/PUT .*\/oidc\/demo\/.* 403 .*AccessDenied/);
  });

  it('When there is nothing to remove, it should be content', async () => {
    expect.hasAssertions();
    refuse = 404;
    await expect(place().remove('demo')).resolves.toBeUndefined();
  });
});

describe('gcsDocuments', () => {
  it('When a key of a service account is given, it should be exchanged for a token that is used', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const key = JSON.stringify({
      type: 'service_account',
      client_email: 'hypershift@example.iam.gserviceaccount.com',
      private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
      token_uri: `${endpoint}/token`,
    });
    const place = gcsDocuments({ bucket: 'oidc', key: async () => key, endpoint });
    await place.publish('demo', new Map([['openid/v1/jwks', '{}']]));
    await place.remove('demo');
    const calls = asked.filter(({ line }) => !line.endsWith('/token'));
    expect(calls.map(({ line }) => line)).toEqual([
      'POST /upload/storage/v1/b/oidc/o?uploadType=media&name=demo%2Fopenid%2Fv1%2Fjwks',
      'DELETE /storage/v1/b/oidc/o/demo%2F.well-known%2Fopenid-configuration',
      'DELETE /storage/v1/b/oidc/o/demo%2Fopenid%2Fv1%2Fjwks',
    ]);
    for (const { headers } of calls) expect(headers.authorization).toBe('Bearer t0ken');
  });
});
