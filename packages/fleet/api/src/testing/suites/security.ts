import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAuthority, issue } from '@hypershift-ts/kube-pki';
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '@hypershift-ts/fleet-database';
import { startTestServer, type TestServer } from '../fleet-server.ts';

const issuer = 'https://issuer.example.com';

/** Tokens over TLS, as in production. */
export function securitySuite(database: () => Database): void {
  describe('Credentials', () => {
    const folder = mkdtempSync(join(tmpdir(), 'fleet-tls-'));
    const file = (name: string) => join(folder, name);
    let server: TestServer;
    let key: CryptoKey;
    let ca: string;
    beforeAll(async () => {
      const pair = await generateKeyPair('RS256');
      key = pair.privateKey;
      writeFileSync(file('jwks.json'), JSON.stringify({ keys: [{ ...(await exportJWK(pair.publicKey)), kid: 'k' }] }));
      const now = Date.now();
      const authority = await createAuthority({ subject: { commonName: 'ca' }, now });
      const leaf = await issue(authority, {
        role: 'server',
        subject: { commonName: 'api' },
        ipAddresses: ['127.0.0.1'],
        now,
      });
      ca = authority.certificatePem;
      writeFileSync(file('tls.crt'), leaf.certificatePem);
      writeFileSync(file('tls.key'), leaf.keyPem, { mode: 0o600 });
      server = await startTestServer(
        database(),
        `server:
  tls: {enabled: true, cert_file: ${file('tls.crt')}, key_file: ${file('tls.key')}}
  jwt: {enabled: true, configs: [{issuer_url: "${issuer}", jwk_cert_file: ${file('jwks.json')}}]}
`,
      );
    });
    afterAll(async () => {
      await server.stop();
      rmSync(folder, { recursive: true });
    });

    const token = (claims: Record<string, unknown>) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: 'RS256', kid: 'k' })
        .setIssuer(issuer)
        .setExpirationTime(Math.floor(server.clock.now() / 1000) + 60)
        .sign(key);
    const call = (method: string, path: string, authorization: string | undefined, body?: object) =>
      new Promise<{ status: number; body: Record<string, unknown> }>((resolve, reject) => {
        const headers = authorization === undefined ? {} : { authorization };
        const outgoing = request(`${server.api.url}${path}`, { method, ca, headers }, (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
          response.on('end', () =>
            resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) as Record<string, unknown> }),
          );
        });
        outgoing.on('error', reject);
        outgoing.end(body && JSON.stringify(body));
      });
    const clusters = '/api/hyperfleet/v1/clusters';

    it('When a caller has a token, its name should be on what it writes', async () => {
      const authorization = `Bearer ${await token({ email: 'user@example.com' })}`;
      const created = await call('POST', clusters, authorization, { kind: 'Cluster', name: 'mine', spec: {} });
      expect([created.status, created.body['created_by']]).toEqual([201, 'user@example.com']);
    });

    it('When a caller has none, or one without a name, it should read nothing or write nothing', async () => {
      const none = await call('GET', clusters, undefined);
      expect([none.status, none.body['code']]).toEqual([401, 'HYPERFLEET-AUT-001']);
      const nameless = `Bearer ${await token({ sub: 'x' })}`;
      expect((await call('GET', clusters, nameless)).status).toBe(200);
      expect((await call('POST', clusters, nameless, {})).status).toBe(401);
      expect((await call('GET', '/api/hyperfleet', undefined)).status).toBe(200);
    });
  });
}
